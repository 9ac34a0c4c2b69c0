/** @needs guest @tier all */
import { BLANK, eventually, TestEngine, tinyVm } from '../../support/engine';

test('after down --keep-state, up has the objects and the port of before, and starts the virtual machines again', async () => {
  const engine = await TestEngine.start();
  try {
    await engine.mustApply([
      tinyVm('kept', { graceSeconds: 3_600, image: BLANK }),
      tinyVm('off', { runStrategy: 'Halted' }),
    ]);
    await engine.vmBecomes('kept', 'Running');
    const [before] = await engine.list('pods');
    const { url } = JSON.parse((await engine.virt8s('status', '--output=json')).stdout).record;

    expect(await engine.virt8s('down', '--keep-state')).toMatchObject({ code: 0 });
    expect(engine.pids('qemu-system', 'default_kept')).toEqual([]);
    expect((await engine.virt8s('status')).code).toBe(1);

    expect((await engine.virt8s('up')).stdout).toContain(`the engine is up at ${url}`);
    // far less than the grace period of the guest that is gone and hears nothing: nothing waits for it
    await eventually(async () => {
      const pods = await engine.list('pods');
      expect(pods).toHaveLength(1);
      expect(pods[0].metadata.uid).not.toBe(before.metadata.uid);
      expect(engine.pids('qemu-system', 'default_kept')).toHaveLength(1);
    });
    await engine.vmBecomes('kept', 'Running');
    await engine.vmBecomes('off', 'Stopped');
  } finally {
    await engine.down();
  }
  expect(await engine.leftovers()).toEqual([]);
});
