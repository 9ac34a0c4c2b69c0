import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { confinement } from './seccomp';

/** Files that a confined program may use, besides the system's programs and libraries. */
export interface Confinement {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** Largest file in bytes that it may write. */
  readonly mostBytes: number;
  /** Seconds of processor time. */
  readonly cpuSeconds: number;
  readonly signal?: AbortSignal;
}

/** Address space of qemu-img, whose stacks and caches are mapped and hardly used. */
const ADDRESS_SPACE = 2 << 30;
const MOST_OUTPUT = 256 << 10;

export class ConfinedError extends Error {
  public constructor(
    public readonly program: string,
    public readonly how: string,
    public readonly output: string,
  ) {
    super(`${program} ${how}${output ? `: ${output}` : ''}`);
  }
}

/** A confined program that runs. */
export interface Confined {
  /** Its standard input. */
  readonly input: Writable;
  readonly stdout: Readable;
  /** Its descriptor 3: a connected socket. */
  readonly socket: Duplex;
  /** Rejects with ConfinedError unless the program succeeds. */
  readonly ended: Promise<void>;
  kill(): void;
}

/** Starts programs that read untrusted images. */
export class Confiner {
  private constructor(
    private readonly filter: string,
    private readonly hasLandlock: boolean,
  ) {}

  /** Writes the seccomp filter into a folder, and asks whether the kernel restricts files: before Linux 5.13 it does not. */
  public static async create(folder: string): Promise<Confiner> {
    const filter = join(folder, 'confinement.bpf');
    await writeFile(filter, confinement(process.arch));
    const probe = new Confiner(filter, true).start(['prlimit', '--version'], { mostBytes: 0, cpuSeconds: 10 });
    probe.stdout.resume();
    return new Confiner(
      filter,
      await probe.ended.then(
        () => true,
        () => false,
      ),
    );
  }

  /** Starts a program without new privileges, sockets and other files, with limits on memory, processor time and output. */
  public start([program = '', ...args]: readonly string[], limits: Confinement): Confined {
    const command = [
      ...[
        'prlimit',
        `--as=${ADDRESS_SPACE}`,
        `--cpu=${limits.cpuSeconds}`,
        `--fsize=${limits.mostBytes}`,
        '--core=0',
        '--',
      ],
      ...['setpriv', '--no-new-privs', ...this.landlock(limits), '--seccomp-filter', this.filter, '--'],
      ...[program, ...args],
    ];
    // no variable is passed: some are credentials of the source
    const child = spawn(command[0]!, command.slice(1), {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      signal: limits.signal,
      killSignal: 'SIGKILL',
    });
    const [input, stdout, , socket] = child.stdio as unknown as [Writable, Readable, null, Duplex];
    // a program that ends early is reported by its exit code
    for (const stream of [input, socket]) stream.on('error', () => undefined);
    // 'close' is not emitted while the socket has bytes that nobody reads
    child.on('exit', () => socket.destroy());
    return { input, stdout, socket, ended: endOf(child, program), kill: () => child.kill('SIGKILL') };
  }

  private landlock({ reads = [], writes = [] }: Confinement): string[] {
    if (!this.hasLandlock) return [];
    const rules = [
      'execute,read-file,read-dir:/usr',
      'read-file,write-file:/dev/null',
      ...[this.filter, ...reads].map((path) => `read-file:${path}`),
      ...writes.map((path) => `read-file,write-file,truncate:${path}`),
    ];
    return ['--landlock-access', 'fs', ...rules.flatMap((rule) => ['--landlock-rule', `path-beneath:${rule}`])];
  }
}

/** Standard output of a program, up to a limit, after its success. */
export async function outputOf({ input, stdout, ended }: Confined): Promise<string> {
  input.end();
  const chunks: Buffer[] = [];
  let size = 0;
  stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_OUTPUT) chunks.push(chunk);
  });
  await ended;
  return Buffer.concat(chunks).toString();
}

function endOf(child: ChildProcess, program: string): Promise<void> {
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    if (said.length < MOST_OUTPUT) said += chunk.toString();
  });
  const ended = new Promise<void>((resolve, reject) => {
    const fail = (how: string): void => reject(new ConfinedError(program, how, said.trim().slice(-600)));
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else fail(signal ? `was ended by ${signal}` : `failed (${code})`);
    });
  });
  ended.catch(() => undefined);
  return ended;
}
