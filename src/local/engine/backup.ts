import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backupStore, inspect, restoreStore } from '../api-server/store/backup';
import { run } from '../../runtime/host/command';
import { defaultStateDir, enginePaths } from './paths';
import { isAlive, readRecord } from './record';

/** Version of the archive's layout. */
const FORMAT = 1;
/** Names in the archive. */
const HEADER = 'backup.json';
const STORE = 'state.db';
const PKI = 'pki';
const STORAGE = 'storage';
const TIMEOUT_MS = 24 * 3_600_000;

export interface BackupOptions {
  readonly stateDir?: string;
  readonly file: string;
  /** Whether the archive also contains the data of claims. They are not consistent while Pods write. Default: false. */
  readonly data?: boolean;
}

/**
 * Writes the objects and the authorities of an engine into a tar archive, which only its owner can read. The engine may
 * run: the objects are those of one moment.
 */
export async function backup(options: BackupOptions): Promise<void> {
  const paths = enginePaths(options.stateDir ?? defaultStateDir());
  if (!existsSync(paths.store)) {
    throw new Error(`${paths.stateDir} has no store to back up; select the engine's folder with --state-dir`);
  }
  const work = mkdtempSync(join(paths.stateDir, 'backup-'));
  const target = resolve(options.file);
  try {
    backupStore(paths.store, join(work, STORE));
    writeFileSync(join(work, HEADER), `${JSON.stringify({ format: FORMAT, madeAt: new Date().toISOString() })}\n`);
    writeFileSync(`${target}.new`, '', { mode: 0o600 });
    chmodSync(`${target}.new`, 0o600);
    const parts = [PKI, ...(options.data && existsSync(paths.storage) ? [STORAGE] : [])];
    await tar(
      '--create',
      '--sparse',
      '--file',
      `${target}.new`,
      '-C',
      work,
      HEADER,
      STORE,
      '-C',
      paths.stateDir,
      ...parts,
    );
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(`${target}.new`, { force: true });
  }
}

/** Replaces objects and authorities of a stopped engine by those of a backup, and the data of claims if it has them. */
export async function restore(options: { stateDir?: string; file: string }): Promise<void> {
  const paths = enginePaths(options.stateDir ?? defaultStateDir());
  const file = resolve(options.file);
  if (!existsSync(file)) throw new Error(`the backup ${file} does not exist`);
  if (isAlive(readRecord(paths.record))) {
    throw new Error('the engine is running; stop it with "virt8s down --keep-state" before a backup is restored');
  }
  mkdirSync(dirname(paths.store), { recursive: true, mode: 0o700 });
  const work = mkdtempSync(join(paths.stateDir, 'restore-'));
  try {
    await tar('--extract', '--same-owner', '--same-permissions', '--file', file, '-C', work);
    const { format } = readHeader(join(work, HEADER), file);
    if (format !== FORMAT) {
      throw new Error(
        `${file} has format ${format}, but this version of virt8s restores format ${FORMAT}; upgrade virt8s`,
      );
    }
    // everything is checked before anything is replaced
    inspect(join(work, STORE));
    if (!existsSync(join(work, PKI))) throw new Error(`${file} is incomplete: it has no ${PKI}; select another backup`);
    restoreStore(join(work, STORE), paths.store);
    exchange(join(work, PKI), paths.pki);
    if (existsSync(join(work, STORAGE))) exchange(join(work, STORAGE), paths.storage);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Puts a new folder in the place of another one, which is deleted with the working folder. */
function exchange(next: string, place: string): void {
  if (existsSync(place)) renameSync(place, `${next}.old`);
  renameSync(next, place);
}

function readHeader(header: string, file: string): { format?: number } {
  try {
    return JSON.parse(readFileSync(header, 'utf8')) as { format?: number };
  } catch {
    throw new Error(`${file} is not a backup of virt8s: it has no valid ${HEADER}`);
  }
}

const tar = (...args: string[]) => run('tar', ['--numeric-owner', ...args], { timeoutMs: TIMEOUT_MS });
