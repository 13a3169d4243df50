// node server.js FILE PORT: boardgame.io's own server, with its state in that SQLite file.
const { Server, SocketIO } = require("boardgame.io/server");
const { Ballot } = require("./game.js");
const { Database, DurablePubSub, Storage } = require("./storage.js");

const [path, port] = process.argv.slice(2);
const database = new Database(path);
const socketOpts = { pingInterval: 15_000, pingTimeout: 120_000 };
const transport = new SocketIO({ pubSub: new DurablePubSub(database), socketOpts });

Server({ games: [Ballot], db: new Storage(database), transport, origins: ["http://localhost"] }).run(Number(port));
