import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync } from 'node:fs';

const children = new Set<ChildProcess>();

/** Result of a command. */
export interface Ended {
  readonly ok: boolean;
  readonly seconds: number;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** File that gets standard output and error: programs that outlive the command may keep it open, unlike a pipe. */
  readonly log: string;
  /** A command that runs longer hangs: its process group is killed. */
  readonly limitMs: number;
}

/** Runs a command to its end, without an input. */
export async function run(command: readonly string[], { env, log, limitMs }: RunOptions): Promise<Ended> {
  const start = Date.now();
  const [program, ...args] = command;
  const output = openSync(log, 'w');
  const child = spawn(program!, args, { stdio: ['ignore', output, output], env, detached: true });
  closeSync(output);
  children.add(child);
  const timer = setTimeout(() => {
    appendFileSync(log, `\nkilled: it did not end within ${limitMs / 60_000} minutes\n`);
    kill(child, 'SIGKILL');
  }, limitMs);
  let ok = false;
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    ok = code === 0;
  } catch (error) {
    appendFileSync(log, `${program} cannot be started: ${(error as Error).message}\n`);
  }
  clearTimeout(timer);
  children.delete(child);
  return { ok, seconds: Math.round((Date.now() - start) / 1000) };
}

/** Ends all commands that run, with the processes of their groups. Programs under test may ignore SIGTERM. */
export function killAll(): void {
  for (const child of children) kill(child, 'SIGKILL');
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // it ended meanwhile
  }
}
