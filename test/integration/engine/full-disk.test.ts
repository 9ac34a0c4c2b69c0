/** @needs guest @tier all */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, TestEngine, tinyVm } from '../../support/engine';

/** The engine's state on a small file system of its own, which is filled and freed. */
describe('an engine whose disk is full', () => {
  const place = mkdtempSync('/var/lib/virt8s-test-');
  const [image, mount] = [join(place, 'disk.ext4'), join(place, 'mount')];
  const filler = join(mount, 'filler');
  let engine: TestEngine;

  beforeAll(async () => {
    writeFileSync(image, '');
    truncateSync(image, 2 * 2 ** 30);
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
    execFileSync('mkdir', [mount]);
    execFileSync('mount', ['-o', 'loop', image, mount]);
    engine = await TestEngine.start({ stateDir: join(mount, 'state') });
  });
  afterAll(async () => {
    await engine.down();
    execFileSync('umount', [mount]);
    rmSync(place, { recursive: true });
    expect(await engine.leftovers()).toEqual([]);
  });

  const fill = (leftMiB: number): void => {
    const { bavail, bsize } = statfsSync(mount);
    execFileSync('fallocate', ['-l', String(bavail * bsize - (leftMiB + 8) * 2 ** 20), filler]);
    // dd takes the last blocks, which fallocate does not get
    const rest = ['if=/dev/zero', `of=${filler}.rest`, 'bs=64k', `count=${leftMiB === 0 ? 1024 : 128}`];
    spawnSync('dd', rest);
  };
  const free = (): void => [filler, `${filler}.rest`].forEach((file) => rmSync(file));

  test('reports it on a VM that cannot start, and starts the VM when there is space', async () => {
    const pid = engine.componentPid('engine');
    fill(24);
    await engine.mustApply(tinyVm('crowded'));
    await eventually(
      async () => {
        const { status } = await engine.get('vm', 'crowded');
        const report = /no space left on device.*; free space|disk of node .* is nearly full; free space/i;
        expect(status.conditions.map((c: { message?: string }) => c.message).join('\n')).toMatch(report);
        const of = 'involvedObject.kind=VirtualMachine,involvedObject.name=crowded';
        const events = await engine.list('events', '--field-selector', of);
        expect(events.map(({ message }) => message).join('\n')).toMatch(report);
      },
      { everyMs: 500 },
    );
    free();
    await engine.vmBecomes('crowded', 'Running');
    expect(engine.componentPid('engine')).toBe(pid);
  });

  test('reports a guest that is paused for lack of space, and resumes it when there is space', async () => {
    const vm = JSON.parse(
      JSON.stringify(
        tinyVm('writer', {
          graceSeconds: 0,
          userData: '#cloud-config\nruncmd:\n  - (sleep 3; dd if=/dev/zero of=/dev/vdc bs=1M) &\n',
        }),
      ),
    );
    vm.spec.template.spec.domain.devices.disks.push({ name: 'scratch', disk: { bus: 'virtio' } });
    vm.spec.template.spec.volumes.push({ name: 'scratch', emptyDisk: { capacity: '4Gi' } });
    await engine.mustApply(vm);
    await engine.vmBecomes('writer', 'Running');
    fill(50);
    await engine.vmBecomes('writer', 'Paused');
    const { conditions } = (await engine.get('vm', 'writer')).status;
    expect(conditions).toContainEqual(expect.objectContaining({ type: 'Paused', reason: 'PausedIOError' }));
    free();
    await engine.vmBecomes('writer', 'Running');
    await engine.kubectl('delete', 'vm', 'writer', '--timeout=5m');
  });

  test('rejects what it cannot store, keeps what it has, and continues when there is room', async () => {
    const pid = engine.componentPid('engine');
    const { boot_id } = await engine.guest('crowded');
    fill(0);
    const large = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data: { text: 'x'.repeat(200_000) },
    });
    const stored: string[] = [];
    let refusal = '';
    for (let i = 0; i < 100 && !refusal; i++) {
      const { code, stderr } = await engine.apply(large(`large-${i}`));
      if (code === 0) stored.push(`large-${i}`);
      else refusal = stderr;
    }
    expect(refusal).toMatch(/no space is left for the store/);
    const names = (await engine.list('configmaps')).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.startsWith('large-'))).toEqual(stored.sort());
    free();
    await engine.mustApply(large('after'));
    expect(engine.componentPid('engine')).toBe(pid);
    expect((await engine.guest('crowded')).boot_id).toBe(boot_id);
    await engine.kubectl('delete', 'vm', 'crowded', '--timeout=5m');
  });
});
