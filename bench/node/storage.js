// boardgame.io's storage in SQLite, as durable as Companion's. By default its master tells the clients before it
// saves; here `pubSub` waits for the commit. `db` and `pubSub` are both extension points of boardgame.io.
const { DatabaseSync } = require("node:sqlite");
const { Async } = require("boardgame.io/internal");

const COLUMNS = { state: "state", metadata: "metadata", initialState: "initial" };

// Group commit: all writes of one turn of the event loop share one transaction.
exports.Database = class {
  constructor(path) {
    this.db = new DatabaseSync(path);
    this.db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS matches (id TEXT PRIMARY KEY, initial TEXT, state TEXT, metadata TEXT);
      CREATE TABLE IF NOT EXISTS log (id TEXT, entry TEXT);
      CREATE INDEX IF NOT EXISTS log_id ON log (id);`);
    this.writes = [];
    this.waiting = [];
  }

  write(statement, ...values) {
    this.writes.push([statement, values]);
    return this.committed();
  }

  // Resolves when all writes so far, and those of the rest of this turn, are committed.
  committed() {
    return new Promise((resolve, reject) => {
      if (this.waiting.push([resolve, reject]) === 1) setImmediate(() => this.commit());
    });
  }

  commit() {
    const { writes, waiting } = this;
    this.writes = [];
    this.waiting = [];
    try {
      if (writes.length) {
        this.db.exec("BEGIN IMMEDIATE");
        for (const [statement, values] of writes) statement.run(...values);
        this.db.exec("COMMIT");
      }
      for (const [resolve] of waiting) resolve();
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      for (const [, reject] of waiting) reject(error);
    }
  }
};

exports.Storage = class extends Async {
  constructor(database) {
    super();
    const prepare = (sql) => database.db.prepare(sql);
    this.database = database;
    this.insert = prepare("INSERT INTO matches VALUES (?, ?, ?, ?)");
    this.updateState = prepare("UPDATE matches SET state = ? WHERE id = ?");
    this.updateMetadata = prepare("UPDATE matches SET metadata = ? WHERE id = ?");
    this.appendLog = prepare("INSERT INTO log VALUES (?, ?)");
    this.remove = prepare("DELETE FROM matches WHERE id = ?");
    this.selectIds = prepare("SELECT id FROM matches");
    this.selectLog = prepare("SELECT entry FROM log WHERE id = ? ORDER BY rowid");
    this.select = {};
    for (const [name, column] of Object.entries(COLUMNS)) {
      this.select[name] = prepare(`SELECT ${column} AS value FROM matches WHERE id = ?`);
    }
  }

  async connect() {}

  createMatch(id, { initialState, metadata }) {
    const initial = JSON.stringify(initialState);
    return this.database.write(this.insert, id, initial, initial, JSON.stringify(metadata));
  }

  setState(id, state, deltalog = []) {
    for (const entry of deltalog) this.database.write(this.appendLog, id, JSON.stringify(entry));
    return this.database.write(this.updateState, JSON.stringify(state), id);
  }

  setMetadata(id, metadata) {
    return this.database.write(this.updateMetadata, JSON.stringify(metadata), id);
  }

  async fetch(id, wanted) {
    const found = {};
    for (const name of Object.keys(COLUMNS)) {
      const row = wanted[name] && this.select[name].get(id);
      if (row) found[name] = JSON.parse(row.value);
    }
    if (wanted.log) found.log = this.selectLog.all(id).map(({ entry }) => JSON.parse(entry));
    return found;
  }

  wipe(id) {
    return this.database.write(this.remove, id);
  }

  async listMatches() {
    return this.selectIds.all().map(({ id }) => id);
  }
};

exports.DurablePubSub = class {
  constructor(database) {
    this.database = database;
    this.listeners = new Map();
  }

  // The master asks for the write in the same turn of the event loop.
  publish(channel, update) {
    this.database.committed().then(() => this.listeners.get(channel)?.(update));
  }

  subscribe(channel, listener) {
    this.listeners.set(channel, listener);
  }

  unsubscribeAll(channel) {
    this.listeners.delete(channel);
  }
};
