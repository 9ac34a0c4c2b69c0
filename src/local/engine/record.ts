import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Content of `engine.json`: the engine of a state directory, for `status`, `down` and the next `up`. */
export interface EngineRecord {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot, to detect a reused PID. */
  readonly startTicks: string;
  readonly version: string;
  readonly node: string;
  readonly url?: string;
  readonly startedAt: string;
  /** Whether all components have responded, so that `up` may return. */
  readonly ready: boolean;
}

/** Start time of a process (field 22 of /proc/PID/stat); undefined if it does not exist. */
export function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function readRecord(file: string): EngineRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as EngineRecord;
  } catch {
    return undefined;
  }
}

export function writeRecord(file: string, record: EngineRecord): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Whether the recorded engine is the process that now has its PID. */
export function isAlive(record: EngineRecord | undefined): record is EngineRecord {
  return record !== undefined && startTicks(record.pid) === record.startTicks;
}
