/** @needs guest @tier all */
import { sleep } from '../../../support/patience';
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
  await pod.until('answers', async () => (await pod.domain())?.status === 'Running');
}

test('a guest runs on when its launcher, its libvirtd or both are killed, and can still be operated', async () => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  const qemu = pod.pids('qemu-system-x86_64');
  const boot = await pod.bootId();
  for (const names of [['node'], ['libvirtd'], ['node', 'libvirtd']]) {
    await killAndRecover(...names);
    expect([names, await pod.bootId()]).toEqual([names, boot]);
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
  }
  pod.terminate();
  expect(await pod.ended()).toBe(0);
});

test('a hung libvirtd is reported and replaced, a hung QEMU is reported, and the guest runs on', async () => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  const [qemu] = pod.pids('qemu-system-x86_64');
  const boot = await pod.bootId();
  const [hung] = pod.pids('libvirtd');
  process.kill(hung!, 'SIGSTOP');
  // it is there and takes calls, and answers none
  await pod.until('the report', () => pod.states.at(-1)?.trouble?.reason === 'LibvirtUnresponsive');
  expect(pod.states.at(-1)).toMatchObject({ status: 'Running' });
  await pod.until('another libvirtd', () => pod.pids('libvirtd').some((pid) => pid !== hung));
  await pod.until('a state without trouble', () => pod.states.at(-1)?.trouble === undefined);
  expect(pod.pids('qemu-system-x86_64')).toEqual([qemu]);
  expect(await pod.bootId()).toBe(boot);
  expect(await pod.cmd.pauseVirtualMachine({})).toMatchObject({ success: true });
  await pod.until('the pause', () => pod.states.at(-1)?.status === 'Paused');
  await pod.cmd.unpauseVirtualMachine({});

  // a QEMU that does not answer its libvirtd is reported, both run on, and the guest can be stopped
  const libvirtd = pod.pids('libvirtd');
  // the worker that pauses the guest waits for QEMU without end
  process.kill(qemu!, 'SIGSTOP');
  const pause = pod.cmd.pauseVirtualMachine({});
  await pod.until('the report', () => pod.states.at(-1)?.trouble?.reason === 'LibvirtUnresponsive');
  expect(await pause).toMatchObject({ success: false, reason: 'LibvirtUnavailable' });
  process.kill(qemu!, 'SIGCONT');
  await pod.until('a state without trouble', () => pod.states.at(-1)?.trouble === undefined);
  expect(pod.pids('qemu-system-x86_64')).toEqual([qemu]);
  expect(pod.pids('libvirtd')).toEqual(libvirtd);
  // the Pod may end before its answer arrives
  const kill = async (): Promise<boolean> => (await pod.cmd.killVirtualMachine({})).success === true;
  const killing = pod.until('a kill', kill).catch(() => undefined);
  expect(await pod.ended()).toBe(0);
  await killing;
});

test('a Pod whose libvirtd hangs ends on request', async () => {
  await pod.sync(tinyVmi((vmi) => (vmi.spec.terminationGracePeriodSeconds = 1)));
  await pod.until('QEMU', () => pod.pids('qemu-system-x86_64').length === 1);
  process.kill(pod.pids('libvirtd')[0]!, 'SIGSTOP');
  pod.terminate();
  await pod.ended();
});

test('a guest that powers off while no launcher runs is noticed, and ends its Pod', async () => {
  await pod.sync(tinyVmi());
  await pod.until('boot', isUp);
  for (const name of ['node', 'libvirtd']) process.kill(pod.pids(name)[0]!, 'SIGSTOP');
  await pod.console('poweroff -f', /reboot: Power down/);
  for (const name of ['node', 'libvirtd']) process.kill(pod.pids(name)[0]!, 'SIGKILL');
  expect(await pod.ended()).not.toBeNull();
  expect(pod.terminationMessage).not.toBe('');
});

test('a launcher killed in the middle of a start converges to one guest', async () => {
  const first = pod.sync(tinyVmi()).catch(() => undefined);
  // eslint-disable-next-line virt8s/patience -- the time of the fault, at which the start may have come to any step
  await sleep(150);
  for (const pid of pod.pids('node')) process.kill(pid, 'SIGKILL');
  await first;
  await pod.until('a start', async () => (await pod.sync(tinyVmi())).success === true);
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
  await pod.until('the state again', () => pod.states.at(-1)?.status === 'Paused');
  pod.states.length = 0;
  await pod.closeNotify();
  await pod.listenNotify();
  await pod.until('the state once more', () => pod.states.at(-1)?.status === 'Paused');
});
