import { readFileSync } from 'node:fs';
import { enginePaths } from '../../../src/local/engine/paths';
import { commandLine, eventually, sleep, type TestEngine } from '../engine';
import { PATIENCE_MS } from '../patience';
import type { Kill, Victim } from './schedule';

const POLL_MS = 20;
const LOG_LINES = 40;
/** An importer runs only while a disk is filled. */
const IMPORTER_MS = 30_000;

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
    const until = Date.now() + (victim === 'importer' ? IMPORTER_MS : PATIENCE_MS);
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
        return this.engine.pids('importer.cjs').slice(0, 1);
      case 'virt-launcher':
        return this.engine.pids('virt-launcher.cjs');
      case 'libvirtd':
        // not its supervisor
        return this.engine.pids('libvirtd').filter((pid) => commandLine(pid).startsWith('libvirtd'));
      case 'guest':
        return this.engine.pids('qemu', 'guest=');
      default:
        try {
          return [this.engine.componentPid(victim)];
        } catch {
          return [];
        }
    }
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
export const insist = <T>(attempt: () => Promise<T>): Promise<T> => eventually(attempt, { everyMs: 500 });
