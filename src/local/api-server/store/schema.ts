import { DatabaseSync } from 'node:sqlite';
import { errorText } from '../../../api/error-text';
import { encode, decode } from './encoding';
import { damaged, isBusy, isDamage, locked, OpenError, tooNew } from './errors';

/** Number of writes in the history. Watches from older resource versions fail with 410 Expired. */
export const HISTORY_LENGTH = 10_000;

/** Steps from each schema version to the next. The file's version is its `user_version`. */
const MIGRATIONS: readonly ((db: DatabaseSync) => void)[] = [createTables, storeVersionsInTexts];

export const SCHEMA_VERSION = MIGRATIONS.length;

const MEMORY = ':memory:';

export interface Opened {
  readonly db: DatabaseSync;
  /** Releases the lock, after the database was closed. */
  readonly unlock: () => void;
}

/**
 * Opens the database file for this process alone, creating it when absent.
 * WAL with synchronous=FULL: a commit returns after its fsync, so an acknowledged write survives SIGKILL and power loss.
 * @throws OpenError for a file that is in use, damaged, or newer than this version
 */
export function openDatabase(file: string): Opened {
  const unlock = lock(file);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    // The lock excludes other writers, so that no statement has to wait, which would block the event loop.
    db.exec(`
      PRAGMA busy_timeout = 0;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -1024;
    `);
    check(db, file);
    migrate(db, file);
    reserve(db);
    return { db, unlock };
  } catch (error) {
    db?.close();
    unlock();
    if (isDamage(error)) throw damaged(file, (error as Error).message);
    throw error;
  }
}

/**
 * Takes the exclusive lock: a transaction on a file beside the database that is never written. The kernel releases it
 * with the process. Not a lock on the database itself: a backup reads it while the API server runs.
 */
export function lock(file: string): () => void {
  if (file === MEMORY) return () => {};
  const db = new DatabaseSync(`${file}-lock`);
  try {
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return () => db.close();
  } catch (error) {
    db.close();
    throw isBusy(error) ? locked(file) : error;
  }
}

/** @throws OpenError if pages or indexes are damaged */
export function check(db: DatabaseSync, file: string): void {
  const finding = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (finding.quick_check !== 'ok') throw damaged(file, finding.quick_check.replaceAll('\n', ' '));
}

export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function migrate(db: DatabaseSync, file: string): void {
  const version = schemaVersion(db);
  if (version > SCHEMA_VERSION) throw tooNew(file, version, SCHEMA_VERSION);
  if (version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(version)) step(db);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    if (error instanceof OpenError || isDamage(error)) throw error;
    const cause = errorText(error);
    throw new OpenError(
      `the store ${file} cannot be upgraded from schema version ${version} to ${SCHEMA_VERSION}: ${cause}. It is unchanged`,
    );
  }
}

/** Version 1. Files from before schema versions have these tables and version 0. */
function createTables(db: DatabaseSync): void {
  db.exec(`
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
}

/**
 * Version 2. Texts contain their own resource version and are sent to clients unchanged. The history is read oldest
 * first: by rv, with the next entry of a key through the index.
 */
function storeVersionsInTexts(db: DatabaseSync): void {
  db.function('with_rv', { deterministic: true }, (text, rv) => encode(decode(text as string), Number(rv)));
  db.exec(`
    UPDATE objects SET data = with_rv(data, rv);
    UPDATE history SET prev = with_rv(prev, prev_rv) WHERE prev IS NOT NULL;
    ALTER TABLE history DROP COLUMN prev_rv;
    DROP INDEX history_resource;
    CREATE INDEX history_key ON history (resource, key, rv);
  `);
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
