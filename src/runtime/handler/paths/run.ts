import { spawn } from 'node:child_process';

export interface RunOptions {
  /** Written to stdin. */
  readonly input?: string;
  /** Descriptors that the child inherits as 3, 4 … */
  readonly fds?: readonly number[];
  /** @default 10,000 */
  readonly timeoutMs?: number;
}

/** A program failed: the command, its exit status and its output. */
export class CommandError extends Error {
  public constructor(
    command: string,
    public readonly code: number | null,
    how: string,
    public readonly stderr: string,
  ) {
    super(`${command} ${how}${stderr.trim() ? `: ${stderr.trim().slice(0, 500)}` : ''}`);
    this.name = 'CommandError';
  }
}

const MAX_OUTPUT_BYTES = 1 << 20;

/** mount(2) resolves a target in /proc/self/fd to the opened path; move_mount(2), which mount ≥ 2.39 prefers, does not. */
const environment = { ...process.env, LIBMOUNT_FORCE_MOUNT2: 'always' };

/** Runs a program without a shell; resolves with its stdout, or throws a CommandError. Kills it after the timeout. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { input = '', fds = [], timeoutMs = 10_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe', ...fds], env: environment });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) into.push(chunk);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout!.on('data', collect(out));
    child.stderr!.on('data', collect(err));
    child.stdin!.on('error', () => {}); // the program may exit without reading all of it
    child.stdin!.end(input);
    const shown = [command, ...args].join(' ');
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const missing = error.code === 'ENOENT';
      reject(missing ? new Error(`${command} is not installed on this node; install its package`) : error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(Buffer.concat(out).toString());
      const how = timedOut ? `did not end within ${timeoutMs} ms` : signal ? `died of ${signal}` : `failed (${code})`;
      reject(new CommandError(shown, code, how, Buffer.concat(err).toString()));
    });
  });
}
