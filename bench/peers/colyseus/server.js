// node server.js FILE PORT: a Colyseus room in which everybody puts a secret word into the box; when all have, it
// is opened, and the next round begins. The words stay in the room: what is not in its state reaches nobody.
const { Room, Server } = require("@colyseus/core");
const { schema, t } = require("@colyseus/schema");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { Disk } = require("../disk.js");

const SEATS = 8;
const [path, port] = process.argv.slice(2);
const disk = new Disk(path, "CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, opened INTEGER, slips TEXT);");
const save = disk.db.prepare("INSERT OR REPLACE INTO rooms VALUES (?, ?, ?)");

const Box = schema({ answered: t.uint8(), of: t.uint8(), opened: t.uint32() });

class Ballot extends Room {
  maxClients = SEATS + 1;
  patchRate = null; // a vote is shown when it is in, not up to 50 ms later with the next tick
  state = new Box();
  slips = {};
  opened = 0;

  messages = {
    cast: async (client, word) => {
      const { seat } = client.userData;
      if (!seat || typeof word !== "string" || seat in this.slips) return client.send("refused", "Your slip is in the box.");
      this.slips[seat] = word;
      await this.show();
      client.send("answered", word);
    },
    open: async (client) => {
      if (Object.keys(this.slips).length < SEATS) return client.send("refused", "Not everybody has answered.");
      this.slips = {};
      this.opened += 1;
      await this.show();
    },
  };

  onCreate() {
    Object.assign(this.state, { answered: 0, of: SEATS, opened: 0 });
  }

  onJoin(client, { seat }) {
    client.userData = { seat };
  }

  // On the disk first, then on the screens.
  async show() {
    const [answered, opened] = [Object.keys(this.slips).length, this.opened];
    await disk.write(save, this.roomId, opened, JSON.stringify(this.slips));
    Object.assign(this.state, { answered, opened });
    this.broadcastPatch();
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 15_000, pingMaxRetries: 8 }) });
server.define("ballot", Ballot);
server.listen(Number(port)).then(() => console.log("ready"));
