// node server.js FILE PORT: boardgame.io's own server, with its state in that SQLite file.
const { Server, SocketIO } = require("boardgame.io/server");
const { Ballot } = require("./game.js");
const { page } = require("./pages.js");
const { Database, DurablePubSub, Storage } = require("./storage.js");

const [path, port] = process.argv.slice(2);
const database = new Database(path);
const socketOpts = { pingInterval: 15_000, pingTimeout: 120_000 };
const transport = new SocketIO({ pubSub: new DurablePubSub(database), socketOpts });

const server = Server({ games: [Ballot], db: new Storage(database), transport, origins: ["http://localhost"] });

server.router.get("/page/:file", (ctx) => {
  [ctx.type, ctx.body] = page(ctx.params.file);
});
server.run(Number(port));
