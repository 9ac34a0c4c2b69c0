import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Launcher } from '../../../../src/runtime/launcher/launcher';
import { DEFAULT_PATHS, pathsOf } from '../../../../src/runtime/launcher/paths';
import { RecordFile } from '../../../../src/runtime/launcher/vm/record';
import { fakeDomain, FakeLibvirtd } from './libvirt/fake-libvirtd';

const RUNNING = { state: 1, reason: 1 };
/** Destroyed. */
const OFF = { state: 5, reason: 2 };
const STOPPED = 5;

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
  const vmi = {
    apiVersion: 'kubevirt.io/v1' as const,
    kind: 'VirtualMachineInstance' as const,
    metadata: { name: 'tiny', namespace: 'default', uid: 'u' },
    spec: { domain: { memory: { guest: '128Mi' }, devices: {} }, terminationGracePeriodSeconds: 0 },
  };
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
