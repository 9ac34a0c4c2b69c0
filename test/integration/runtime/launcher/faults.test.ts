/** @needs guest */
import { LauncherPod, tinyVmi } from './pod';

let pod: LauncherPod;

beforeEach(async () => {
  pod = new LauncherPod();
  await pod.start();
});

afterEach(() => pod.destroy());

const isUp = () => /is up after/.test(pod.serialLog());

async function killAndRecover(...names: string[]): Promise<void> {
  const old = new Map(names.map((name) => [name, pod.pids(name)]));
  for (const pids of old.values()) for (const pid of pids) process.kill(pid, 'SIGKILL');
  for (const name of names) {
    await pod.until(`a new ${name}`, () => {
      const now = pod.pids(name);
      return now.length === 1 && !old.get(name)!.includes(now[0]!);
    });
  }
  await pod.until('answers', async () => (await pod.domain())?.status === 'Running', 20_000);
}

test.each([
  ['launcher', ['node']],
  ['libvirtd', ['libvirtd']],
  ['launcher and libvirtd at once', ['node', 'libvirtd']],
])('a guest runs on when its %s is killed, and can still be operated', async (_, names) => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  const qemu = pod.pids('qemu-system-x86_64');
  const before = await pod.uptime();
  const began = Date.now();
  await killAndRecover(...names);
  const after = await pod.uptime();
  // emulation may lag, but a reboot would start from zero
  expect(after).toBeGreaterThan(before);
  expect(after - before).toBeLessThan((Date.now() - began) / 1000 + 5);
  expect(pod.pids('qemu-system-x86_64')).toEqual(qemu);
  // sockets, port forwarding, DHCP and commands are there again
  await pod.until('HTTP', async () =>
    /^ok\nHTTP\/1.1 200 OK/.test(await pod.forward('tcp 80', 'GET / HTTP/1.0\r\n\r\n')),
  );
  expect((await pod.console('udhcpc -n -q -i eth0 -s /etc/udhcpc; echo rc=$?', /rc=(\d+)/))[1]).toBe('0');
  expect(await pod.sync(tinyVmi())).toMatchObject({ success: true });
  await pod.cmd.pauseVirtualMachine({});
  expect(await pod.domain()).toMatchObject({ status: 'Paused', reason: 'User' });
  await pod.cmd.unpauseVirtualMachine({});
  pod.terminate();
  expect(await pod.ended()).toBe(0);
});

test('a hung libvirtd is reported and replaced, and the guest runs on', async () => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  const qemu = pod.pids('qemu-system-x86_64');
  const before = await pod.uptime();
  const [hung] = pod.pids('libvirtd');
  process.kill(hung!, 'SIGSTOP');
  // it is there and takes calls, and answers none
  await pod.until('the report', () => pod.states.at(-1)?.trouble?.reason === 'LibvirtUnresponsive', 60_000);
  expect(pod.states.at(-1)).toMatchObject({ status: 'Running' });
  await pod.until('another libvirtd', () => pod.pids('libvirtd').some((pid) => pid !== hung), 90_000);
  await pod.until('a state without trouble', () => pod.states.at(-1)?.trouble === undefined, 30_000);
  expect(pod.pids('qemu-system-x86_64')).toEqual(qemu);
  expect(await pod.uptime()).toBeGreaterThan(before);
  expect(await pod.cmd.pauseVirtualMachine({})).toMatchObject({ success: true });
  await pod.until('the pause', () => pod.states.at(-1)?.status === 'Paused');
});

test('a QEMU that does not answer its libvirtd is reported, both run on, and the guest can be stopped', async () => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  const libvirtd = pod.pids('libvirtd');
  const [qemu] = pod.pids('qemu-system-x86_64');
  // the worker that pauses the guest waits for QEMU without end
  process.kill(qemu!, 'SIGSTOP');
  const pause = pod.cmd.pauseVirtualMachine({}, { timeoutMs: 60_000 });
  await pod.until('the report', () => pod.states.at(-1)?.trouble?.reason === 'LibvirtUnresponsive', 120_000);
  expect(await pause).toMatchObject({ success: false, reason: 'LibvirtUnavailable' });
  process.kill(qemu!, 'SIGCONT');
  await pod.until('a state without trouble', () => pod.states.at(-1)?.trouble === undefined, 30_000);
  expect(pod.pids('qemu-system-x86_64')).toEqual([qemu]);
  expect(pod.pids('libvirtd')).toEqual(libvirtd);
  // the Pod may end before its answer arrives
  const kill = async (): Promise<boolean> => (await pod.cmd.killVirtualMachine({})).success === true;
  const killing = pod.until('a kill', kill, 30_000).catch(() => undefined);
  expect(await pod.ended(60_000)).toBe(0);
  await killing;
});

test('a Pod whose libvirtd hangs ends on request', async () => {
  await pod.sync(tinyVmi((vmi) => (vmi.spec.terminationGracePeriodSeconds = 1)));
  await pod.until('QEMU', () => pod.pids('qemu-system-x86_64').length === 1);
  process.kill(pod.pids('libvirtd')[0]!, 'SIGSTOP');
  pod.terminate();
  await pod.ended(200_000);
});

test('a guest that powers off while no launcher runs is noticed, and ends its Pod', async () => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  for (const name of ['node', 'libvirtd']) process.kill(pod.pids(name)[0]!, 'SIGSTOP');
  await pod.console('poweroff -f', /./).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (const name of ['node', 'libvirtd']) process.kill(pod.pids(name)[0]!, 'SIGKILL');
  expect(await pod.ended(30_000)).not.toBeNull();
  expect(pod.terminationMessage).not.toBe('');
});

test('a launcher killed in the middle of a start converges to one guest', async () => {
  const first = pod.sync(tinyVmi()).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (const pid of pod.pids('node')) process.kill(pid, 'SIGKILL');
  await first;
  await pod.until('a start', async () => (await pod.sync(tinyVmi())).success === true, 30_000);
  expect(await pod.domain()).toMatchObject({ status: 'Running' });
  expect(pod.pids('qemu-system-x86_64')).toHaveLength(1);
});

test('a handler that restarts gets the current state', async () => {
  await pod.sync(tinyVmi());
  await pod.until('the state', () => pod.states.at(-1)?.status === 'Running');
  await pod.closeNotify();
  pod.states.length = 0;
  await pod.cmd.pauseVirtualMachine({});
  await pod.listenNotify();
  await pod.until('the state again', () => pod.states.at(-1)?.status === 'Paused', 10_000);
  pod.states.length = 0;
  await pod.closeNotify();
  await pod.listenNotify();
  await pod.until('the state once more', () => pod.states.at(-1)?.status === 'Paused', 10_000);
});
