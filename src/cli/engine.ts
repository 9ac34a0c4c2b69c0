import { join, resolve } from 'node:path';
import { backup, defaultStateDir, down, restore, status, untilEnded, up } from '../local/engine';
import { CliError, messageOf } from './errors';
import { ensureImages } from './images/ensure';
import { programsFolder } from './programs';

export interface UpFlags {
  readonly stateDir?: string;
  readonly port?: number;
  readonly nodes?: number;
  readonly ingressHttpPort?: number;
  readonly ingressHttpsPort?: number;
  readonly bare?: boolean;
  readonly install?: boolean;
  readonly foreground?: boolean;
  readonly quiet?: boolean;
}

/** Time without an engine after which `up --foreground` ends: another version may be replacing it. */
const REPLACED_WITHIN_MS = 30_000;

/** `virt8s up` */
export async function runUp(flags: UpFlags): Promise<void> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const started = Date.now();
  const print = (text: string): void => {
    if (!flags.quiet) console.log(text);
  };
  const onStep = (step: string): void => print(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${step}`);
  try {
    // without root, the engine's own check explains more
    if (!flags.bare && process.getuid?.() === 0) {
      await ensureImages({ install: flags.install ?? false, onStep });
    }
    const { url, kubeconfig, already } = await up({
      stateDir: flags.stateDir && resolve(flags.stateDir),
      port: flags.port,
      nodes: flags.nodes,
      ingressPorts: { http: flags.ingressHttpPort, https: flags.ingressHttpsPort },
      bare: flags.bare,
      install: flags.install,
      program: join(programsFolder(), 'engine.cjs'),
      signal: stop.signal,
      onStep,
    });
    print(already ? `the engine is already up at ${url}` : `the engine is up at ${url}`);
    print(`use it with: export KUBECONFIG=${kubeconfig}`);
    if (flags.foreground) await stay(flags, stop.signal);
  } catch (error) {
    if (stop.signal.aborted && !(error instanceof CliError)) throw new CliError('interrupted', 130);
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** Waits for the end of the engine, or stops it on a signal. */
async function stay({ stateDir, quiet }: UpFlags, signal: AbortSignal): Promise<void> {
  await untilEnded({ stateDir: stateDir && resolve(stateDir), graceMs: REPLACED_WITHIN_MS, signal });
  if (!signal.aborted) throw new CliError('the engine ended; see its log in the state folder');
  await runDown({ stateDir, keepState: true, quiet });
}

/** `virt8s status` */
export async function runStatus(flags: { stateDir?: string; output?: string; quiet?: boolean }): Promise<void> {
  if (flags.output && flags.output !== 'json')
    throw new CliError(`--output "${flags.output}" is unknown (allowed: json)`);
  const found = status({ stateDir: flags.stateDir });
  if (!found.running) process.exitCode = 1;
  if (flags.quiet) return;
  if (flags.output) console.log(JSON.stringify(found, undefined, 2));
  else if (found.running) {
    console.log(`up        ${found.record?.url} (PID ${found.record?.pid}, since ${found.record?.startedAt})`);
    console.log(`node      ${found.record?.node}`);
    console.log(`state     ${found.stateDir}`);
    console.log(`use with  export KUBECONFIG=${found.kubeconfig}`);
  } else console.log(`down      ${found.stateDir}`);
}

/** `virt8s down` */
export async function runDown(flags: { stateDir?: string; keepState?: boolean; quiet?: boolean }): Promise<void> {
  try {
    await down({ stateDir: flags.stateDir && resolve(flags.stateDir), keepState: flags.keepState });
  } catch (error) {
    throw new CliError(`the engine was not removed completely: ${messageOf(error)}; run it again`);
  }
  if (!flags.quiet) console.log(`the engine of ${flags.stateDir ?? defaultStateDir()} is down`);
}

/** `virt8s backup` */
export async function runBackup(file: string, flags: { stateDir?: string; data?: boolean }): Promise<void> {
  await backup({ file, stateDir: flags.stateDir && resolve(flags.stateDir), data: flags.data });
  console.log(`the backup is ${resolve(file)}`);
}

/** `virt8s restore` */
export async function runRestore(file: string, flags: { stateDir?: string }): Promise<void> {
  await restore({ file, stateDir: flags.stateDir && resolve(flags.stateDir) });
  console.log('the backup is restored; start the engine with: virt8s up');
}
