import { readFileSync } from 'node:fs';
import { enginePaths } from '../../../src/local/engine/paths';
import { eventually, sleep, type TestEngine } from '../engine';
import { cgroupOf } from './processes';
import type { Kill, Victim } from './schedule';

const POLL_MS = 20;
const LOG_LINES = 40;
/** An importer runs only while a disk is filled; the other programs start again. */
const PATIENCE_MS = { importer: 30_000, other: 180_000 };

/** Kills programs of one engine with SIGKILL, and starts the engine again. */
export class Killer {
  /** Times of kills and completed operations, for a failure. */
  public readonly log: string[] = [];
  private readonly began = Date.now();

  public constructor(
    private readonly engine: TestEngine,
    private readonly say: (line: string) => void,
  ) {}

  public async kill({ victim, afterMs }: Kill): Promise<void> {
    // the moment is random in the life of an importer, which may not have begun
    if (victim === 'importer') await this.find(victim);
    await sleep(afterMs);
    const pids = await this.find(victim);
    for (const pid of pids) end(pid);
    this.note(`killed ${victim} (${pids.join(', ') || 'none ran'})`);
    if (victim === 'engine') await this.engine.up();
  }

  public note(line: string): void {
    const text = `${((Date.now() - this.began) / 1000).toFixed(1)} s: ${line}`;
    this.log.push(text);
    this.say(text);
  }

  /** Waits until the program runs. @throws if it does not start, unless it is an importer */
  private async find(victim: Victim): Promise<number[]> {
    const until = Date.now() + PATIENCE_MS[victim === 'importer' ? victim : 'other'];
    for (;;) {
      const pids = this.pids(victim);
      if (pids.length > 0 || (victim === 'importer' && Date.now() > until)) return pids;
      if (Date.now() > until) throw new Error(`${victim} does not run:\n${this.engineLog()}`);
      await sleep(POLL_MS);
    }
  }

  /** Last lines of the engine's log, which is removed with the engine. */
  private engineLog(): string {
    const log = readFileSync(enginePaths(this.engine.stateDir).log('engine'), 'utf8');
    return log.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
  }

  private pids(victim: Victim): number[] {
    switch (victim) {
      case 'importer':
        return this.inPods('importer.cjs').slice(0, 1);
      case 'virt-launcher':
        return this.inPods('virt-launcher.cjs');
      case 'guest':
        return this.inPods('qemu', 'guest=');
      default:
        try {
          return [this.engine.componentPid(victim)];
        } catch {
          return [];
        }
    }
  }

  /** Processes of this engine's Pods. Other engines of the machine have their own cgroups. */
  private inPods(...words: string[]): number[] {
    const { id } = enginePaths(this.engine.stateDir);
    return this.engine.pids(...words).filter((pid) => cgroupOf(pid).includes(`virt8s-${id}`));
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended in this moment
  }
}

/** Repeats what fails while programs are killed. */
export const insist = <T>(attempt: () => Promise<T>, limitMs = 600_000): Promise<T> =>
  eventually(limitMs, attempt, 500);
