import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import type { WebSocket } from 'ws';
import { attempt } from '../host/command';
import type { ContainerRuntime } from '../runtime/crun';
import { CHANNEL, exitStatus, failureStatus, StreamSocket } from './channels';

export interface ExecOptions {
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Runs a command in a container for one client. */
export function exec(runtime: ContainerRuntime, id: string, options: ExecOptions, socket: WebSocket): void {
  const child = start(runtime, id, options);
  let size: { columns: number; rows: number } | undefined;
  const resize = (): void => {
    if (size && options.tty && child.pid) void setSize(child.pid, size.columns, size.rows);
  };
  const streams = new StreamSocket(socket, {
    stdin: (data) => {
      if (options.stdin) child.stdin?.write(data);
    },
    // a terminal has no end of input but ^D
    stdinEnd: () => (options.tty ? child.stdin?.write('\x04') : child.stdin?.end()),
    resize: (columns, rows) => {
      size = { columns, rows };
      resize();
    },
    closed: () => {
      child.stdin?.destroy();
      child.kill('SIGKILL');
    },
  });
  child.stdin?.on('error', () => undefined);
  // the terminal exists once something was written on it; a size that came earlier is set then
  child.stdout?.once('data', resize);
  if (!options.stdin) child.stdin?.end();
  const pumps = [
    options.stdout ? pump(child.stdout, (data) => streams.send(CHANNEL.stdout, data)) : drop(child.stdout),
    options.stderr && !options.tty
      ? pump(child.stderr, (data) => streams.send(CHANNEL.stderr, data))
      : drop(child.stderr),
  ];
  child.on('error', (error) => void streams.finish(failureStatus(error.message)));
  child.on('exit', (code) => void Promise.all(pumps).then(() => streams.finish(exitStatus(code ?? 137))));
}

/**
 * crun wants a real terminal for `--tty`; script(1), which every Debian has, makes one. crun sets it raw, copies between
 * it and the container's, and follows changes of its size.
 */
function start(runtime: ContainerRuntime, id: string, { command, tty }: ExecOptions): ChildProcess {
  const args = runtime.execArgs(id, command, { tty });
  if (!tty) return spawn('crun', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const line = ['exec', 'crun', ...args].map((part) => `'${part.replaceAll("'", `'\\''`)}'`).join(' ');
  return spawn('script', ['--quiet', '--return', '--command', line.replace(/^'exec'/, 'exec'), '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, SHELL: '/bin/sh' },
  });
}

/** Sets the size of the terminal that script(1) has made: that of its child. */
async function setSize(script: number, columns: number, rows: number): Promise<void> {
  const terminal = childrenOf(script).map(terminalOf).find(Boolean);
  if (terminal) await attempt('stty', ['-F', terminal, 'rows', String(rows), 'cols', String(columns)]);
}

function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

function terminalOf(pid: string): string | undefined {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/0`);
    return target.startsWith('/dev/pts/') ? target : undefined;
  } catch {
    return undefined;
  }
}

async function pump(stream: NodeJS.ReadableStream | null, send: (data: Buffer) => Promise<void>): Promise<void> {
  try {
    for await (const data of stream ?? []) await send(data as Buffer);
  } catch {
    // the process or the client has gone
  }
}

async function drop(stream: NodeJS.ReadableStream | null): Promise<void> {
  stream?.resume();
}
