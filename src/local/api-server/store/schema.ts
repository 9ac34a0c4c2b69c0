import { DatabaseSync } from 'node:sqlite';

/** Number of writes in the history. Watches from older resource versions fail with 410 Expired. */
export const HISTORY_LENGTH = 10_000;

/**
 * Opens the database file, creating it when absent.
 * WAL with synchronous=FULL: a commit returns after its fsync, so an acknowledged write survives SIGKILL and power loss.
 */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -1024;
    CREATE TABLE IF NOT EXISTS objects (
      resource TEXT NOT NULL,
      key TEXT NOT NULL,
      rv INTEGER NOT NULL,
      uid TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (resource, key)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS objects_uid ON objects (uid);
    -- An undo log: what the object was before write number rv (NULL: it did not exist).
    -- The state after that write is the prev of the key's next entry, or the object itself.
    CREATE TABLE IF NOT EXISTS history (
      rv INTEGER PRIMARY KEY,
      resource TEXT NOT NULL,
      key TEXT NOT NULL,
      prev TEXT,
      prev_rv INTEGER
    );
    CREATE INDEX IF NOT EXISTS history_resource ON history (resource, rv);
    CREATE TABLE IF NOT EXISTS owners (
      owner_uid TEXT NOT NULL,
      resource TEXT NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (owner_uid, resource, key)
    ) WITHOUT ROWID;
  `);
  reserve(db);
  return db;
}

/** Space that is reserved for writes while the disk is full. */
const RESERVE_BYTES = 4 << 20;

/** Grows the database and its log by pages that are free immediately: writes use them before they allocate new ones. */
function reserve(db: DatabaseSync): void {
  try {
    db.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE reserve (room BLOB);
      INSERT INTO reserve VALUES (zeroblob(${RESERVE_BYTES}));
      DROP TABLE reserve;
      COMMIT;
    `);
  } catch {
    // the disk is full: objects can be read, and the next start retries
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}
