import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../src/local/engine/cache';
import { newStateDir, TestEngine } from './engine';
import { leftovers } from './kill-run/leftovers';
import { eventually } from './patience';

/** Label of the namespaces of suites. */
const LABEL = 'virt8s-test/suite';
const NOTHING = { claims: [], dataVolumes: [], pods: 0 };
/** Settings of the cluster that a suite may change, and must restore. */
const SETTINGS = [
  ...['kubevirt', 'cdiconfig', 'storageprofile', 'volumesnapshotclass', 'resourcequota', 'clusterrolebinding'],
  ...['virtualmachineclusterinstancetype', 'virtualmachineclusterpreference', 'validatingadmissionpolicy'],
].join(',');

/**
 * An engine with a namespace for one suite. Its kubeconfig names the namespace, so that kubectl, `virt8s` and the client use
 * it. The suites of a worker share the engine in the folder VIRT8S_TEST_SHARED_ENGINE, which the first of them starts and
 * the runner ends; without that variable, each suite has an engine of its own.
 */
export class SuiteEngine extends TestEngine {
  private settings: readonly string[] = [];
  private original: object | undefined;

  private constructor(
    stateDir: string,
    private readonly isShared: boolean,
  ) {
    super(stateDir, cacheDir(), undefined, false, `suite-${randomBytes(3).toString('hex')}`);
  }

  public static async begin(): Promise<SuiteEngine> {
    const shared = process.env.VIRT8S_TEST_SHARED_ENGINE;
    const engine = new SuiteEngine(shared ?? newStateDir(), shared !== undefined);
    await engine.up();
    await engine.open();
    return engine;
  }

  public override get kubeconfig(): string {
    return join(this.stateDir, `${this.namespace}.kubeconfig`);
  }

  /** Changes the configuration of KubeVirt until the suite ends. */
  public async configure(configuration: object): Promise<void> {
    this.original ??= (await this.get('kubevirt', 'kubevirt', 'kubevirt')).spec as object;
    await this.patchKubeVirt('merge', { spec: { configuration } });
  }

  /** Removes the namespace, and restores the configuration. Returns what is left of the suite. */
  public override async end(): Promise<string[]> {
    if (!this.isShared) return super.end();
    await this.removeNamespace(this.namespace);
    if (this.original) await this.patchKubeVirt('json', [{ op: 'replace', path: '/spec', value: this.original }]);
    const left = await eventually(async () => {
      const found = [...(await leftovers(this, NOTHING)), ...this.guestsLeft()];
      if (found.length > 0) throw new Error(found.join('\n'));
      return found;
    }).catch((error: Error) => error.message.split('\n'));
    const settings = await this.readSettings();
    left.push(...settings.filter((each) => !this.settings.includes(each)).map((each) => `new setting: ${each}`));
    left.push(...this.settings.filter((each) => !settings.includes(each)).map((each) => `lost setting: ${each}`));
    this.close();
    rmSync(this.kubeconfig);
    return left;
  }

  private async open(): Promise<void> {
    const config = JSON.parse(readFileSync(join(this.stateDir, 'admin.kubeconfig'), 'utf8'));
    config.contexts[0].context.namespace = this.namespace;
    writeFileSync(this.kubeconfig, JSON.stringify(config), { mode: 0o600 });
    // of a suite that was killed
    const old = await this.list('namespaces', `-l=${LABEL}`);
    for (const { metadata } of old) await this.removeNamespace(metadata.name);
    // virt-controller creates these when it has started
    for (const kind of ['cdiconfig', 'storageprofile']) {
      await eventually(async () => {
        if ((await this.list(kind)).length === 0) throw new Error(`the engine has no ${kind}`);
      });
    }
    this.settings = await this.readSettings();
    await this.mustApply({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: this.namespace, labels: { [LABEL]: 'true' } },
    });
    // Pods need it
    await eventually(() => this.get('serviceaccount', 'default'));
  }

  private async removeNamespace(name: string): Promise<void> {
    await this.kubectl('delete', 'namespace', name, '--ignore-not-found', '--timeout=5m');
  }

  private async patchKubeVirt(type: 'merge' | 'json', patch: object): Promise<void> {
    await this.kubectl('patch', 'kubevirt/kubevirt', '-n', 'kubevirt', `--type=${type}`, '-p', JSON.stringify(patch));
  }

  private guestsLeft(): string[] {
    return this.pids('qemu-system', `guest=${this.namespace}_`).map((pid) => `QEMU ${pid} runs`);
  }

  private async readSettings(): Promise<string[]> {
    const { items } = JSON.parse(await this.kubectl('get', SETTINGS, '-A', '-o', 'json')) as { items: Setting[] };
    return items
      .filter(({ metadata }) => metadata.namespace !== this.namespace)
      .map(({ kind, metadata: { name, annotations }, spec }) => JSON.stringify({ kind, name, annotations, spec }));
  }
}

interface Setting {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: object };
  readonly spec?: object;
}

/** `tsx test/support/shared-engine.ts end DIR` ends the engine in a folder. The exit code is 1 if anything is left. */
async function main([verb, stateDir]: readonly string[]): Promise<void> {
  if (verb !== 'end' || !stateDir) throw new Error('usage: shared-engine.ts end DIR');
  const left = await TestEngine.at(stateDir).end();
  if (left.length === 0) return;
  console.error(left.join('\n'));
  process.exitCode = 1;
}

if (require.main === module) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
