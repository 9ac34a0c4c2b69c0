import { join, resolve } from 'node:path';
import { defaultStateDir, down, status, up } from '../local/engine';
import { CliError, messageOf } from './errors';
import { programsFolder } from './programs';

/** `virt8s up` */
export async function runUp(flags: { stateDir?: string; port?: number; quiet?: boolean }): Promise<void> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const started = Date.now();
  const print = (text: string): void => {
    if (!flags.quiet) console.log(text);
  };
  try {
    const { url, kubeconfig, already } = await up({
      stateDir: flags.stateDir && resolve(flags.stateDir),
      port: flags.port,
      program: join(programsFolder(), 'engine.cjs'),
      signal: stop.signal,
      onStep: (step) => print(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${step}`),
    });
    print(already ? `the engine is already up at ${url}` : `the engine is up at ${url}`);
    print(`use it with: export KUBECONFIG=${kubeconfig}`);
  } catch (error) {
    if (stop.signal.aborted) throw new CliError('interrupted', 130);
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
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
