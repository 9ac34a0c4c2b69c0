import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../src/api';
import { Launcher } from '../../../../src/runtime/launcher/launcher';
import { DEFAULT_PATHS, pathsOf } from '../../../../src/runtime/launcher/paths';
import { RecordFile } from '../../../../src/runtime/launcher/vm/record';
import { fakeDomain, FakeLibvirtd } from './libvirt/fake-libvirtd';

const RUNNING = { state: 1, reason: 1 };
/** Destroyed. */
const OFF = { state: 5, reason: 2 };
const STOPPED = 5;

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'tiny', namespace: 'default', uid: 'u' },
  spec: { domain: { memory: { guest: '128Mi' }, devices: {} }, terminationGracePeriodSeconds: 0 },
};

let directory: string;
let libvirtd: FakeLibvirtd;
let domain: { state: number; reason: number };
let launcher: Launcher;
let ended: Promise<void>;

beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation();
  const exit = Promise.withResolvers<void>();
  jest.spyOn(process, 'exit').mockImplementation((() => exit.resolve()) as never);
  ended = exit.promise;
  directory = mkdtempSync(join(tmpdir(), 'launcher-'));
  mkdirSync(join(directory, '.s6-svscan'));
  domain = RUNNING;
  libvirtd = new FakeLibvirtd({
    domainLookupByName: () => ({ dom: fakeDomain }),
    domainGetState: () => domain,
    domainGetXmlDesc: () => ({ xml: '<domain/>' }),
  });
  await libvirtd.start();
  const record = { vmi, options: {}, started: true, stopping: false };
  new RecordFile(join(directory, 'launcher.json')).write(record);
  launcher = new Launcher({
    paths: {
      ...pathsOf({ ...DEFAULT_PATHS, private: directory, share: directory }),
      libvirtSocket: libvirtd.socket,
    },
    startTimeoutSeconds: 240,
    graceSeconds: 30,
    supervisor: directory,
    resolvConf: () => '',
  });
  jest.spyOn(launcher['notifier'], 'flush').mockResolvedValue();
});

afterEach(async () => {
  launcher['guest'].close();
  launcher['notifier'].close();
  await libvirtd.close();
  rmSync(directory, { recursive: true });
  jest.restoreAllMocks();
});

test('a stopped Pod whose libvirtd is replaced in the middle of the kill uses the new one', async () => {
  const asked = Promise.withResolvers<void>();
  libvirtd.handlers.domainDestroyFlags = () => (asked.resolve(), new Promise<never>(() => {}));
  launcher['guest'].start();
  await launcher['guest'].refresh();
  launcher.stop();
  await asked.promise;
  libvirtd.handlers.domainDestroyFlags = () => void (domain = OFF);
  libvirtd.crash();
  await ended;
  expect(readFileSync(join(directory, 'exit-code'), 'utf8')).toBe('0\n');
});

test('a stopped Pod waits for a QEMU that takes 40 s to die, and ends well', async () => {
  const dead = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<void>();
  libvirtd.handlers.domainDestroyFlags = () => (asked.resolve(), dead.promise);
  launcher['guest'].start();
  await launcher['guest'].refresh();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    launcher.stop();
    await jest.advanceTimersByTimeAsync(0);
    await asked.promise;
    await jest.advanceTimersByTimeAsync(40_000);
    expect(existsSync(join(directory, 'exit-code'))).toBe(false);
    domain = OFF;
    libvirtd.lifecycle(STOPPED);
    dead.resolve(undefined);
    await ended;
    expect(readFileSync(join(directory, 'exit-code'), 'utf8')).toBe('0\n');
  } finally {
    jest.useRealTimers();
  }
});

describe('a forwarded port of a guest whose agent lies about its address', () => {
  const GIVEN = '127.0.0.77';
  const MAC = '02:00:00:00:00:01';
  const listeners = new Set<Server>();

  beforeEach(() => {
    const original = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server;
    jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
      listeners.add(this);
      return original.apply(this, args);
    });
  });
  afterEach(() => {
    for (const server of listeners) server.close();
    listeners.clear();
  });

  test.each([
    ['the loopback of its Pod', '127.0.0.1'],
    ['the metadata service of the cloud', '169.254.169.254'],
    ['another Pod', '10.244.0.9'],
    ['an IPv6 address', '::1'],
  ])('leads to the address that virt-handler assigned, not to %s', async (_, reported) => {
    const guest = createServer((socket) => socket.end('the guest')).listen(0, GIVEN);
    await once(guest, 'listening');
    const { port } = guest.address() as AddressInfo;
    const answers: Record<string, object> = {
      'guest-info': { version: '10.0', supported_commands: [] },
      'guest-network-get-interfaces': [
        { name: 'eth0', 'hardware-address': MAC, 'ip-addresses': [{ 'ip-address': reported }] },
      ],
    };
    libvirtd.handlers.domainGetXmlDesc = () => ({ xml: "<target name='org.qemu.guest_agent.0' state='connected'/>" });
    libvirtd.handlers.qemuDomainAgentCommand = ({ cmd }) => {
      const { execute } = JSON.parse(cmd) as { execute: string };
      return { result: JSON.stringify({ return: answers[execute] ?? {} }) };
    };
    const spec = { ...vmi.spec, domain: { ...vmi.spec.domain, devices: { interfaces: [{ name: 'default' }] } } };
    const podInterfaces = [{ network: 'default', mac: MAC, guestIPv4: `${GIVEN}/24` }];
    const record = { vmi: { ...vmi, spec }, options: { podInterfaces }, started: true, stopping: false };
    new RecordFile(join(directory, 'launcher.json')).write(record);
    jest.spyOn(launcher['dhcp'], 'serve').mockResolvedValue();
    mkdirSync(join(directory, 'sockets'));
    const heard = Promise.withResolvers<void>();
    jest.spyOn(launcher['notifier'], 'publish').mockImplementation(({ interfaces }) => {
      if (interfaces?.some(({ ips }) => ips?.includes(reported))) heard.resolve();
    });
    await launcher.start();
    await heard.promise;
    const client = connect(join(directory, 'sockets/portforward-sock'));
    let answer = '';
    client.on('data', (bytes) => (answer += String(bytes))).write(`tcp ${port}\n`);
    await once(client, 'close');
    expect(answer).toBe('ok\nthe guest');
  });
});
