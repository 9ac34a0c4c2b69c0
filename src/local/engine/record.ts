import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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

type Recorded = Pick<EngineRecord, 'pid' | 'startTicks'>;

const exists = ({ pid, startTicks: ticks }: Recorded): boolean => startTicks(pid) === ticks;

/** Whether the recorded engine is the process that now has its PID, and was not killed. */
export function isAlive<R extends Recorded>(record: R | undefined): record is R {
  return record !== undefined && exists(record) && !isKilled(record.pid);
}

/** Bit of SIGKILL in the masks of /proc/PID/status. */
const SIGKILL_BIT = 1n << 8n;

/** Whether SIGKILL is pending: while a process waits for a disk, it cannot end, and keeps its files and locks. */
function isKilled(pid: number): boolean {
  try {
    const pending = /^SigPnd:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return pending !== undefined && (BigInt(`0x${pending}`) & SIGKILL_BIT) !== 0n;
  } catch {
    return false;
  }
}

const LOOK_MS = 50;

/**
 * Waits for the end of an engine that was killed; returns at once for others.
 * @throws Error if it does not end in time
 */
export async function killedEnded(record: Recorded | undefined, limitMs = 30_000): Promise<void> {
  for (const until = Date.now() + limitMs; record && exists(record) && isKilled(record.pid); await sleep(LOOK_MS)) {
    if (Date.now() > until) {
      throw new Error(
        `the engine with PID ${record.pid} was killed and does not end, because it waits for a disk; check the disk, then try again`,
      );
    }
  }
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
