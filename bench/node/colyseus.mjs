// node colyseus.mjs PORT: the secret vote as a room of Colyseus. Its state is in memory only, as is usual with Colyseus.
// It sends its changes after every message; by default it would wait for up to 50 ms.
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { page } from "./pages.js";

const PLAYERS = 8;
const Box = schema({ answered: t.number(), opened: t.number(), ready: t.map("boolean") }, "Box");
let ballot;

class BallotRoom extends Room {
  patchRate = null;
  state = new Box({ answered: 0, opened: 0 });
  words = new Map(); // secret: not part of the state
  messages = {
    cast: (client, word) => this.cast(client.userData, word),
    open: () => this.open(),
  };

  onCreate() {
    ballot = this;
  }

  onJoin(client, { seat }) {
    client.userData = seat;
  }

  cast(seat, word) {
    if (typeof word !== "string" || this.words.has(seat)) return;
    this.words.set(seat, word);
    this.state.ready.set(seat, true);
    this.state.answered = this.words.size;
    this.broadcastPatch();
  }

  open() {
    if (this.words.size < PLAYERS) return;
    this.words.clear();
    this.state.ready.clear();
    this.state.answered = 0;
    this.state.opened += 1;
    this.broadcastPatch();
  }
}

const server = new Server({
  greet: false,
  transport: new WebSocketTransport({ pingInterval: 15_000 }),
  express: (app) => {
    app.get("/page/:file", (request, response) => {
      const [type, body] = page(request.params.file);
      response.type(type).send(body);
    });
    // Finish the round: everybody else votes, and the box is opened.
    app.get("/rest", (request, response) => {
      for (let seat = 0; seat < PLAYERS; seat++) ballot.cast(String(seat), "owl");
      ballot.open();
      response.send("done");
    });
  },
});
server.define("ballot", BallotRoom);
server.listen(Number(process.argv[2]));
