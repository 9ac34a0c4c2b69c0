import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, CommandError, run } from '../../../runtime/host/command';
import type { CommandResult } from '../../../runtime/host/command';
import { writeExecProcess } from './exec-process';

export interface RuntimeOptions {
  /** State of crun: `<node>/crun`. */
  readonly root: string;
  /** conmon writes `<exits>/<id>` with the exit code when a container ends. */
  readonly exitsDir: string;
  /** conmon needs short paths for its attach sockets: `<node>/attach`. */
  readonly socketsDir: string;
}

export interface CreateOptions {
  readonly bundle: string;
  readonly logPath: string;
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** Identity of a running process: its PID alone is not unique over time. */
export interface ProcessId {
  readonly pid: number;
  /** Start time, field 22 of /proc/<pid>/stat: PIDs are reused, start times are not. */
  readonly startTime: string;
}

/** Size at which conmon truncates a log; the node rotates it much earlier. */
const LOG_LIMIT = 64 << 20;
const CREATE_TIMEOUT_MS = 60_000;

/** Runs containers with crun, each under a conmon, which keeps log and exit code if the engine is killed. */
export class ContainerRuntime {
  public constructor(private readonly options: RuntimeOptions) {}

  /** Creates a container from its bundle; returns its first process, which waits for `start`. */
  public async create(id: string, options: CreateOptions): Promise<ProcessId> {
    const { bundle, logPath, stdin, tty } = options;
    const args = [
      '--api-version=1',
      `--cid=${id}`,
      `--cuuid=${id}`,
      `--name=${id}`,
      `--runtime=${findProgram('crun')}`,
      `--runtime-arg=--root=${this.options.root}`,
      `--bundle=${bundle}`,
      `--container-pidfile=${join(bundle, 'container.pid')}`,
      `--conmon-pidfile=${join(bundle, 'conmon.pid')}`,
      `--log-path=k8s-file:${logPath}`,
      `--log-size-max=${LOG_LIMIT}`,
      `--exit-dir=${this.options.exitsDir}`,
      `--socket-dir-path=${this.options.socketsDir}`,
      `--persist-dir=${bundle}`,
      '--no-sync-log',
      '--no-new-keyring',
      '--log-level=error',
      ...(stdin ? ['--stdin', '--leave-stdin-open'] : []),
      ...(tty ? ['--terminal'] : []),
    ];
    const pid = await this.conmon(args, bundle);
    return processOf(pid);
  }

  public async start(id: string): Promise<void> {
    await this.crun(['start', id]);
  }

  /** State `created`, `running` or `stopped`; undefined for an unknown container. */
  public async state(id: string): Promise<string | undefined> {
    const { code, stdout } = await attempt('crun', [`--root=${this.options.root}`, 'state', id]);
    return code === 0 ? (JSON.parse(stdout) as { status?: string }).status : undefined;
  }

  /** Kills all processes of a container and deletes it; ignores a missing container. */
  public async delete(id: string): Promise<void> {
    const { code, stderr } = await attempt('crun', [`--root=${this.options.root}`, 'delete', '--force', id]);
    if (code !== 0 && !/does not exist|No such file or directory/.test(stderr)) {
      throw new CommandError(['crun', 'delete', id], code, stderr);
    }
  }

  /** Runs a command in a container with the settings of its main process, and waits for its end. */
  public async exec(id: string, bundle: string, command: readonly string[], timeoutMs: number): Promise<CommandResult> {
    const processFile = writeExecProcess(bundle, command);
    try {
      return await run('crun', this.execArgs(id, processFile), { timeoutMs, allow: 'any' });
    } finally {
      rmSync(processFile, { force: true });
    }
  }

  /** Arguments of `crun exec`, for callers that connect its streams. */
  public execArgs(id: string, processFile: string, pidFile?: string): string[] {
    const pid = pidFile ? [`--pid-file=${pidFile}`] : [];
    return [`--root=${this.options.root}`, 'exec', `--process=${processFile}`, ...pid, id];
  }

  /** Ids of all containers of crun, in any state. */
  public async list(): Promise<string[]> {
    const { stdout } = await attempt('crun', [`--root=${this.options.root}`, 'list', '--quiet']);
    return stdout.split('\n').filter(Boolean);
  }

  private crun(args: readonly string[]): Promise<CommandResult> {
    return run('crun', [`--root=${this.options.root}`, ...args]);
  }

  /** Reads conmon's report from an inherited pipe: the PID of the container, or the error. */
  private conmon(args: string[], cwd: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = spawn('conmon', args, {
        cwd,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, _OCI_SYNCPIPE: '3' },
      });
      const pipe = child.stdio[3] as NodeJS.ReadableStream & { destroy(): void };
      let text = '';
      let complaint = '';
      child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString('utf8')));
      let settled = false;
      const settle = (act: () => void): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        pipe.destroy();
        child.stderr?.destroy();
        act();
      };
      const fail = (code: number | string, said: string): void =>
        settle(() => reject(new CommandError(['crun', 'create'], code, said)));
      const timer = setTimeout(() => fail('timeout', 'the container was not created in time'), CREATE_TIMEOUT_MS);
      child.on('error', (error: NodeJS.ErrnoException) =>
        settle(() => reject(new CommandError(['conmon'], error.code ?? 'error', error.message))),
      );
      pipe.on('error', (error: Error) => fail('pipe', error.message));
      pipe.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        if (!text.includes('\n')) return;
        const { data, message } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { data: number; message?: string };
        if (data > 0) settle(() => resolve(data));
        else fail(data, message?.trim() || 'crun reported no error');
      });
      pipe.on('end', () => fail('end', complaint.trim() || text.trim() || 'conmon ended without a report'));
      child.unref();
    });
  }
}

/** Path of a program; conmon requires the path of its runtime. */
function findProgram(name: string): string {
  const found = (process.env.PATH ?? '/usr/bin')
    .split(':')
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));
  if (!found) throw new Error(`"${name}" is not installed; install the Debian package "${name}"`);
  return found;
}

/** Identifies a running process. */
export function processOf(pid: number): ProcessId {
  return { pid, startTime: startTimeOf(pid) ?? '' };
}

/** Whether the process is running and not a zombie. */
export function isAlive(process: ProcessId | undefined): boolean {
  return process !== undefined && process.startTime !== '' && startTimeOf(process.pid) === process.startTime;
}

export function signal(target: ProcessId | undefined, name: NodeJS.Signals): void {
  if (!target || !isAlive(target)) return;
  try {
    process.kill(target.pid, name);
  } catch {
    // the process ended meanwhile
  }
}

function startTimeOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export async function readPid(path: string): Promise<number | undefined> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''));
  return pid > 0 ? pid : undefined;
}
