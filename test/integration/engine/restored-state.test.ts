/** @needs guest */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, eventually, TestEngine, tinyVm } from '../../support/engine';

jest.setTimeout(300_000);

test('an engine whose objects are those of an older backup runs their guests, and no others', async () => {
  const engine = await TestEngine.start();
  const file = join(engine.stateDir, '../virt8s-restored-state.tar');
  try {
    await engine.mustApply([tinyVm('kept', { graceSeconds: 0 }), tinyVm('deleted', { graceSeconds: 0 })]);
    const [kept] = await Promise.all(['kept', 'deleted'].map((name) => eventually(120_000, () => engine.guest(name))));
    expect(await engine.virt8s('backup', file)).toMatchObject({ code: 0 });
    await engine.kubectl('delete', 'vm', 'deleted', '--timeout=60s');
    await engine.mustApply(tinyVm('added', { graceSeconds: 0 }));
    await eventually(120_000, () => engine.guest('added'));

    // the guests run on while their engine does not
    const pids = (['engine', 'api-server', 'virt-controller', 'virt-api', 'virt-handler'] as const).map((name) =>
      engine.componentPid(name),
    );
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await eventually(10_000, () => expect(pids.map(commandLine).join('')).toBe(''));
    expect(await engine.virt8s('restore', file)).toMatchObject({ code: 0 });
    await engine.up();

    await eventually(120_000, () => engine.guest('deleted'));
    expect((await engine.guest('kept')).boot_id).toBe(kept!.boot_id);
    await eventually(60_000, async () => {
      expect((await engine.list('pods')).map(({ metadata }) => metadata.labels['vm.kubevirt.io/name']).sort()).toEqual([
        'deleted',
        'kept',
      ]);
      expect(engine.pids('qemu-system', 'guest=default_added')).toEqual([]);
      expect(engine.pids('qemu-system', 'guest=default_')).toHaveLength(2);
    });
  } finally {
    rmSync(file, { force: true });
    await engine.down();
  }
  expect(await engine.leftovers()).toEqual([]);
});
