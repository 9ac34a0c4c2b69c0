import { readdirSync, readFileSync } from 'node:fs';
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

/** Start time of a process in clock ticks since boot; undefined if it does not exist. */
export function startTicks(pid: number): string | undefined {
  const stat = readStat(pid);
  return stat?.state === 'Z' ? undefined : stat?.startTicks;
}

interface Stat {
  readonly state: string;
  readonly flags: number;
  readonly startTicks: string;
}

/** Fields 3, 9 and 22 of /proc/PID/stat; undefined if the process does not exist. */
function readStat(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, flags: Number(fields[6]), startTicks: fields[19]! };
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

/** Whether the recorded engine is the process that now has its PID, and is not ending. */
export function isAlive<R extends Recorded>(record: R | undefined): record is R {
  const ticks = record && startTicks(record.pid);
  return ticks !== undefined && ticks === record?.startTicks && !isEnding(record);
}

/** Flags of a process that is ending: PF_EXITING, and PF_SIGNALED just before it, in the kernel's sched.h. */
const ENDING = 0x4 | 0x400;

/** Whether the process is ending, but keeps its files and locks: as long as one of its threads waits for a disk. */
function isEnding({ pid, startTicks: ticks }: Recorded): boolean {
  const stat = readStat(pid);
  if (!stat || stat.startTicks !== ticks) return false;
  if (stat.state === 'Z') return threads(pid) > 1;
  return (stat.flags & ENDING) !== 0 || isKilled(pid);
}

/** Number of threads, with the main thread, which stays until all others have ended. */
function threads(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

/** Bit of SIGKILL in the masks of /proc/PID/status. */
const SIGKILL_BIT = 1n << 8n;

/** Whether SIGKILL is pending: a process that waits for a disk takes it afterwards. */
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
 * Waits for the end of an engine that is ending; returns at once for others.
 * @throws Error if it does not end in time
 */
export async function killedEnded(record: Recorded | undefined, limitMs = 30_000): Promise<void> {
  for (const until = Date.now() + limitMs; record && isEnding(record); await sleep(LOOK_MS)) {
    if (Date.now() > until) {
      throw new Error(
        `the engine with PID ${record.pid} is ending, but waits for a disk; check the disk, then try again`,
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
