import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildIdOf } from './build-id';
import { installPackages, missingCommands } from './debian';
import { defaultStateDir, enginePaths, type EnginePaths } from './paths';
import { readNodes } from './nodes/node-config';
import { inMountNamespace } from './mount-namespace';
import { nodeMemoryEnv, nodeMemoryFlags } from './node-memory-flags';
import { preflight } from './preflight';
import type { Progress } from './progress';
import { isAlive, isBare, killedEnded, readRecord, type EngineRecord } from './record';
import { destroy } from './destroy';

export { backup, restore } from './backup';
export { installPackages } from './debian';
export { ENGINE_IMAGES, launcherImage } from './images';
export { defaultStateDir } from './paths';
export { changeNode, listNodes, pastOf } from './nodes/control';
export type { NodeAction, NodeState } from './nodes/control';

export interface UpOptions {
  /** Default: `/var/lib/virt8s`, or `VIRT8S_STATE_DIR`. */
  readonly stateDir?: string;
  /** Number of nodes on this machine. Default: that of the last start, or 1. */
  readonly nodes?: number;
  /** Whether to start without the platform's definitions and components. Default: as at the last start. */
  readonly bare?: boolean;
  /**
   * Port of the API server on 127.0.0.1, or 0 to take that of the last start or a free one. Default: that of the last
   * start, or 7443.
   */
  readonly port?: number;
  /** Ports for Ingresses. Default: those of the last start, or 80 and 443, or 10080 and 10443 if these are in use. */
  readonly ingressPorts?: { readonly http?: number; readonly https?: number };
  /** Whether to install missing Debian packages. Default: false. */
  readonly install?: boolean;
  /** Engine program: build/engine.cjs. */
  readonly program: string;
  readonly signal?: AbortSignal;
  readonly onStep?: (step: string) => void;
}

export interface UpResult {
  readonly url: string;
  readonly kubeconfig: string;
  /** Whether an engine was already running, so that nothing was done. */
  readonly already: boolean;
}

const defaultPort = 7443;

/**
 * Starts or resumes the engine of a state directory. Adopts the processes that a crash left running.
 * Returns when all components respond. Throws one error with a remedy.
 */
export async function up(options: UpOptions): Promise<UpResult> {
  const paths = enginePaths(options.stateDir ?? defaultStateDir());
  const running = readRecord(paths.record);
  await killedEnded(running);
  const bare = isBare(options.bare, running, paths.stateDir);
  if (isAlive(running) && running.ready) {
    const count = readNodes(paths.stateDir).length + 1;
    if (options.nodes !== undefined && options.nodes !== count) {
      throw new Error(
        `the engine is up with ${count} ${count === 1 ? 'node' : 'nodes'}; stop it with virt8s down --keep-state, then run: virt8s up --nodes ${options.nodes}`,
      );
    }
    if (running.build === buildIdOf(dirname(options.program))) {
      return { url: running.url!, kubeconfig: paths.kubeconfig, already: true };
    }
    options.onStep?.('replacing the engine of another version; virtual machines keep running');
    await stopEngine(paths);
  } else if (isAlive(running))
    throw new Error(`another engine is starting (PID ${running.pid}); wait, or run: virt8s down`);
  const port = options.port || (portOf(running) ?? options.port ?? defaultPort);
  if (options.install) {
    const { packages } = missingCommands(undefined, true);
    if (packages.length > 0) {
      options.onStep?.(`Debian packages: ${packages.join(' ')}`);
      await installPackages(packages);
    }
  }
  await preflight(paths.stateDir, port);
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 });

  const node = process.execPath;
  const flags = ['--state-dir', paths.stateDir, '--port', String(port), '--node-name', nodeName()];
  if (bare) flags.push('--bare');
  if (options.nodes !== undefined) flags.push('--nodes', String(options.nodes));
  for (const name of ['http', 'https'] as const) {
    const chosen = options.ingressPorts?.[name] ?? running?.ingressPorts?.[name];
    if (chosen !== undefined) flags.push(`--ingress-${name}-port`, String(chosen));
  }
  const program = [node, ...nodeMemoryFlags, options.program, ...flags];
  const kubeletDir = bare ? join(paths.nodeDir(nodeName()), 'kubelet') : undefined;
  const [command, ...args] = inMountNamespace(paths.stateDir, program, kubeletDir);
  const log = openSync(paths.log('engine'), 'a', 0o600);
  const env = { ...process.env, ...nodeMemoryEnv };
  const child = spawn(command!, args, { detached: true, stdio: ['ignore', log, log, 'pipe'], cwd: '/', env });
  closeSync(log);
  const pipe = child.stdio[3] as NodeJS.ReadableStream;
  const abort = (): void => void child.kill('SIGTERM');
  options.signal?.addEventListener('abort', abort);
  try {
    let last = 'starting';
    for await (const line of createInterface({ input: pipe })) {
      const progress = JSON.parse(line) as Progress;
      if ('error' in progress) throw new Error(progress.error);
      if ('ready' in progress) return { ...progress.ready, already: false };
      last = progress.step;
      options.onStep?.(last);
    }
    if (options.signal?.aborted) throw new Error('interrupted');
    throw new Error(`the engine ended while ${last}; see ${paths.log('engine')}:\n${tail(paths.log('engine'))}`);
  } finally {
    options.signal?.removeEventListener('abort', abort);
    pipe.removeAllListeners();
    (pipe as unknown as { destroy(): void }).destroy();
    child.unref();
  }
}

/** Resolves when no engine of the state directory has run for `graceMs`, the time in which another version may replace it. */
export async function untilEnded(options: { stateDir?: string; graceMs: number; signal: AbortSignal }): Promise<void> {
  const paths = enginePaths(options.stateDir ?? defaultStateDir());
  let seen = Date.now();
  while (!options.signal.aborted && Date.now() - seen < options.graceMs) {
    if (isAlive(readRecord(paths.record))) seen = Date.now();
    await sleep(1_000, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

export interface EngineStatus {
  readonly stateDir: string;
  readonly running: boolean;
  readonly record?: EngineRecord;
  readonly kubeconfig: string;
}

export function status(options: { stateDir?: string } = {}): EngineStatus {
  const paths = enginePaths(options.stateDir ?? defaultStateDir());
  const record = readRecord(paths.record);
  const running = isAlive(record) && record.ready;
  return { stateDir: paths.stateDir, running, ...(record ? { record } : {}), kubeconfig: paths.kubeconfig };
}

export interface DownOptions {
  readonly stateDir?: string;
  /** Whether to keep the stored objects and disks: the next `up` starts the virtual machines again. Default: false. */
  readonly keepState?: boolean;
}

/** Stops the engine and everything that it started, in any state, also after a crash. Idempotent. */
export async function down(options: DownOptions = {}): Promise<void> {
  const paths = enginePaths(options.stateDir ?? defaultStateDir());
  await stopEngine(paths);
  await destroy(paths);
  // the kept record contains the port for the next `up`
  if (!options.keepState) removeState(paths.stateDir);
}

/** A state directory that is a mount point is emptied but not removed. */
function removeState(dir: string): void {
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true, force: true });
  try {
    rmdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
  }
}

async function stopEngine(paths: EnginePaths): Promise<void> {
  const record = readRecord(paths.record);
  const graceMs = 10_000;
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', graceMs],
  ] as const) {
    if (!isAlive(record)) break;
    process.kill(record.pid, signal);
    for (const until = Date.now() + waitMs; isAlive(record) && Date.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  // what it made is removed in any case
  await killedEnded(record, graceMs).catch(() => undefined);
}

/** Node names are DNS labels. */
function nodeName(): string {
  return (
    hostname()
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 63) || 'virt8s'
  );
}

function portOf(record: EngineRecord | undefined): number | undefined {
  return record?.url ? Number(new URL(record.url).port) : undefined;
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}
