/** @needs guest @tier all */
import { type GuestStatus, commandLine, BLANK, eventually, TestEngine, tinyVm } from '../../support/engine';

const isGone = (error: Error): undefined => {
  if (!/not found/.test(error.message)) throw error;
};

/** Kill tests: any component may die at any moment; guests run on, state converges, nothing is doubled or orphaned. */
describe('SIGKILL', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await TestEngine.start();
    await engine.mustApply(tinyVm('steady'));
    await engine.vmBecomes('steady', 'Running');
    await engine.guest('steady');
  });
  afterAll(async () => {
    await engine.down();
    expect(await engine.leftovers()).toEqual([]);
  });

  /** Processes in a VM's Pod whose command line has the words. */
  const podPids = async (vm: string, ...words: string[]): Promise<number[]> => {
    const [pod] = await engine.list('pods', '-l', `vm.kubevirt.io/name=${vm}`);
    const inPod = engine.pids(...words);
    const { stdout } = await engine.run('grep', [
      '-l',
      `pod${pod.metadata.uid}`,
      ...inPod.map((pid) => `/proc/${pid}/cgroup`),
    ]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((file) => Number(file.split('/')[2]));
  };

  const targets: [string, () => Promise<number[]>][] = [
    ['api-server', async () => [engine.componentPid('api-server')]],
    ['virt-controller', async () => [engine.componentPid('virt-controller')]],
    ['virt-api', async () => [engine.componentPid('virt-api')]],
    ['virt-handler', async () => [engine.componentPid('virt-handler')]],
    ['virt-launcher', () => podPids('steady', 'virt-launcher.cjs')],
    ['libvirtd', () => podPids('steady', 'libvirtd')],
    ['engine', async () => [engine.componentPid('engine')]],
  ];

  /** Waits until the platform works again: the VM is reported as running, and its guest can be paused. */
  const converges = async (): Promise<void> => {
    await engine.vmBecomes('steady', 'Running');
    await eventually(async () => expect(await engine.virt8s('pause', 'vm', 'steady')).toMatchObject({ code: 0 }), {
      everyMs: 500,
    });
    await engine.vmBecomes('steady', 'Paused');
    await eventually(async () => expect(await engine.virt8s('unpause', 'vm', 'steady')).toMatchObject({ code: 0 }), {
      everyMs: 500,
    });
    await engine.vmBecomes('steady', 'Running');
    expect(await engine.list('vmi')).toHaveLength(1);
    expect(await engine.list('pods')).toHaveLength(1);
  };

  const sameBoot = async (before: GuestStatus): Promise<void> => {
    const after = await engine.guest('steady');
    expect(after.boot_id).toBe(before.boot_id);
    expect(after.uptime).toBeGreaterThanOrEqual(before.uptime);
  };

  test.each(targets)('of %s leaves the guest running and the platform converges', async (name, find) => {
    const before = await engine.guest('steady');
    const pids = await find();
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await eventually(() => expect(pids.map(commandLine).join('')).toBe(''));
    if (name === 'engine') await engine.up();
    await sameBoot(before);
    await converges();
    await sameBoot(before);
  });

  test('of everything at once leaves the guest running, and `virt8s up` resumes', async () => {
    const before = await engine.guest('steady');
    const pids = (await Promise.all(targets.map(([, find]) => find()))).flat();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await engine.up();
    await sameBoot(before);
    await converges();
    await sameBoot(before);
  });

  test.each(targets.filter(([name]) => !['virt-launcher', 'libvirtd'].includes(name)))(
    'of %s while a VM starts makes neither a second instance nor a second Pod',
    async (name, find) => {
      await engine.mustApply(tinyVm('starting', { graceSeconds: 0, image: BLANK }));
      await eventually(async () =>
        expect(await engine.list('pods', '-l', 'vm.kubevirt.io/name=starting')).toHaveLength(1),
      );
      for (const pid of await find()) process.kill(pid, 'SIGKILL');
      if (name === 'engine') await engine.up();
      await engine.vmBecomes('starting', 'Running');
      expect(engine.pids('qemu-system', 'guest=default_starting,')).toHaveLength(1);
      expect(await engine.list('pods', '-l', 'vm.kubevirt.io/name=starting')).toHaveLength(1);

      const deleting = engine.run('kubectl', ['delete', 'vm', 'starting', '--timeout=5m']);
      await eventually(async () => {
        const vm = await engine.get('vm', 'starting').catch(isGone);
        if (vm) expect(vm.metadata.deletionTimestamp).toBeDefined();
      });
      for (const pid of await find()) process.kill(pid, 'SIGKILL');
      if (name === 'engine') await engine.up();
      await deleting;
      if (['engine', 'api-server'].includes(name)) {
        // the request may have found no server
        const again = ['delete', 'vm', 'starting', '--ignore-not-found', '--timeout=5m'];
        await eventually(() => engine.kubectl(...again), { everyMs: 500 });
      }
      await eventually(async () => expect(await engine.list('vmi')).toHaveLength(1));
      await eventually(async () => expect(await engine.list('pods')).toHaveLength(1));
      expect(engine.pids('guest=default_starting,')).toEqual([]);
    },
  );
});
