import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
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
  let size: { columns: number; rows: number } | undefined;
  const resize = (): void => {
    if (size && options.tty) void setSize(pidFile, size.columns, size.rows);
  };
  const streams = new StreamSocket(socket, {
    stdin: options.stdin ? (child.stdin ?? undefined) : undefined,
    // a terminal ends its input only with ^D
    stdinEnd: () => (options.tty ? child.stdin?.write('\x04') : child.stdin?.end()),
    resize: (columns, rows) => {
      size = { columns, rows };
      resize();
    },
    closed: () => {
      // child processes of the command may keep the pipes open
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      child.kill('SIGKILL');
      watching?.close();
    },
  });
  child.stdin?.on('error', () => undefined);
  // apply a size that arrived before the process started
  const watching = options.tty ? watchOnce(pidFile, resize) : undefined;
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

/** Sets the terminal size of a process in a container; the kernel signals its foreground processes. */
async function setSize(pidFile: string, columns: number, rows: number): Promise<void> {
  const pid = await readPid(pidFile);
  if (pid) await attempt('stty', ['-F', `/proc/${pid}/fd/0`, 'rows', String(rows), 'cols', String(columns)]);
}

/** Calls back when a file is created. */
function watchOnce(path: string, act: () => void): FSWatcher {
  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== basename(path) || !existsSync(path)) return;
    watcher.close();
    act();
  });
  watcher.on('error', () => watcher.close());
  setTimeout(() => watcher.close(), 10_000).unref();
  return watcher;
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
