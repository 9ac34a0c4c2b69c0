import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir } from '../../src/local/engine/cache';

/** Results of earlier runs of this machine. */
export interface Record {
  /** Commit of the last run in which everything passed. */
  green?: string;
  /** Duration of each suite and static check when it last passed, in seconds. */
  seconds: { [name: string]: number };
}

const file = (): string => join(cacheDir(), 'test/record.json');

export function readRecord(): Record {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Record;
  } catch {
    return { seconds: {} }; // the first run of this machine
  }
}

export function writeRecord(record: Record): void {
  mkdirSync(dirname(file()), { recursive: true });
  const partial = `${file()}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(record, undefined, 1)}\n`);
  renameSync(partial, file());
}
