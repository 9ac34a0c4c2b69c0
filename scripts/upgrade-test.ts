import { mkdtempSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PlatformImages } from '../src';
import { eventually, TestEngine } from '../test/support/engine';
import { freePort } from '../test/integration/package/registry';
import { applyPlatform, platformManifests } from '../test/support/platform';
import { Earlier } from './upgrade-test/earlier';
import { boot, continues, GUEST, isUsable, restarts, takesDisk } from './upgrade-test/guests';

/**
 * Upgrades from an earlier commit to this tree while a guest of the earlier launcher runs, uses the guest, and restarts it.
 *
 *   npx tsx scripts/upgrade-test.ts --from COMMIT [--platform]
 *
 * Without --platform, `virt8s up` of this tree replaces the engine of the commit. With it, the platform runs as Pods of an
 * engine of this tree, and virt-operator replaces the images of the commit, which must have a virt-operator.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, platform: { type: 'boolean', default: false } },
  });
  if (!values.from) throw new Error('--from COMMIT is missing');
  const earlier = await Earlier.checkOut(values.from);
  try {
    await upgrade(earlier, values.platform);
  } finally {
    await earlier.remove();
  }
}

async function upgrade(earlier: Earlier, isPlatform: boolean): Promise<void> {
  const engine = isPlatform
    ? await TestEngine.start({ bare: true })
    : TestEngine.at(mkdtempSync('/var/lib/virt8s-test-'));
  try {
    // this tree takes over the engine of the earlier commit
    if (!isPlatform) await earlier.up(engine.stateDir, await freePort());
    await report(engine, earlier, isPlatform);
  } finally {
    await engine.down();
  }
  for (const left of await engine.leftovers()) throw new Error(`left over: ${left}`);
}

async function report(engine: TestEngine, earlier: Earlier, isPlatform: boolean): Promise<void> {
  if (isPlatform) await step('the earlier platform is installed', () => installEarlier(engine, earlier));
  const guest = await step('a guest of the earlier launcher boots', () => boot(engine));
  const launcher = await launcherImage(engine);
  await step('everything but the launcher is replaced', () => (isPlatform ? installThis(engine) : engine.up()));
  await step('the guest continues', () => continues(engine, guest));
  await step('its console answers; it is paused and continued', () => isUsable(engine));
  await step('a disk is attached and detached', () => takesDisk(engine));
  if (isPlatform) {
    await step('the instance is labelled as outdated', () =>
      eventually(async () => {
        const [instance] = await engine.list('vmi', '-l', 'kubevirt.io/outdatedLauncherImage');
        if (instance?.metadata.name !== GUEST) throw new Error('it has no label kubevirt.io/outdatedLauncherImage');
      }),
    );
  }
  await step('it is still the same guest', () => continues(engine, guest));
  await step('a restart replaces the launcher', () => restarts(engine, guest));
  if ((await launcherImage(engine)) === launcher) throw new Error(`the launcher still has the image ${launcher}`);
}

async function installEarlier(engine: TestEngine, earlier: Earlier): Promise<void> {
  const { code, stderr } = await engine.run(earlier.command, ['images', 'build', '--tag', 'earlier']);
  if (code !== 0) throw new Error(stderr);
  await applyPlatform(engine, await earlier.manifests('localhost/virt8s', 'earlier'));
}

async function installThis(engine: TestEngine): Promise<void> {
  const { code, stderr } = await engine.virt8s('images', 'build', '--tag', 'this');
  if (code !== 0) throw new Error(stderr);
  await applyPlatform(engine, platformManifests(PlatformImages.of({ registry: 'localhost/virt8s', tag: 'this' })));
  await eventually(async () => {
    const { phase, observedKubeVirtVersion: version } = (await engine.get('kubevirt', 'kubevirt', 'kubevirt')).status;
    if (phase !== 'Deployed' || version !== 'this') throw new Error(`KubeVirt ${version} is ${phase}`);
  });
}

async function launcherImage(engine: TestEngine): Promise<string> {
  const pods = await engine.list('pods', '-l', `vm.kubevirt.io/name=${GUEST}`);
  const pod = pods.find(({ status }) => status.phase === 'Running');
  return pod.status.containerStatuses.find(({ name }: { name: string }) => name === 'compute').imageID;
}

async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  try {
    const result = await run();
    console.log(`passed  ${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${name}`);
    return result;
  } catch (error) {
    console.log(`failed  ${name}`);
    throw error;
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
