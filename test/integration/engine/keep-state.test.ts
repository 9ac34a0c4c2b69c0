/** @needs guest */
import { TestEngine, tinyVm } from '../../support/engine';

test('after down --keep-state, up has the objects and the port of before, and starts the virtual machines again', async () => {
  const engine = await TestEngine.start();
  try {
    await engine.mustApply([tinyVm('kept', { graceSeconds: 3_600 }), tinyVm('off', { runStrategy: 'Halted' })]);
    await engine.vmBecomes('kept', 'Running');
    const before = await engine.guest('kept');
    const { url } = JSON.parse((await engine.virt8s('status', '--output=json')).stdout).record;

    expect(await engine.virt8s('down', '--keep-state')).toMatchObject({ code: 0 });
    expect(engine.pids('qemu-system', 'default_kept')).toEqual([]);
    expect((await engine.virt8s('status')).code).toBe(1);

    expect((await engine.virt8s('up')).stdout).toContain(`the engine is up at ${url}`);
    // far less than the grace period of the guest that is gone: nothing waits for it
    const after = await engine.guest('kept');
    expect(after.boot_id).not.toBe(before.boot_id);
    await engine.vmBecomes('off', 'Stopped');
  } finally {
    await engine.down();
  }
  expect(await engine.leftovers()).toEqual([]);
});
