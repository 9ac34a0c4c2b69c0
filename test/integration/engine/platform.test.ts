import { existsSync } from 'node:fs';
import { PlatformImages } from '../../../src';
import { eventually, TestEngine, tinyVm } from '../../support/engine';
import { platformManifests, StandInOperator } from '../../support/platform';

jest.setTimeout(300_000);

const IMAGES = PlatformImages.of({ registry: 'localhost/virt8s', tag: 'test' });
const COMPONENTS = ['deployment/virt-api', 'deployment/virt-controller', 'daemonset/virt-handler'];

/** `virt8s up --bare`, and the platform as Pods from its manifests. */
describe('the platform as Pods', () => {
  const kubeletDirExisted = existsSync('/var/lib/kubelet');
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await TestEngine.start({ bare: true });
  });
  afterAll(async () => {
    await engine.down();
    expect(await engine.leftovers()).toEqual([]);
    expect(existsSync('/var/lib/kubelet')).toBe(kubeletDirExisted);
  });

  test('a bare engine has a node, but nothing of the platform', async () => {
    expect(await engine.list('nodes')).toHaveLength(1);
    // the engine's own storage serves VolumeSnapshots, as a CSI driver's installation does
    const groups = (await engine.list('customresourcedefinitions')).map(({ spec }) => spec.group);
    expect([...new Set(groups)]).toEqual(['snapshot.storage.k8s.io']);
    for (const name of ['virt-api', 'virt-controller', 'virt-handler'] as const) {
      expect(() => engine.componentPid(name)).toThrow('does not run');
    }
    const names = (await engine.list('clusterroles')).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.includes('kubevirt'))).toEqual([]);
  });

  test('its manifests become Ready from the images of this package', async () => {
    const built = await engine.virt8s('images', 'build', '--tag', 'test');
    expect([built.code, built.stderr]).toEqual([
      0,
      expect.stringContaining("registry: 'localhost/virt8s', tag: 'test'"),
    ]);
    const { definitions, platform } = platformManifests(IMAGES);
    const text = definitions.map((object) => JSON.stringify(object)).join('\n');
    expect(await engine.run('kubectl', ['apply', '--server-side', '-f', '-'], text)).toMatchObject({ code: 0 });
    await engine.kubectl('wait', 'crd', '--all', '--for=condition=Established', '--timeout=30s');
    await engine.mustApply(platform);
    await new StandInOperator(engine).fillCredentials();
    for (const component of COMPONENTS) {
      await engine.kubectl('rollout', 'status', component, '-n', 'kubevirt', '--timeout=60s');
    }
    await engine.kubectl('wait', 'apiservice', '--all', '--for=condition=Available', '--timeout=30s');
  });

  test('a VM boots, and its console answers', async () => {
    await engine.mustApply(tinyVm('guest', { memory: '128Mi' }));
    await engine.vmBecomes('guest', 'Running');
    expect((await eventually(120_000, () => engine.guest('guest'))).hostname).toBe('guest');
    await answersOnConsole();
  });

  test('the guest keeps running while virt-handler and the engine are replaced', async () => {
    const before = await engine.guest('guest');
    const [pod] = await engine.list('pods', '-n', 'kubevirt', '-l', 'kubevirt.io=virt-handler');
    await engine.kubectl('delete', 'pod', pod.metadata.name, '-n', 'kubevirt', '--timeout=60s');
    process.kill(engine.componentPid('engine'), 'SIGKILL');
    await engine.up();
    await engine.kubectl('rollout', 'status', 'daemonset/virt-handler', '-n', 'kubevirt', '--timeout=60s');
    await answersOnConsole();
    expect((await engine.guest('guest')).boot_id).toBe(before.boot_id);
  });

  test('a deleted VM leaves no Pod, and no request was forbidden', async () => {
    await engine.kubectl('delete', 'vm', 'guest', '--timeout=120s');
    await eventually(60_000, async () => expect(await engine.list('pods')).toEqual([]));
    const refused = engine.audit().filter(({ code }) => code === 403);
    expect(refused.map(({ user, verb, resource, name }) => [user, verb, resource, name])).toEqual([]);
  });

  /** Types a command on the guest's console until its output appears. */
  const answersOnConsole = (): Promise<void> =>
    eventually(60_000, async () => {
      const script = `(sleep 0.5; printf '\\nexpr 6 \\\\* 7\\n'; sleep 2; printf '\\035') | timeout 20 "$0" console guest`;
      const { stdout } = await engine.run('sh', ['-c', script, 'bin/virt8s']);
      expect(stdout).toMatch(/^42\r?$/m);
    });
});
