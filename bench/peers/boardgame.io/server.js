// node server.js FILE PORT: boardgame.io's own server, with its state in that SQLite file.
const { Server, SocketIO } = require("boardgame.io/server");
const { Disk } = require("../disk.js");
const { Ballot } = require("./game.js");
const { Bell, SCHEMA, Storage } = require("./storage.js");

const [path, port] = process.argv.slice(2);
const disk = new Disk(path, SCHEMA);
const transport = new SocketIO({ pubSub: new Bell(disk), socketOpts: { pingInterval: 15_000, pingTimeout: 120_000 } });
const server = Server({ games: [Ballot], db: new Storage(disk), transport, origins: ["http://localhost"] });

server.run(Number(port), () => console.log("ready"));
