import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** Program that the engine keeps running. */
export interface Component {
  readonly name: string;
  /** Command line; a function is called at each start. */
  readonly argv: readonly string[] | (() => readonly string[]);
  readonly env?: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Signal that the component gets when the engine ends. Default: TERM. */
  readonly endWithEngine?: 'TERM' | 'KILL';
}

const firstBackoffMs = 100;
const maxBackoffMs = 5_000;
/** Run time after which the backoff of a component is reset. */
const stableMs = 10_000;

/**
 * Keeps components running: restarts them with backoff. They end with the engine (PDEATHSIG), also when it is
 * killed; `up` then starts them again. Virtual machines are not their children and keep running.
 */
export class Supervisor {
  private readonly children = new Map<string, ChildProcess>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopping = false;

  public constructor(private readonly report: (line: string) => void) {}

  public start(component: Component, backoffMs = firstBackoffMs): void {
    if (this.stopping) return;
    // appending, so that log-limit.ts can empty the file while the component writes to it
    const log = openSync(component.logFile, 'a', 0o600);
    const startedAt = Date.now();
    const argv = typeof component.argv === 'function' ? component.argv() : component.argv;
    const child = spawn('setpriv', ['--pdeathsig', component.endWithEngine ?? 'TERM', '--', ...argv], {
      stdio: ['ignore', log, log],
      env: component.env ?? process.env,
    });
    closeSync(log);
    this.children.set(component.name, child);
    child.once('error', (error) => this.report(`${component.name} cannot be started: ${error.message}`));
    child.once('close', (code, signal) => {
      if (this.children.get(component.name) === child) this.children.delete(component.name);
      if (this.stopping) return;
      const wait = Date.now() - startedAt > stableMs ? firstBackoffMs : backoffMs;
      this.report(`${component.name} ended (${signal ?? `exit code ${code}`}); starting it again in ${wait} ms`);
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        this.start(component, Math.min(wait * 2, maxBackoffMs));
      }, wait);
      this.timers.add(timer);
    });
  }

  /** Sends SIGTERM to all components, and SIGKILL after `graceMs`. */
  public async stop(graceMs = 3_000): Promise<void> {
    this.stopping = true;
    for (const timer of this.timers) clearTimeout(timer);
    const ended = [...this.children.values()].map(
      (child) =>
        new Promise<void>((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) return resolve();
          const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
          child.once('close', () => {
            clearTimeout(timer);
            resolve();
          });
          child.kill('SIGTERM');
        }),
    );
    await Promise.all(ended);
  }
}
