import { readFileSync } from 'node:fs';
import { writeSecret } from './secret-file';

/** Content of `engine.json`: the engine of a state directory, for `status`, `down` and the next `up`. */
export interface EngineRecord {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot, to detect a reused PID. */
  readonly startTicks: string;
  readonly version: string;
  /** Identity of its programs (`buildIdOf`); engines before this field have none. */
  readonly build?: string;
  readonly node: string;
  /** Whether the engine runs without the platform's components (`up --bare`). */
  readonly bare?: boolean;
  readonly url?: string;
  /** Ports for Ingresses that the user chose. */
  readonly ingressPorts?: { readonly http?: number; readonly https?: number };
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
  writeSecret(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** Whether the recorded engine is the process that now has its PID. */
export function isAlive(record: EngineRecord | undefined): record is EngineRecord {
  return record !== undefined && startTicks(record.pid) === record.startTicks;
}

/**
 * Whether an engine runs without the platform's components: as requested, or as at its last start.
 * @throws Error if the engine already has the components
 */
export function isBare(requested: boolean | undefined, last: EngineRecord | undefined, stateDir: string): boolean {
  const before = last?.bare ?? false;
  if (last && requested && !before) {
    throw new Error(
      `the engine in ${stateDir} runs the platform's components; remove it with virt8s down, or choose another folder with --state-dir`,
    );
  }
  return requested || before;
}
