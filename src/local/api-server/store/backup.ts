import { closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { damaged, isDamage, tooNew } from './errors';
import { check, lock, openDatabase, SCHEMA_VERSION, schemaVersion } from './schema';

/**
 * Distance between the newest resource version of a backup and the first one after its restoration. Clients that saw
 * versions after the backup must not take new versions for those.
 */
const VERSION_GAP = 1_000_000_000;

/** Copies a store into a new file, as of one moment; an API server may use it meanwhile. */
export function backupStore(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    throw isDamage(error) ? damaged(from, (error as Error).message) : error;
  } finally {
    db.close();
  }
  inspect(to);
}

/** @throws OpenError if this version cannot restore the file */
export function inspect(file: string): void {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    check(db, file);
    const version = schemaVersion(db);
    if (version > SCHEMA_VERSION) throw tooNew(file, version, SCHEMA_VERSION);
    db.prepare('SELECT count(*) FROM objects').get();
  } catch (error) {
    throw isDamage(error) ? damaged(file, (error as Error).message) : error;
  } finally {
    db?.close();
  }
}

/** Replaces a store, which no API server may use, by a backup. Clients of the old store have to list again. */
export function restoreStore(from: string, to: string): void {
  inspect(from);
  const unlock = lock(to);
  const next = `${to}.restored`;
  try {
    copyFileSync(from, next);
    const { db, unlock: unlockNext } = openDatabase(next);
    const { rv } = db.prepare('SELECT max(rv) AS rv FROM history').get() as { rv: number | null };
    db.exec('DELETE FROM history');
    // An entry of no resource: the history begins after it, so that older versions are 410 Expired.
    db.prepare("INSERT INTO history (rv, resource, key) VALUES (?, '', '')").run((rv ?? 1) + VERSION_GAP);
    // one file without a log beside it
    db.exec('PRAGMA journal_mode = DELETE');
    db.close();
    unlockNext();
    for (const file of [`${to}-wal`, `${to}-shm`]) rmSync(file, { force: true });
    renameSync(next, to);
    sync(to);
    sync(dirname(to));
  } finally {
    for (const file of [next, `${next}-wal`, `${next}-shm`, `${next}-lock`]) rmSync(file, { force: true });
    unlock();
  }
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
