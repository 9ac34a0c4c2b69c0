import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { attempt } from '../../../runtime/host/command';
import { readPid } from '../runtime/crun';
import type { ContainerRuntime } from '../runtime/crun';
import { writeExecProcess } from '../runtime/exec-process';
import { CHANNEL, exitStatus, failureStatus, StreamSocket } from './channels';

export interface ExecOptions {
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Runs a command in a container for a client. */
export function exec(
  runtime: ContainerRuntime,
  bundle: string,
  id: string,
  options: ExecOptions,
  socket: WebSocket,
): void {
  const processFile = writeExecProcess(bundle, options.command, options.tty);
  const pidFile = `${processFile}.pid`;
  const child = options.tty
    ? startWithTerminal(runtime.execArgs(id, processFile, pidFile))
    : spawn('crun', runtime.execArgs(id, processFile), { stdio: ['pipe', 'pipe', 'pipe'], env: process.env });
  child.on('close', () => {
    for (const file of [processFile, pidFile]) rmSync(file, { force: true });
  });
  let resizing = new AbortController();
  const streams = new StreamSocket(socket, {
    stdin: options.stdin ? (child.stdin ?? undefined) : undefined,
    // a terminal ends its input only with ^D
    stdinEnd: () => (options.tty ? child.stdin?.write('\x04') : child.stdin?.end()),
    resize: (columns, rows) => {
      resizing.abort();
      resizing = new AbortController();
      if (options.tty) void setSize(pidFile, { columns, rows }, resizing.signal);
    },
    closed: () => {
      // child processes of the command may keep the pipes open
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      child.kill('SIGKILL');
      resizing.abort();
    },
  });
  child.stdin?.on('error', () => undefined);
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
 * crun requires a real terminal for a process with a terminal; script(1), part of every Debian, creates one. crun sets it
 * to raw mode, copies between it and the container's terminal, and follows changes of its size.
 */
function startWithTerminal(args: readonly string[]): ChildProcess {
  const line = ['exec crun', ...args.map((part) => `'${part.replaceAll("'", `'\\''`)}'`)].join(' ');
  return spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, SHELL: '/bin/sh' },
  });
}

/**
 * Sets the terminal size of a process in a container; the kernel signals its foreground processes. A size often arrives
 * before the process has its terminal: until then, its standard input is the terminal of script(1).
 */
async function setSize(
  pidFile: string,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  signal: AbortSignal,
): Promise<void> {
  for (; !signal.aborted; await sleep(20)) {
    const pid = await readPid(pidFile);
    if (!pid || !(await hasOwnTerminal(pid))) continue;
    await attempt('stty', ['-F', `/proc/${pid}/fd/0`, 'rows', String(rows), 'cols', String(columns)]);
    return;
  }
}

/** Whether the standard input of a process is on another file system than the terminals of this host. */
async function hasOwnTerminal(pid: number): Promise<boolean> {
  const [own, host] = await Promise.all([stat(`/proc/${pid}/fd/0`).catch(() => undefined), stat('/dev/pts')]);
  return own !== undefined && own.dev !== host.dev;
}

async function pump(stream: NodeJS.ReadableStream | null, send: (data: Buffer) => Promise<void>): Promise<void> {
  try {
    for await (const data of stream ?? []) await send(data as Buffer);
  } catch {
    // the process has ended or the client has disconnected
  }
}

async function drop(stream: NodeJS.ReadableStream | null): Promise<void> {
  stream?.resume();
}
