import { AnyObject } from '../types';

/** The object exists already. */
export class ExistsError extends Error {}

/** The object was deleted or has another resource version. */
export class StaleError extends Error {
  public constructor(public readonly current: AnyObject | undefined) {
    super('the object was changed or deleted meanwhile');
  }
}

/** The requested resource version is older than the history. */
export class HistoryError extends Error {
  public constructor(
    public readonly asked: number,
    public readonly oldest: number,
  ) {
    super(`too old resource version: ${asked} (${oldest})`);
  }
}

/** The disk has no space for a write. The write did not happen; later writes succeed when space is free. */
export class FullError extends Error {
  public constructor(file: string) {
    super(
      `no space is left for the store ${file}: the write was not stored. ` +
        'Free disk space or delete objects, then repeat the request',
    );
  }
}

/** The store cannot be opened: it is locked, damaged, or written by a newer version. */
export class OpenError extends Error {}

const RESTORE = 'restore a backup with "virt8s restore FILE"';

export const locked = (file: string): OpenError =>
  new OpenError(
    `the store ${file} is in use by another API server; only one process may open it. ` +
      'Check it with "virt8s status", or stop it with "virt8s down"',
  );

export const damaged = (file: string, finding: string): OpenError =>
  new OpenError(`the store ${file} is damaged (${finding}). Stop the engine with "virt8s down" and ${RESTORE}`);

export const tooNew = (file: string, version: number, known: number): OpenError =>
  new OpenError(
    `the store ${file} has schema version ${version}, but this version of virt8s supports at most ${known}. ` +
      `Upgrade virt8s, or ${RESTORE} that an older version made`,
  );

/** Primary result codes of SQLite. */
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
/** Extended code: the shared memory file could not grow. */
const IOERR_SHMSIZE = 4874;

const codeOf = (error: unknown): number => (error as { errcode?: number } | undefined)?.errcode ?? 0;

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(codeOf(error) & 0xff);
export const isDamage = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(codeOf(error) & 0xff);
export const isFull = (error: unknown): boolean => codeOf(error) === IOERR_SHMSIZE || (codeOf(error) & 0xff) === FULL;
