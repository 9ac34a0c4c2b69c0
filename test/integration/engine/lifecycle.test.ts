/** @needs guest */
import { eventually, isSilent, TestEngine, tinyVm } from '../../support/engine';
import { typeOnConsole } from '../../support/guest-console';

/** A VM's life on the real engine: real kubectl, libvirt and QEMU. */
describe('a virtual machine', () => {
  let engine: TestEngine;
  beforeAll(async () => void (engine = await TestEngine.start()));
  afterAll(async () => {
    await engine.down();
    expect(await engine.leftovers()).toEqual([]);
  });

  const remove = (name: string): Promise<string> =>
    engine.kubectl('delete', 'vm', name, '--ignore-not-found', '--timeout=5m');

  test('boots with its cloud-init user data and is reported with phase, address and conditions', async () => {
    const userData = '#cloud-config\nwrite_files:\n  - path: /var/www/index.html\n    content: from cloud-init\n';
    await engine.mustApply(tinyVm('reported', { userData }));
    await engine.vmBecomes('reported', 'Running');
    expect((await engine.page('reported')).trim()).toBe('from cloud-init');

    const vmi = await engine.get('vmi', 'reported');
    expect(vmi.status.phase).toBe('Running');
    expect(vmi.status.interfaces[0].ipAddress).toBe(await engine.podIp('reported'));
    const ready = vmi.status.conditions.find((c: { type: string }) => c.type === 'Ready');
    expect(ready.status).toBe('True');
    const phases = vmi.status.phaseTransitionTimestamps.map((t: { phase: string }) => t.phase);
    expect(phases).toEqual(expect.arrayContaining(['Scheduling', 'Scheduled', 'Running']));
    const columns = await engine.kubectl('get', 'vm', 'reported');
    expect(columns).toMatch(/NAME\s+AGE\s+STATUS\s+READY\nreported\s+\S+\s+Running\s+True/);
    await remove('reported');
    expect(await engine.list('pods', '-l', 'vm.kubevirt.io/name=reported')).toEqual([]);
  });

  test('boots by EFI if its spec sets it, by BIOS otherwise', async () => {
    const userData =
      '#cloud-config\nruncmd:\n  - sh -c "[ -d /sys/firmware/efi ] && echo efi || echo bios" > /var/www/index.html\n';
    for (const [name, bootloader] of [
      ['efi', { efi: { secureBoot: false } }],
      ['bios', undefined],
    ] as const) {
      const vm = JSON.parse(JSON.stringify(tinyVm(name, { userData, graceSeconds: 0 })));
      if (bootloader) vm.spec.template.spec.domain.firmware = { bootloader };
      await engine.mustApply(vm);
    }
    for (const name of ['efi', 'bios']) {
      await engine.vmBecomes(name, 'Running');
      await eventually(async () => expect((await engine.page(name)).trim()).toBe(name));
      await remove(name);
    }
  });

  test('is stopped, started and restarted by virt8s, with the refusals of virtctl', async () => {
    await engine.mustApply(tinyVm('switch', { runStrategy: 'Halted' }));
    await engine.vmBecomes('switch', 'Stopped');
    expect((await engine.virt8s('stop', 'switch')).code).not.toBe(0);

    expect((await engine.virt8s('start', 'switch')).code).toBe(0);
    await engine.vmBecomes('switch', 'Running');
    const before = await engine.guest('switch');
    const again = await engine.virt8s('start', 'switch');
    expect(again.code).not.toBe(0);
    expect(again.stderr.trim().split('\n')).toHaveLength(1);

    expect((await engine.virt8s('restart', 'switch')).code).toBe(0);
    await eventually(async () => expect((await engine.guest('switch')).boot_id).not.toBe(before.boot_id));

    expect((await engine.virt8s('stop', 'switch')).code).toBe(0);
    await engine.vmBecomes('switch', 'Stopped');
    expect(await engine.list('vmi')).toEqual([]);
    await remove('switch');
  });

  test('stays off after a stop that follows a restart at once', async () => {
    // a guest that boots does not hear the power button: the stop arrives while the restart waits for it
    await engine.mustApply(tinyVm('final', { graceSeconds: 5 }));
    for (let i = 0; i < 6; i++) {
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

  test('does not run while it is paused, and its Service has no endpoint then', async () => {
    await engine.mustApply(tinyVm('pause'));
    await engine.vmBecomes('pause', 'Running');
    await engine.page('pause');
    expect((await engine.virt8s('pause', 'vm', 'pause')).code).toBe(0);
    await engine.vmBecomes('pause', 'Paused');
    const ip = await engine.podIp('pause');
    expect(await isSilent(ip)).toBe(true);
    const [pod] = await engine.list('pods', '-l', 'vm.kubevirt.io/name=pause');
    const ready = pod.status.conditions.find((c: { type: string }) => c.type === 'Ready');
    expect(ready.status).toBe('False');
    expect((await engine.virt8s('unpause', 'vm', 'pause')).code).toBe(0);
    await engine.vmBecomes('pause', 'Running');
    await engine.page('pause');
    await remove('pause');
  });

  test('that powers off on its own starts again under Always, and stays off under RerunOnFailure', async () => {
    const poweroff = (name: string): Promise<void> =>
      typeOnConsole(engine, name, 'poweroff', /The system is going down NOW!/);
    await engine.mustApply([tinyVm('again'), tinyVm('off', { runStrategy: 'RerunOnFailure' })]);
    await engine.vmBecomes('again', 'Running');
    await engine.vmBecomes('off', 'Running');
    await engine.page('off');
    const before = await engine.guest('again');
    await poweroff('again');
    await poweroff('off');
    await eventually(async () => expect((await engine.guest('again')).boot_id).not.toBe(before.boot_id));
    await engine.vmBecomes('off', 'Stopped');
    await remove('again');
    await remove('off');
  });

  test('that ignores the power button is killed after its grace period', async () => {
    const userData = '#cloud-config\nruncmd:\n  - killall acpid; rm /sbin/acpid; echo deaf > /var/www/deaf\n';
    await engine.mustApply(tinyVm('stubborn', { userData, graceSeconds: 4 }));
    await engine.vmBecomes('stubborn', 'Running');
    await engine.page('stubborn', '/deaf');
    const start = Date.now();
    await remove('stubborn');
    const seconds = (Date.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(3);
  });

  test('is reached by ssh, port-forward and console', async () => {
    const key = `${engine.stateDir}/key`;
    await engine.run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const { stdout: publicKey } = await engine.run('cat', [`${key}.pub`]);
    const userData = `#cloud-config\nssh_authorized_keys:\n  - ${publicKey.trim()}\n`;
    await engine.mustApply(tinyVm('reach', { userData }));
    await engine.vmBecomes('reach', 'Running');
    const ssh = await engine.virt8s(
      ...['ssh', 'root@vm/reach', '-i', key, '-c', 'hostname', '--known-hosts', `${engine.stateDir}/known`],
      ...['--local-ssh-opts=-oStrictHostKeyChecking=no'],
    );
    expect(ssh).toMatchObject({ code: 0, stdout: 'reach\n' });

    const forward = engine.start('port-forward', 'vm/reach', '0:80');
    let said = '';
    forward.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      const [, port] = await eventually(() => /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(said) ?? Promise.reject(said));
      const body = await eventually(() => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text()));
      expect(body).toContain('tiny');
    } finally {
      forward.kill('SIGTERM');
    }
    await remove('reach');
  });
});
