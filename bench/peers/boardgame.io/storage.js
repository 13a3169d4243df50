// boardgame.io's storage in SQLite, and a bell that waits for it: out of the box its master tells the clients
// before it saves. Both are extension points of its own (`db`, `pubSub`).
const { Async } = require("boardgame.io/internal");

exports.SCHEMA = `
  CREATE TABLE IF NOT EXISTS matches (id TEXT PRIMARY KEY, initial TEXT, state TEXT, metadata TEXT);
  CREATE TABLE IF NOT EXISTS log (id TEXT, entry TEXT);
  CREATE INDEX IF NOT EXISTS log_id ON log (id);`;

exports.Storage = class extends Async {
  constructor(disk) {
    super();
    const prepare = (sql) => disk.db.prepare(sql);
    this.disk = disk;
    this.create = prepare("INSERT INTO matches VALUES (?, ?, ?, ?)");
    this.state = prepare("UPDATE matches SET state = ? WHERE id = ?");
    this.metadata = prepare("UPDATE matches SET metadata = ? WHERE id = ?");
    this.append = prepare("INSERT INTO log VALUES (?, ?)");
    this.forget = prepare("DELETE FROM matches WHERE id = ?");
    this.list = prepare("SELECT id FROM matches");
    this.log = prepare("SELECT entry FROM log WHERE id = ? ORDER BY rowid");
    this.columns = { state: "state", metadata: "metadata", initialState: "initial" };
    this.one = Object.fromEntries(
      Object.entries(this.columns).map(([name, column]) => [name, prepare(`SELECT ${column} AS it FROM matches WHERE id = ?`)]),
    );
  }

  async connect() {}

  createMatch(id, { initialState, metadata }) {
    const initial = JSON.stringify(initialState);
    return this.disk.write(this.create, id, initial, initial, JSON.stringify(metadata));
  }

  setState(id, state, deltalog = []) {
    for (const entry of deltalog) this.disk.write(this.append, id, JSON.stringify(entry));
    return this.disk.write(this.state, JSON.stringify(state), id);
  }

  setMetadata(id, metadata) {
    return this.disk.write(this.metadata, JSON.stringify(metadata), id);
  }

  async fetch(id, wanted) {
    const found = {};
    for (const name of Object.keys(this.columns)) {
      const row = wanted[name] && this.one[name].get(id);
      if (row) found[name] = JSON.parse(row.it);
    }
    if (wanted.log) found.log = this.log.all(id).map(({ entry }) => JSON.parse(entry));
    return found;
  }

  wipe(id) {
    return this.disk.write(this.forget, id);
  }

  async listMatches() {
    return this.list.all().map(({ id }) => id);
  }
};

exports.Bell = class {
  constructor(disk) {
    this.disk = disk;
    this.heard = new Map();
  }

  // The write that belongs to this news is asked for in the same turn.
  publish(channel, news) {
    this.disk.written().then(() => this.heard.get(channel)?.(news));
  }

  subscribe(channel, callback) {
    this.heard.set(channel, callback);
  }

  unsubscribeAll(channel) {
    this.heard.delete(channel);
  }
};
