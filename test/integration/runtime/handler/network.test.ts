import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../src/api';
import { setUpNetwork } from '../../../../src/runtime/handler/network/phase1';
import { addEth0, startContainer } from './container';
import type { TestContainer } from './container';
import { eventually } from '../../../support/patience';
import { until } from '../../../support/until';

/** Real namespaces, bridge, tap and nftables. The guest is a namespace of its own behind the Pod's bridge. */

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const vmi = (nic: object = {}, pod: object = {}): VirtualMachineInstance =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { namespace: 'ns', name: 'web', uid: 'u' },
    spec: {
      networks: [{ name: 'default', pod }],
      domain: { devices: { interfaces: [{ name: 'default', masquerade: {}, ...nic }] } },
    },
  }) as VirtualMachineInstance;

async function container(): Promise<TestContainer> {
  const made = await startContainer();
  cleanups.push(() => made.close());
  return made;
}

/** A Pod with eth0 10.98.7.2 and fd98::2, and the other end of its wire with .1, in a namespace that forwards nothing. */
async function podAndOutside(mtu = 1500): Promise<{ pod: TestContainer; outside: TestContainer }> {
  const [pod, outside] = [await container(), await container()];
  const host = addEth0(pod, ['10.98.7.2/24', 'fd98::2/64'], mtu);
  execFileSync('ip', ['link', 'set', host, 'netns', String(outside.pid), 'name', 'wire']);
  outside.exec(['ip', 'link', 'set', 'lo', 'up']);
  outside.exec(['ip', 'addr', 'add', '10.98.7.1/24', 'dev', 'wire']);
  outside.exec(['ip', 'addr', 'add', 'fd98::1/64', 'dev', 'wire', 'nodad']);
  outside.exec(['ip', 'link', 'set', 'wire', 'up']);
  pod.exec(['ip', 'route', 'add', 'default', 'via', '10.98.7.1']);
  pod.exec(['ip', '-6', 'route', 'add', 'default', 'via', 'fd98::1']);
  return { pod, outside };
}

/** Plugs a namespace into the Pod's bridge, in the place of a guest. */
async function plugGuest(pod: TestContainer, v4: string, v6: string, gateways: string[]): Promise<TestContainer> {
  const guest = await container();
  pod.exec(['ip', 'link', 'add', 'guest0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(guest.pid)]);
  pod.exec(['ip', 'link', 'set', 'guest0', 'master', 'k6t-eth0', 'up']);
  guest.exec(['ip', 'link', 'set', 'lo', 'up']);
  guest.exec(['ip', 'addr', 'add', v4, 'dev', 'eth0']);
  guest.exec(['ip', 'addr', 'add', v6, 'dev', 'eth0', 'nodad']);
  guest.exec(['sh', '-c', 'echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad']);
  guest.exec(['ip', 'link', 'set', 'eth0', 'up']);
  guest.exec(['ip', 'route', 'add', 'default', 'via', gateways[0]]);
  guest.exec(['ip', '-6', 'route', 'add', 'default', 'via', gateways[1]]);
  return guest;
}

const running = (): VirtualMachineInstance => ({ ...vmi(), status: { phase: 'Running' } });

/** A connection that stays: each message comes back from the guest. */
async function converse(
  from: TestContainer,
  guest: TestContainer,
  host: string,
  port: number,
): Promise<(message: string) => Promise<string>> {
  const echo = `require('net').createServer((s) => s.pipe(s)).listen(${port}, '0.0.0.0')`;
  const server = spawn('nsenter', [`--net=/proc/${guest.pid}/ns/net`, '--', process.execPath, '-e', echo]);
  cleanups.push(() => server.kill('SIGKILL'));
  await until(() => guest.exec(['ss', '-Hltn']).includes(`0.0.0.0:${port}`));
  const pipe = `const s = require('net').connect(${port}, '${host}'); process.stdin.pipe(s).pipe(process.stdout)`;
  const client = spawn('nsenter', [`--net=/proc/${from.pid}/ns/net`, '--', process.execPath, '-e', pipe]);
  cleanups.push(() => client.kill('SIGKILL'));
  const say = async (message: string): Promise<string> => {
    client.stdin.write(message);
    return String((await once(client.stdout, 'data'))[0]);
  };
  expect(await say('hello')).toBe('hello');
  return say;
}

const SERVE = `
  const net = require('net');
  for (const host of ['0.0.0.0', '::']) {
    net.createServer((s) => { s.on('error', () => {}); s.end(process.argv[1] + ' saw ' + s.remoteAddress); })
      .listen({ host, port: Number(process.argv[2]), ipv6Only: host === '::' });
  }`;
const CONNECT = `
  const s = require('net').connect({ host: process.argv[1], port: Number(process.argv[2]) });
  let got = '';
  s.on('data', (d) => (got += d)).on('end', () => console.log(got)).on('error', (e) => console.log(e.code));`;

/** Answers each TCP connection with its name and whom it saw. */
async function serve(where: TestContainer, name: string, port: number): Promise<void> {
  const child = spawn('nsenter', [
    `--net=/proc/${where.pid}/ns/net`,
    '--',
    process.execPath,
    '-e',
    SERVE,
    name,
    String(port),
  ]);
  cleanups.push(() => child.kill('SIGKILL'));
  await until(() => {
    const listening = where.exec(['ss', '-Hltn']);
    return listening.includes(`0.0.0.0:${port}`) && listening.includes(`[::]:${port}`);
  });
}

const ask = (where: TestContainer, host: string, port: number): string =>
  where.exec([process.execPath, '-e', CONNECT, host, String(port)]).trim();

test('a guest is reached at the Pod’s addresses and reaches the world from them, over IPv4 and IPv6', async () => {
  const { pod, outside } = await podAndOutside(1430);
  const {
    interfaces: [facts],
  } = await setUpNetwork(vmi(), '/proc', pod.id);
  expect(facts).toMatchObject({
    network: 'default',
    binding: 'masquerade',
    tap: 'tap0',
    bridge: 'k6t-eth0',
    mtu: 1430,
    guestIPv4: '10.0.2.2/24',
    gatewayIPv4: '10.0.2.1',
    guestIPv6: 'fd10:0:2::2/120',
    gatewayIPv6: 'fd10:0:2::1',
  });
  expect(facts.mac).toMatch(/^02(:[0-9a-f]{2}){5}$/);
  const links = JSON.parse(pod.exec(['ip', '-j', '-d', 'link', 'show', 'tap0']));
  expect(links[0]).toMatchObject({ mtu: 1430, master: 'k6t-eth0', linkinfo: { info_data: { type: 'tap' } } });
  // the name that this machine gives to QEMU's user, if any
  expect([107, 'libvirt-qemu']).toContain(links[0].linkinfo.info_data.user);

  const guest = await plugGuest(pod, '10.0.2.2/24', 'fd10:0:2::2/120', ['10.0.2.1', 'fd10:0:2::1']);
  await serve(guest, 'guest', 80);
  await serve(outside, 'outside', 8080);
  await serve(pod, 'pod', 9999);
  // from outside; the guest sees who really called
  expect(ask(outside, '10.98.7.2', 80)).toBe('guest saw 10.98.7.1');
  expect(ask(outside, 'fd98::2', 80)).toBe('guest saw fd98::1');
  // from within the Pod: loopback and its own address
  expect(ask(pod, '127.0.0.1', 80)).toBe('guest saw 10.0.2.1');
  expect(ask(pod, '10.98.7.2', 80)).toBe('guest saw 10.98.7.2');
  expect(ask(pod, 'fd98::2', 80)).toBe('guest saw fd98::2');
  expect(ask(pod, '10.0.2.2', 80)).toBe('guest saw 10.0.2.1');
  // from the guest outwards
  expect(ask(guest, '10.98.7.1', 8080)).toBe('outside saw 10.98.7.2');
  expect(ask(guest, 'fd98::1', 8080)).toBe('outside saw fd98::2');
  // the Pod's own address on the bridge is the Pod's, its loopback is not the guest's
  expect(ask(guest, '10.0.2.1', 9999)).toBe('pod saw 10.0.2.2');
  guest.exec(['ip', 'route', 'add', 'unreachable', '192.0.2.0/24']);
  // before the guest's own loopback
  guest.exec(['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet']);
  guest.exec(['ip', 'route', 'add', '127.0.0.2/32', 'via', '10.0.2.1', 'table', '77']);
  guest.exec(['ip', 'rule', 'add', 'pref', '1', 'lookup', 'local']);
  guest.exec(['ip', 'rule', 'del', 'pref', '0']);
  guest.exec(['ip', 'rule', 'add', 'pref', '0', 'to', '127.0.0.2', 'lookup', '77']);
  await expectDropped(pod, () =>
    spawn('nsenter', [`--net=/proc/${guest.pid}/ns/net`, '--', process.execPath, '-e', CONNECT, '127.0.0.2', '9999']),
  );
});

/** Expects that the Pod receives an attempt to reach its loopback, and that no program in it does. */
async function expectDropped(pod: TestContainer, attempt: () => ChildProcess): Promise<void> {
  const rules = (['before', 'after'] as const).map((name) => {
    const hook = name === 'before' ? 'prerouting priority -300' : 'input priority 300';
    return `add chain ip seen ${name} { type filter hook ${hook} ; }\nadd rule ip seen ${name} ip daddr 127.0.0.2 counter`;
  });
  pod.exec(['nft', '-f', '-'], `add table ip seen\n${rules.join('\n')}\n`);
  const packets = (name: string): number =>
    Number(/packets (\d+)/.exec(pod.exec(['nft', 'list', 'chain', 'ip', 'seen', name]))?.[1]);
  const client = attempt();
  cleanups.push(() => client.kill('SIGKILL'));
  await until(() => packets('before') > 0);
  expect(packets('after')).toBe(0);
}

test('ports restrict the forwarded traffic', async () => {
  const { pod, outside } = await podAndOutside();
  await setUpNetwork(vmi({ ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }] }), '/proc', pod.id);
  const guest = await plugGuest(pod, '10.0.2.2/24', 'fd10:0:2::2/120', ['10.0.2.1', 'fd10:0:2::1']);
  await serve(guest, 'guest', 80);
  await serve(guest, 'guest', 81);
  await serve(pod, 'pod', 82);
  expect(ask(outside, '10.98.7.2', 80)).toBe('guest saw 10.98.7.1');
  expect(ask(outside, '10.98.7.2', 81)).toBe('ECONNREFUSED');
  expect(ask(outside, '10.98.7.2', 82)).toBe('pod saw 10.98.7.1');
  expect(ask(outside, 'fd98::2', 81)).toBe('ECONNREFUSED');
});

test('vmNetworkCIDR moves the guest’s network', async () => {
  const { pod, outside } = await podAndOutside();
  const cidrs = { vmNetworkCIDR: '192.168.77.0/26', vmIPv6NetworkCIDR: 'fd77::/112' };
  const {
    interfaces: [facts],
  } = await setUpNetwork(vmi({ macAddress: '02:00:00:00:00:09' }, cidrs), '/proc', pod.id);
  expect(facts).toMatchObject({ mac: '02:00:00:00:00:09', guestIPv4: '192.168.77.2/26', guestIPv6: 'fd77::2/112' });
  const guest = await plugGuest(pod, '192.168.77.2/26', 'fd77::2/112', ['192.168.77.1', 'fd77::1']);
  await serve(guest, 'guest', 80);
  expect(ask(outside, '10.98.7.2', 80)).toBe('guest saw 10.98.7.1');
});

test('a Pod with IPv4 only gives its guest IPv4 only', async () => {
  const pod = await container();
  addEth0(pod, ['10.98.9.2/24']);
  const {
    interfaces: [facts],
  } = await setUpNetwork(vmi(), '/proc', pod.id);
  expect(facts.guestIPv4).toBe('10.0.2.2/24');
  expect(facts.guestIPv6).toBeUndefined();
  expect(pod.exec(['nft', 'list', 'ruleset'])).not.toContain('ip6');
});

const snapshot = (pod: TestContainer): string =>
  pod.exec(['ip', '-j', 'link']) +
  // an address is tentative until the kernel has looked for a duplicate, in its own time
  pod.exec(['ip', '-j', 'addr']).replaceAll('"tentative":true,', '') +
  pod.exec(['nft', '-a', 'list', 'ruleset']);

/** In the place of QEMU: opens the tap as its user and keeps it open. The tap has a carrier when this resolves. */
async function openTap(pod: TestContainer): Promise<void> {
  const program = `
import fcntl, os, struct, time
fd = os.open('/dev/net/tun', os.O_RDWR)
os.setgid(107); os.setuid(107)
fcntl.ioctl(fd, 0x400454CA, struct.pack('16sH22x', b'tap0', 0x0002 | 0x1000))
time.sleep(600)`;
  const child = spawn('nsenter', [`--net=/proc/${pod.pid}/ns/net`, '--', 'python3', '-c', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  await until(() => hasCarrier(pod));
}

const hasCarrier = (pod: TestContainer): boolean =>
  (JSON.parse(pod.exec(['ip', '-j', 'link', 'show', 'tap0'])) as { flags: string[] }[])[0]!.flags.includes('LOWER_UP');

const indexes = (pod: TestContainer): number[] =>
  ['tap0', 'k6t-eth0'].map((name) => JSON.parse(pod.exec(['ip', '-j', 'link', 'show', name]))[0].ifindex as number);

test('a second run changes nothing under a guest, and completes the changes that a crash interrupted', async () => {
  const pod = await container();
  addEth0(pod, ['10.98.8.2/24', 'fd98:8::2/64']);
  const first = await setUpNetwork(vmi(), '/proc', pod.id);
  expect(first.differences).toEqual([]);
  const before = snapshot(pod);
  expect(await setUpNetwork(vmi(), '/proc', pod.id)).toEqual(first);
  expect(snapshot(pod)).toBe(before); // interface indexes and rule handles too

  // each prefix of the work, as a kill at that moment would leave it
  const undo = [
    ['nft', 'flush', 'ruleset'],
    ['ip', 'route', 'del', '255.255.255.255/32'],
    ['ip', 'link', 'set', 'k6t-eth0', 'down'],
    ['ip', 'link', 'del', 'tap0'],
    ['ip', 'link', 'del', 'k6t-eth0'],
  ];
  for (let steps = 1; steps <= undo.length; steps++) {
    for (const command of undo.slice(0, steps)) pod.exec(command);
    expect(await setUpNetwork(vmi(), '/proc', pod.id)).toEqual(first);
    expect(pod.exec(['ip', 'route'])).toContain('255.255.255.255 dev k6t-eth0');
    expect(pod.exec(['nft', 'list', 'ruleset']).match(/dnat/g)).toHaveLength(4);
    const repaired = snapshot(pod);
    expect(await setUpNetwork(vmi(), '/proc', pod.id)).toEqual(first);
    expect(snapshot(pod)).toBe(repaired);
  }
});

test('a handler of this version takes over the network of the previous version, and the guest keeps its connections', async () => {
  const { pod, outside } = await podAndOutside();
  // what the previous version ran for this Pod, with the mark by which it knew its work again
  pod.exec(['sh', '-s'], readFileSync(join(__dirname, 'previous/phase1.sh'), 'utf8'));
  await openTap(pod);
  const guest = await plugGuest(pod, '10.0.2.2/24', 'fd10:0:2::2/120', ['10.0.2.1', 'fd10:0:2::1']);
  await serve(guest, 'guest', 80);
  const connection = await converse(outside, guest, '10.98.7.2', 7);
  const before = indexes(pod);

  const { interfaces, differences } = await setUpNetwork(running(), '/proc', pod.id);
  expect(differences).toEqual([]);
  expect(interfaces).toMatchObject([{ tap: 'tap0', guestIPv4: '10.0.2.2/24', guestIPv6: 'fd10:0:2::2/120' }]);
  expect(indexes(pod)).toEqual(before);
  expect(hasCarrier(pod)).toBe(true);
  expect(await connection('still there')).toBe('still there');
  expect(ask(outside, '10.98.7.2', 80)).toBe('guest saw 10.98.7.1');
  expect(ask(outside, 'fd98::2', 80)).toBe('guest saw fd98::1');
  const after = snapshot(pod);
  await setUpNetwork(running(), '/proc', pod.id);
  expect(snapshot(pod)).toBe(after);
});

test('reports a difference that cannot be changed under an open tap, and changes nothing', async () => {
  const pod = await container();
  addEth0(pod, ['10.98.8.2/24']);
  await setUpNetwork(vmi(), '/proc', pod.id);
  await openTap(pod);
  pod.exec(['nft', 'flush', 'ruleset']);
  const before = snapshot(pod);
  const moved = vmi({}, { vmNetworkCIDR: '192.168.77.0/24' });
  const { differences } = await setUpNetwork(moved, '/proc', pod.id);
  expect(differences).toEqual(['the IPv4 address of k6t-eth0 is 10.0.2.1/24, wanted 192.168.77.1/24']);
  expect(snapshot(pod)).toBe(before);
  // rules and routes are put right under the guest
  expect((await setUpNetwork(vmi(), '/proc', pod.id)).differences).toEqual([]);
  expect(pod.exec(['nft', 'list', 'ruleset'])).toContain('dnat ip to 10.0.2.2');
  expect(hasCarrier(pod)).toBe(true);
});

test('never changes the host’s own network, even for a Pod that refers to it', async () => {
  const made = await startContainer();
  cleanups.push(() => made.close());
  const { mkdirSync, rmdirSync, writeFileSync } = await import('node:fs');
  const id = 'f'.repeat(64);
  const child = spawn('sleep', ['60'], { stdio: 'ignore' }); // in our own network namespace
  const cgroup = `/sys/fs/cgroup/freezer/virt8s-test-podhost${process.pid}`;
  mkdirSync(`${cgroup}/${id}`, { recursive: true });
  writeFileSync(`${cgroup}/${id}/cgroup.procs`, String(child.pid));
  cleanups.push(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    // the cgroup is empty a moment later
    await eventually(() => rmdirSync(`${cgroup}/${id}`));
    rmdirSync(cgroup);
  });
  await expect(setUpNetwork(vmi(), '/proc', id)).rejects.toThrow('no network namespace of its own');
});

test('rejects an unsupported interface with the supported ones', async () => {
  const pod = await container();
  const bridge = vmi({ masquerade: undefined, bridge: {} });
  await expect(setUpNetwork(bridge, '/proc', pod.id)).rejects.toThrow('binding "bridge" is not supported');
  await expect(setUpNetwork(vmi(), '/proc', pod.id)).rejects.toThrow('the Pod has no interface "eth0"');
  await expect(setUpNetwork(vmi(), '/proc', 'e'.repeat(64))).rejects.toThrow('has no process');
});
