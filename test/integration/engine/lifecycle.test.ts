/** @needs guest */
import { BLANK, eventually, isSilent, tinyVm } from '../../support/engine';
import { typeOnConsole } from '../../support/guest-console';
import { GuestSsh } from '../../support/guest-ssh';
import { SuiteEngine } from '../../support/shared-engine';
import { isComplete } from '../../support/tier';

let engine: SuiteEngine;
beforeAll(async () => void (engine = await SuiteEngine.begin()));
afterAll(async () => expect(await engine.end()).toEqual([]));

const remove = (name: string): Promise<string> => engine.kubectl('delete', 'vm', name, '--timeout=5m');
const FIRMWARE = 'sh -c "[ -d /sys/firmware/efi ] && echo efi || echo bios" > /var/www/firmware';

/** A VM's life on the real engine, with real kubectl, libvirt and QEMU. The tests follow it in their order. */
describe('a virtual machine', () => {
  let ssh: GuestSsh;
  beforeAll(async () => {
    ssh = new GuestSsh(engine);
    const userData = [
      '#cloud-config',
      `ssh_authorized_keys: ["${ssh.publicKey}"]`,
      'write_files:',
      '  - path: /var/www/index.html',
      '    content: from cloud-init',
      `runcmd:\n  - ${FIRMWARE}\n`,
    ].join('\n');
    await engine.mustApply(tinyVm('web', { userData, runStrategy: 'Halted' }));
    await engine.vmBecomes('web', 'Stopped');
  });
  afterAll(() => ssh.remove());

  test('is started by virt8s, with the refusals of virtctl', async () => {
    expect((await engine.virt8s('stop', 'web')).code).not.toBe(0);
    expect((await engine.virt8s('start', 'web')).code).toBe(0);
    await engine.vmBecomes('web', 'Running');
    const again = await engine.virt8s('start', 'web');
    expect(again.code).not.toBe(0);
    expect(again.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('boots by BIOS with its cloud-init user data, and is reported with phase, address and conditions', async () => {
    expect((await engine.page('web')).trim()).toBe('from cloud-init');
    await eventually(async () => expect((await engine.page('web', '/firmware')).trim()).toBe('bios'));
    const vmi = await engine.get('vmi', 'web');
    expect(vmi.status.phase).toBe('Running');
    expect(vmi.status.interfaces[0].ipAddress).toBe(await engine.podIp('web'));
    const ready = vmi.status.conditions.find((c: { type: string }) => c.type === 'Ready');
    expect(ready.status).toBe('True');
    const phases = vmi.status.phaseTransitionTimestamps.map((t: { phase: string }) => t.phase);
    expect(phases).toEqual(expect.arrayContaining(['Scheduling', 'Scheduled', 'Running']));
    const columns = await engine.kubectl('get', 'vm', 'web');
    expect(columns).toMatch(/NAME\s+AGE\s+STATUS\s+READY\nweb\s+\S+\s+Running\s+True/);
  });

  test('is reached by ssh, port-forward and console', async () => {
    expect(await eventually(() => ssh.output('root@vm/web', 'hostname'))).toBe('web');

    const forward = engine.start('port-forward', 'vm/web', '0:80');
    let said = '';
    forward.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      const [, port] = await eventually(
        () => /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(said) ?? Promise.reject(new Error(said)),
      );
      const body = await eventually(() => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text()));
      expect(body).toContain('from cloud-init');
    } finally {
      forward.kill('SIGTERM');
    }
    await typeOnConsole(engine, 'web', 'expr 6 \\* 7', /^42\r?$/m);
  });

  test('does not run while it is paused, and its Service has no endpoint then', async () => {
    expect((await engine.virt8s('pause', 'vm', 'web')).code).toBe(0);
    await engine.vmBecomes('web', 'Paused');
    expect(await isSilent(await engine.podIp('web'))).toBe(true);
    const [pod] = await engine.list('pods', '-l', 'vm.kubevirt.io/name=web');
    const ready = pod.status.conditions.find((c: { type: string }) => c.type === 'Ready');
    expect(ready.status).toBe('False');
    expect((await engine.virt8s('unpause', 'vm', 'web')).code).toBe(0);
    await engine.vmBecomes('web', 'Running');
    await engine.page('web');
  });

  test('is restarted by virt8s', async () => {
    const before = await engine.guest('web');
    expect((await engine.virt8s('restart', 'web')).code).toBe(0);
    await eventually(async () => expect((await engine.guest('web')).boot_id).not.toBe(before.boot_id));
  });

  test('that powers off on its own starts again under Always, and stays off under RerunOnFailure', async () => {
    const poweroff = (): Promise<void> => typeOnConsole(engine, 'web', 'poweroff', /The system is going down NOW!/);
    const rerun = async (runStrategy: string): Promise<void> =>
      void (await engine.kubectl(
        'patch',
        'vm',
        'web',
        '--type=merge',
        '-p',
        JSON.stringify({ spec: { runStrategy } }),
      ));
    await rerun('Always');
    const before = await engine.guest('web');
    await poweroff();
    await eventually(async () => expect((await engine.guest('web')).boot_id).not.toBe(before.boot_id));
    await rerun('RerunOnFailure');
    await poweroff();
    await engine.vmBecomes('web', 'Stopped');
  });

  test('is deleted with its Pod', async () => {
    await remove('web');
    expect(await engine.list('vmi')).toEqual([]);
    expect(await engine.list('pods', '-l', 'vm.kubevirt.io/name=web')).toEqual([]);
  });
});

// vm-disks boots a UEFI guest in every run
if (isComplete) {
  test('a virtual machine boots by EFI if its spec sets it', async () => {
    const vm = JSON.parse(
      JSON.stringify(tinyVm('efi', { userData: `#cloud-config\nruncmd:\n  - ${FIRMWARE}\n`, graceSeconds: 0 })),
    );
    vm.spec.template.spec.domain.firmware = { bootloader: { efi: { secureBoot: false } } };
    await engine.mustApply(vm);
    await eventually(async () => expect((await engine.page('efi', '/firmware')).trim()).toBe('efi'));
    await remove('efi');
  });
}

test('a virtual machine stays off after a stop that follows a restart at once', async () => {
  // the guest does not hear the power button: the stop arrives while the restart waits for it
  await engine.mustApply(tinyVm('final', { graceSeconds: 5, image: BLANK }));
  for (let i = 0; i < (isComplete ? 6 : 2); i++) {
    await engine.vmBecomes('final', 'Running');
    expect((await engine.virt8s('restart', 'final')).code).toBe(0);
    expect((await engine.virt8s('stop', 'final')).code).toBe(0);
    await engine.vmBecomes('final', 'Stopped');
    expect((await engine.get('vm', 'final')).spec.runStrategy).toBe('Halted');
    // refused, if the guest had come again
    expect((await engine.virt8s('start', 'final')).code).toBe(0);
  }
  await remove('final');
});

test('a virtual machine that ignores the power button is killed after its grace period', async () => {
  await engine.mustApply(tinyVm('stubborn', { graceSeconds: 4, image: BLANK }));
  await engine.vmBecomes('stubborn', 'Running');
  const start = Date.now();
  await remove('stubborn');
  expect(Date.now() - start).toBeGreaterThan(3_000);
});
