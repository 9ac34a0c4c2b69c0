/** @needs guest @tier all */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, TestEngine, tinyVm } from '../../support/engine';

test('up replaces an engine of other programs, and the guest keeps running', async () => {
  const engine = await TestEngine.start();
  try {
    await engine.mustApply(tinyVm('steady'));
    await engine.vmBecomes('steady', 'Running');
    const before = await engine.guest('steady');
    expect((await engine.virt8s('up')).stdout).toContain('already up');

    const record = join(engine.stateDir, 'engine.json');
    const old = JSON.parse(readFileSync(record, 'utf8')) as { pid: number; build: string };
    writeFileSync(record, JSON.stringify({ ...old, build: 'of an earlier version' }));
    const { code, stdout } = await engine.virt8s('up');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('replacing the engine') });

    const now = JSON.parse(readFileSync(record, 'utf8')) as { pid: number; build: string };
    expect(now.pid).not.toBe(old.pid);
    expect(now.build).toBe(old.build);
    const after = await engine.guest('steady');
    expect(after.boot_id).toBe(before.boot_id);
    await engine.vmBecomes('steady', 'Running');
    expect(await engine.list('pods')).toHaveLength(1);

    // in the foreground, the command waits for the engine, and a signal stops both
    const waiting = engine.start('up', '--foreground');
    const ended = new Promise<number | null>((done) => waiting.once('exit', (exit) => done(exit)));
    let output = '';
    waiting.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(() => expect(output).toContain('KUBECONFIG='));
    waiting.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect((await engine.virt8s('status')).code).toBe(1);
    expect(engine.pids('qemu-system', 'default_steady')).toEqual([]);
  } finally {
    await engine.down();
  }
  expect(await engine.leftovers()).toEqual([]);
});
