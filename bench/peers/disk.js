// One SQLite file, as durable as ours: WAL, synchronous=FULL. All writes that are ready in one turn of the
// event loop share one transaction, so that neither peer waits for the disk more often than it must.
const { DatabaseSync } = require("node:sqlite");

exports.Disk = class {
  constructor(path, schema) {
    this.db = new DatabaseSync(path);
    this.db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${schema}`);
    this.writes = [];
    this.waiting = [];
  }

  write(statement, ...values) {
    this.writes.push([statement, values]);
    return this.written();
  }

  // Resolves when everything that was written so far, or will be in this turn, is on the disk.
  written() {
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
    } catch (trouble) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      for (const [, reject] of waiting) reject(trouble);
    }
  }
};

// The bench weighs a server after a sweep.
process.on("SIGURG", () => globalThis.gc());
