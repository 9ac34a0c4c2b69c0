/** @needs guest @tier all */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BLANK, commandLine, eventually, TestEngine, tinyVm } from '../../support/engine';

test('an engine whose objects are those of an older backup runs their guests, and no others', async () => {
  const engine = await TestEngine.start();
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-backup-'));
  const file = join(folder, 'state.tar');
  try {
    const blank = { graceSeconds: 0, image: BLANK };
    await engine.mustApply([tinyVm('kept', { graceSeconds: 0 }), tinyVm('deleted', blank)]);
    const kept = await engine.guest('kept');
    await engine.vmBecomes('deleted', 'Running');
    expect(await engine.virt8s('backup', file)).toMatchObject({ code: 0 });
    await engine.kubectl('delete', 'vm', 'deleted', '--timeout=5m');
    await engine.mustApply(tinyVm('added', blank));
    await engine.vmBecomes('added', 'Running');

    // the guests run on while their engine does not
    const pids = (['engine', 'api-server', 'virt-controller', 'virt-api', 'virt-handler'] as const).map((name) =>
      engine.componentPid(name),
    );
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await eventually(() => expect(pids.map(commandLine).join('')).toBe(''));
    expect(await engine.virt8s('restore', file)).toMatchObject({ code: 0 });
    await engine.up();

    await engine.vmBecomes('deleted', 'Running');
    expect((await engine.guest('kept')).boot_id).toBe(kept.boot_id);
    await eventually(async () => {
      expect((await engine.list('pods')).map(({ metadata }) => metadata.labels['vm.kubevirt.io/name']).sort()).toEqual([
        'deleted',
        'kept',
      ]);
      expect(engine.pids('qemu-system', 'guest=default_added')).toEqual([]);
      expect(engine.pids('qemu-system', 'guest=default_')).toHaveLength(2);
    });
  } finally {
    rmSync(folder, { recursive: true });
    await engine.down();
  }
  expect(await engine.leftovers()).toEqual([]);
});
