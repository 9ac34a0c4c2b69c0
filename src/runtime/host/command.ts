import { spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';

export interface CommandOptions {
  /** Written to standard input, which is then closed. */
  readonly input?: string | Buffer;
  readonly cwd?: string;
  /** Killed after this time; 0 means never. Default: 60 s. */
  readonly timeoutMs?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Kills the program when it aborts. */
  readonly signal?: AbortSignal;
  /** Exit codes that count as success. Default: only 0. */
  readonly allow?: readonly number[] | 'any';
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Error of a missing or failed program. Its message contains the command and its last output. */
export class CommandError extends Error {
  public override readonly name = 'CommandError';
  public constructor(
    public readonly command: readonly string[],
    public readonly code: number | string,
    public readonly stderr: string,
  ) {
    super(`${command.slice(0, 12).join(' ')}: ${explain(command[0] ?? '', code, stderr)}`);
  }
}

function explain(program: string, code: number | string, stderr: string): string {
  if (code === 'ENOENT') return `not found; install the package that contains "${program}"`;
  const said = stderr.trim().slice(-600);
  return said || (typeof code === 'string' ? code : `exit code ${code}`);
}

/** Runs a program and waits for its end. Output beyond 4 MiB is dropped. */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const command = [program, ...args];
  const stdio: StdioOptions = [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
  return new Promise((resolve, reject) => {
    const { cwd, signal } = options;
    const child = spawn(program, args, { cwd, env: options.env ?? process.env, stdio, signal, killSignal: 'SIGKILL' });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const timeoutMs = options.timeoutMs ?? 60_000;
    let late = false;
    const timer = timeoutMs
      ? setTimeout(() => {
          late = true;
          child.kill('SIGKILL');
        }, timeoutMs)
      : undefined;
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(new CommandError(command, error.code ?? 'error', error.message));
    });
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      const code = status ?? 128;
      const allowed = options.allow === 'any' || (options.allow ?? [0]).includes(code);
      if (late) reject(new CommandError(command, 'timeout', `did not end within ${timeoutMs} ms`));
      else if (signal && options.allow !== 'any')
        reject(new CommandError(command, signal, `ended by ${signal}: ${stderr()}`));
      else if (!allowed) reject(new CommandError(command, code, stderr() || stdout()));
      else resolve({ code, stdout: stdout(), stderr: stderr() });
    });
    // if a program ends without reading its input, its exit code decides
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

/** Like `run`, but returns a failure instead of throwing: for clean-up of things that may not exist. */
export async function attempt(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  try {
    return await run(program, args, { ...options, allow: 'any' });
  } catch (error) {
    return { code: 127, stdout: '', stderr: (error as Error).message };
  }
}

function collect(stream: NodeJS.ReadableStream | null, limit = 4 << 20): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size < limit) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
