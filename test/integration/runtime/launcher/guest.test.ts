/** @needs guest */
import { LauncherPod, podInterface, tinyVmi } from './pod';

let pod: LauncherPod;

beforeEach(async () => {
  pod = new LauncherPod();
  await pod.start();
});

afterEach(() => pod.destroy());

const isUp = () => /is up after/.test(pod.serialLog());

test('a guest boots, gets its address by DHCP and its data by cloud-init, answers, and powers off on request', async () => {
  const answer = await pod.sync(tinyVmi((vmi) => (vmi.spec.hostname = 'web')));
  expect(answer).toEqual({ success: true, message: '', reason: '', notApplied: [] });
  await pod.until('boot', isUp);
  expect(pod.serialLog()).toMatch(/web is up after .* address 10\.0\.2\.2\/24/);
  await pod.until('HTTP', async () =>
    /^ok\nHTTP\/1.1 200 OK/.test(await pod.forward('tcp 80', 'GET / HTTP/1.0\r\n\r\n')),
  );
  expect(await pod.domain()).toMatchObject({ status: 'Running', machineType: expect.stringMatching(/^pc-q35-/) });
  // again: nothing to do
  expect(await pod.sync(tinyVmi())).toMatchObject({ success: true });
  expect(await pod.cmd.shutdownVirtualMachine({})).toMatchObject({ success: true });
  expect(await pod.ended()).toBe(0);
  expect(pod.terminationMessage).toBe('the guest powered off');
  expect(pod.states.at(-1)).toMatchObject({ status: 'Shutoff', reason: 'Shutdown' });
});

test('pause, unpause, reset and a start that is paused', async () => {
  await pod.sync(tinyVmi((vmi) => (vmi.spec.startStrategy = 'Paused')));
  expect(await pod.domain()).toMatchObject({ status: 'Paused' });
  await pod.cmd.unpauseVirtualMachine({});
  await pod.until('boot', isUp);
  await pod.cmd.pauseVirtualMachine({});
  expect(await pod.domain()).toMatchObject({ status: 'Paused', reason: 'User' });
  await pod.cmd.unpauseVirtualMachine({});
  // it runs, since its console answers
  expect(await pod.bootId()).toMatch(/-/);
  await pod.cmd.resetVirtualMachine({});
  // a guest that starts paused shows its boot menu for 10 s, so that the user can see it
  await pod.until('a second boot', () => pod.serialLog().match(/is up after/g)?.length === 2);
  expect(await pod.domain()).toMatchObject({ status: 'Running' });
});

test('EFI with secure boot and a TPM, many devices and room to grow starts', async () => {
  const answer = await pod.sync(
    tinyVmi((vmi) => {
      const { domain } = vmi.spec;
      vmi.spec.startStrategy = 'Paused';
      domain.firmware = { bootloader: { efi: {} } };
      domain.features = { acpi: {}, smm: {}, apic: {}, hyperv: { relaxed: {} } };
      domain.cpu = { cores: 1, sockets: 1, threads: 1, maxSockets: 4 };
      domain.memory = { guest: '1Gi', maxGuest: '4Gi' };
      domain.devices.tpm = {};
      domain.devices.watchdog = { name: 'dog', i6300esb: { action: 'reset' } };
      domain.devices.inputs = [{ name: 'tablet', type: 'tablet', bus: 'usb' }];
      domain.devices.sound = { name: 'sound', model: 'ich9' };
      domain.devices.panicDevices = [{ model: 'pvpanic' }];
    }),
  );
  expect(answer).toEqual({ success: true, message: '', reason: '', notApplied: [] });
});

test('a probe of a guest without an agent fails with the cause, in the Pod and for virt-handler', async () => {
  await pod.sync(tinyVmi());
  const ping = ['virt-probe', '--domainName', 'default_tiny', '--timeoutSeconds', '1', '--guestAgentPing'];
  const cause = 'the guest agent is not connected; install qemu-guest-agent in the guest';
  expect(pod.exec(...ping)).toEqual({ code: 1, output: `${cause}\n` });
  const refused = { success: false, reason: 'AgentNotConnected', message: cause };
  expect(await pod.cmd.guestPing({ timeoutSeconds: 1 })).toMatchObject({ response: refused });
  expect(await pod.cmd.exec({ Command: 'true', timeoutSeconds: 1 })).toMatchObject({ response: refused });
});

test('a running guest reports the fields of a changed spec that it does not have, and keeps running unchanged, until its Pod gets SIGTERM', async () => {
  await pod.sync(tinyVmi());
  const wanted = tinyVmi((vmi) => {
    vmi.spec.domain.memory = { guest: '256Mi' };
    vmi.spec.domain.devices.disks!.push({ name: 'data', disk: { bus: 'scsi' } });
    vmi.spec.volumes!.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
  });
  const notApplied = ['spec.domain.devices.disks[data]', 'spec.domain.memory.guest', 'spec.volumes[data]'];
  const answer = await pod.sync(wanted, [{ ...podInterface, guestIPv4: '10.9.9.2/24' }]);
  expect(answer).toMatchObject({ success: true });
  expect([...answer.notApplied!].sort()).toEqual(notApplied);
  expect(await pod.domain()).toMatchObject({ status: 'Running', memory: { guestCurrent: 128 * 2 ** 20 } });
  // a restarted launcher knows what its guest was started from
  const [launcher] = pod.pids('node');
  process.kill(launcher!, 'SIGKILL');
  await pod.until('a new launcher', () => pod.pids('node').some((pid) => pid !== launcher));
  await pod.until('answers', async () => (await pod.domain())?.status === 'Running');
  expect([...(await pod.sync(wanted)).notApplied!].sort()).toEqual(notApplied);
  expect((await pod.sync(tinyVmi())).notApplied).toEqual([]);
  // its DHCP server keeps using the network of the start
  await pod.until('boot', isUp);
  expect(pod.serialLog()).toMatch(/address 10\.0\.2\.2\/24/);
  // SIGTERM to PID 1 presses the power button
  pod.terminate();
  expect(await pod.ended()).toBe(0);
  expect(pod.terminationMessage).toBe('the guest powered off');
});

test('a guest that ignores the power button is killed after its grace period', async () => {
  await pod.sync(tinyVmi((vmi) => (vmi.spec.terminationGracePeriodSeconds = 2)));
  await pod.until('QEMU', () => pod.pids('qemu-system-x86_64').length === 1);
  pod.terminate(); // still in its firmware: nobody hears the button
  expect(await pod.ended()).toBe(0);
  expect(pod.terminationMessage).toBe('the guest was stopped on request');
});

test('a killed QEMU is a failure, with its cause', async () => {
  await pod.sync(tinyVmi());
  await pod.until('QEMU', () => pod.pids('qemu-system-x86_64').length === 1);
  process.kill(pod.pids('qemu-system-x86_64')[0]!, 'SIGKILL');
  expect(await pod.ended()).toBe(1);
  expect(pod.terminationMessage).toBe('QEMU ended unexpectedly, or the guest crashed');
  expect(pod.states.at(-1)).toMatchObject({ status: 'Shutoff' });
});

test.each([
  [
    'memory larger than the machine',
    tinyVmi((vmi) => (vmi.spec.domain.memory = { guest: '900Ti' })),
    /OutOfMemory|SyncFailed/,
    /memory/i,
  ],
  [
    'a machine type that QEMU lacks',
    tinyVmi((vmi) => (vmi.spec.domain.machine = { type: 'pc-q35-99.9' })),
    /Unsupported|SyncFailed/,
    /machine/i,
  ],
  [
    'a field that is not supported',
    tinyVmi((vmi) => (vmi.spec.domain.launchSecurity = { sev: {} })),
    /UnsupportedSpec/,
    /launchSecurity/,
  ],
  [
    'an image without a disk',
    tinyVmi((vmi) => (vmi.spec.volumes![0]!.containerDisk!.path = '/disk/none.qcow2')),
    /DiskMissing/,
    /the image has no \/disk\/none.qcow2/,
  ],
])('%s is rejected with reason and cause; the corrected VMI then starts', async (_, vmi, reason, message) => {
  const refused = await pod.sync(vmi);
  expect(refused.success).toBe(false);
  expect(refused.reason).toMatch(reason);
  expect(refused.message).toMatch(message);
  expect(await pod.domain()).toBeUndefined();
  expect(await pod.sync(tinyVmi())).toMatchObject({ success: true });
  expect(await pod.domain()).toMatchObject({ status: 'Running' });
});

test('another VMI and a NIC without tap are rejected', async () => {
  const other = await pod.sync(tinyVmi((vmi) => (vmi.metadata.uid = '99999999-2222-4333-8444-555555555555')));
  expect(other).toMatchObject({ success: false, reason: 'WrongVmi' });
  const noTap = await pod.sync(tinyVmi(), [{ ...podInterface, tap: '' }]);
  expect(noTap).toMatchObject({ success: false, reason: 'NetworkMissing' });
});

test('without a guest the Pod ends immediately on request', async () => {
  pod.terminate();
  expect(await pod.ended()).toBe(0);
});
