import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { DEFAULT_PATHS, pathsOf } from '../../../../../src/runtime/launcher/paths';
import { Guest } from '../../../../../src/runtime/launcher/vm/guest';
import { type LauncherRecord, RecordFile } from '../../../../../src/runtime/launcher/vm/record';
import type { Ending } from '../../../../../src/runtime/launcher/vm/state';
import type { DomainState } from '../../../../../src/runtime/protocol';
import { fakeDomain, FakeLibvirtd } from '../libvirt/fake-libvirtd';

const RUNNING = { state: 1, reason: 1 };
const OFF = { state: 5, reason: 1 };
const STOPPED = 5;

const vmi = (spec: object = {}): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'tiny', namespace: 'default', uid: 'u' },
  spec: { domain: { memory: { guest: '128Mi' }, devices: {} }, ...spec },
});

let directory: string;
let libvirtd: FakeLibvirtd;
let guest: Guest;
let states: DomainState[];
let endings: Ending[];
let records: LauncherRecord[];
let restarts: number;
let changed: PromiseWithResolvers<void>;
let domain: { state: number; reason: number };

beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation();
  directory = mkdtempSync(join(tmpdir(), 'guest-'));
  domain = RUNNING;
  libvirtd = new FakeLibvirtd({
    domainLookupByName: () => ({ dom: fakeDomain }),
    domainGetState: () => domain,
    domainGetXmlDesc: () => ({ xml: '<domain/>' }),
    domainDestroyFlags: () => undefined,
    domainSuspend: () => undefined,
  });
  await libvirtd.start();
  [states, endings, records, restarts, changed] = [[], [], [], 0, Promise.withResolvers()];
});

afterEach(async () => {
  guest.close();
  await libvirtd.close();
  rmSync(directory, { recursive: true });
  jest.restoreAllMocks();
});

/** A launcher that was restarted beside its guest, or with `started: false` one that is about to start it. */
type LauncherState = Partial<LauncherRecord> | 'no record';

function begin(record: LauncherState = {}): void {
  const file = new RecordFile(join(directory, 'launcher.json'));
  if (record !== 'no record') file.write({ vmi: vmi(), options: {}, started: true, stopping: false, ...record });
  const paths = { ...pathsOf({ ...DEFAULT_PATHS, private: directory }), libvirtSocket: libvirtd.socket };
  guest = new Guest(paths, file, {
    onState: (state) => {
      states.push(state);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    onEnded: (ending) => endings.push(ending),
    onRecord: (saved) => records.push(saved),
    restartLibvirtd: () => void restarts++,
  });
  guest.start();
}

/** Waits for a state, however many come before it. */
async function until(condition: (state: DomainState) => boolean): Promise<void> {
  while (!states.some(condition)) await changed.promise;
}

const isRunning = ({ status }: DomainState): boolean => status === 'Running';
const isOff = ({ status }: DomainState): boolean => status === 'Shutoff';
const called = async (name: string, times: number): Promise<void> => {
  while (libvirtd.called.filter((each) => each === name).length < times) await new Promise(setImmediate);
};

test('does not report a state from before the guest powered off', async () => {
  const xml = Promise.withResolvers<{ xml: string }>();
  libvirtd.handlers.domainGetXmlDesc = () => xml.promise;
  begin();
  await called('domainGetXmlDesc', 1); // it read Running, and is not done
  domain = OFF;
  libvirtd.lifecycle(STOPPED);
  // calls on the same connection: when they are answered, the event was heard, and a read of its own would be done
  await guest.kill();
  await guest.kill();
  xml.resolve({ xml: '<domain/>' });
  await until(isOff);
  await guest.refresh();
  expect(states.map(({ status }) => status)).toEqual(['Running', 'Shutoff']);
  expect(endings).toEqual([{ exitCode: 0, message: 'the guest powered off' }]);
});

test('reads an unreadable state again without another event, and reports it if that lasts', async () => {
  begin();
  await until(isRunning);
  libvirtd.handlers.domainGetState = () => Promise.reject(new Error('no answer'));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const advance = async (ms: number, calls: number): Promise<void> => {
      await called('domainGetState', calls);
      await jest.advanceTimersByTimeAsync(ms);
    };
    libvirtd.handlers.domainGetState = undefined; // never answers
    const before = libvirtd.called.filter((each) => each === 'domainGetState').length;
    void guest.refresh();
    await advance(30_000, before + 1); // its deadline
    expect(states.at(-1)?.trouble).toBeUndefined();
    await advance(5_000, before + 1); // the pause
    await advance(30_000, before + 2);
    expect(states.at(-1)).toMatchObject({
      status: 'Running',
      trouble: { reason: 'GuestStateUnknown', message: expect.stringContaining('no answer within 30000 ms') },
    });
    libvirtd.handlers.domainGetState = () => domain;
    const reported = changed.promise;
    await advance(5_000, before + 2);
    await reported;
    expect(states.at(-1)).toMatchObject({ status: 'Running' });
    expect(states.at(-1)).not.toHaveProperty('trouble');
  } finally {
    jest.useRealTimers();
  }
});

test('a kill does not wait for a start that hangs', async () => {
  domain = { state: 3, reason: 11 }; // paused, starting up
  libvirtd.handlers.domainLookupByName = undefined; // the sync's first call hangs
  begin({ started: false });
  const sync = guest.sync(vmi(), {}).catch(() => undefined);
  await called('domainLookupByName', 1);
  libvirtd.handlers.domainLookupByName = () => ({ dom: fakeDomain });
  await guest.kill();
  expect(libvirtd.called).toContain('domainDestroyFlags');
  guest.close();
  await sync;
});

describe('a kill before the start is final:', () => {
  let defining: PromiseWithResolvers<{ dom: typeof fakeDomain }>;
  const sync = (): Promise<unknown> => guest.sync(vmi(), {}).catch((error: unknown) => error);

  beforeEach(() => {
    domain = OFF;
    defining = Promise.withResolvers();
    libvirtd.handlers.domainUndefineFlags = () => undefined;
    libvirtd.handlers.domainCreateWithFlags = () => ({ dom: fakeDomain });
    libvirtd.handlers.domainDefineXmlFlags = () => defining.promise;
  });

  // with a record, the state is read besides
  test.each<[string, LauncherState, 'domainLookupByName' | 'domainGetState', number]>([
    ['while the sync looks for the domain', { started: false }, 'domainLookupByName', 2],
    ['while the sync reads the state of the domain', { started: false }, 'domainGetState', 2],
    ['the same of a launcher without a record', 'no record', 'domainGetState', 1],
  ])('%s', async (_, record, name, asked) => {
    const before = Promise.withResolvers<never>();
    const answer = libvirtd.handlers[name];
    libvirtd.handlers[name] = () => before.promise;
    begin(record);
    const syncing = sync();
    await called(name, asked);
    libvirtd.handlers[name] = answer as never;
    await guest.kill();
    before.resolve((name === 'domainGetState' ? OFF : { dom: fakeDomain }) as never);
    expect(await syncing).toMatchObject({ reason: 'Stopping' });
    expect(await sync()).toMatchObject({ reason: 'Stopping' });
    expect(libvirtd.called).not.toContain('domainDefineXmlFlags');
  });

  test('while the domain is defined, which is undone', async () => {
    begin({ started: false });
    const syncing = sync();
    await called('domainDefineXmlFlags', 1);
    await guest.kill();
    defining.resolve({ dom: fakeDomain });
    expect(await syncing).toMatchObject({ reason: 'Stopping' });
    expect(libvirtd.called).toContain('domainUndefineFlags');
    expect(libvirtd.called).not.toContain('domainCreateWithFlags');
  });

  test('while QEMU starts, which ends it', async () => {
    const starting = Promise.withResolvers<{ dom: typeof fakeDomain }>();
    libvirtd.handlers.domainCreateWithFlags = () => starting.promise;
    begin({ started: false });
    defining.resolve({ dom: fakeDomain });
    const syncing = sync();
    await called('domainCreateWithFlags', 1);
    await guest.kill(); // libvirt has not begun the start yet
    expect(libvirtd.called.filter((name) => name === 'domainDestroyFlags')).toHaveLength(1);
    starting.resolve({ dom: fakeDomain });
    await syncing;
    expect(libvirtd.called.filter((name) => name === 'domainDestroyFlags')).toHaveLength(2);
  });

  test('also for the launcher that is started after this one', async () => {
    begin({ started: false, stopping: true });
    expect(await sync()).toMatchObject({ reason: 'Stopping' });
  });
});

test('a power button without a guest does not prevent the start', async () => {
  domain = OFF;
  begin({ started: false });
  await expect(guest.shutdown()).rejects.toMatchObject({ reason: 'NoDomain' });
  expect(records.at(-1)).toMatchObject({ stopping: false });
});

test('a kill without libvirtd fails in time, with its cause', async () => {
  await libvirtd.close();
  begin();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const killed = guest.kill().catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await killed).toContain('no connection within 10000 ms');
  } finally {
    jest.useRealTimers();
  }
});

describe('a libvirtd that answers pings and not every call', () => {
  const UNRESPONSIVE = { status: 'Running', trouble: { reason: 'LibvirtUnresponsive' } };
  const suspend = (): Promise<unknown> => guest.pause().catch((error: Error) => error.message);

  beforeEach(async () => {
    begin();
    await until(isRunning);
    libvirtd.handlers.domainSuspend = undefined;
    const begun = performance.now();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    jest.advanceTimersByTime(Math.ceil(begun)); // the fake clock begins at 0; fractions would not add up
  });
  afterEach(() => jest.useRealTimers());

  test('fails the operation, and is reported although the state can be read; QEMU may be the cause', async () => {
    const paused = suspend();
    await called('domainSuspend', 1);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await paused).toBe('libvirt domainSuspend: no answer within 30000 ms');
    await jest.advanceTimersByTimeAsync(90_000); // past the minute in which a libvirtd is taken to start
    await guest['session'].check();
    await guest['session'].check();
    expect(states.at(-1)).toMatchObject(UNRESPONSIVE);
    expect(restarts).toBe(0);
  });

  test('is reported as long as it lasts, even if the state is read in between, and restarted for a stop', async () => {
    void suspend();
    await called('domainSuspend', 1);
    await jest.advanceTimersByTimeAsync(59_999);
    guest['starting'] = true; // no restart
    await guest['session'].check();
    expect(states.at(-1)).not.toHaveProperty('trouble');
    await jest.advanceTimersByTimeAsync(1);
    await guest['session'].check();
    await guest.refresh();
    expect(states.at(-1)).toMatchObject(UNRESPONSIVE);
    expect(restarts).toBe(0);
    // a guest that is to be stopped needs no start
    guest.forbidStarts();
    await jest.advanceTimersByTimeAsync(60_000);
    await guest['session'].check();
    await guest['session'].check();
    expect(restarts).toBe(1);
  });

  test.each([
    ['domainLookupByName', 5_000],
    ['domainDestroyFlags', 12_000],
  ] as const)('fails a kill before virt-handler gives up: %s', async (name, deadlineMs) => {
    libvirtd.handlers[name] = undefined;
    const before = libvirtd.called.filter((each) => each === name).length;
    const killed = guest.kill().catch((error: Error) => error.message);
    await called(name, before + 1);
    await jest.advanceTimersByTimeAsync(deadlineMs);
    expect(await killed).toBe(`libvirt ${name}: no answer within ${deadlineMs} ms`);
  });
});

test('a restarted launcher that cannot reach libvirt does not report its guest as ended', async () => {
  await libvirtd.close();
  begin();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    expect(() => guest.current).toThrow(
      'virt-launcher does not know the state of its guest: libvirtd has not been queried yet',
    );
    void guest.refresh();
    for (let i = 0; i < 4; i++) await jest.advanceTimersByTimeAsync(10_000);
    expect(() => guest.current).toThrow(/does not know the state of its guest: .* no connection within 10000 ms/);
    expect([states, endings]).toEqual([[], []]);
  } finally {
    jest.useRealTimers();
  }
});

test('a launcher that has not started its guest yet reports that there is none', async () => {
  begin({ started: false });
  expect(guest.current).toEqual({ status: 'NoState', reason: 'Unknown' });
});

test('a guest that has ended is not started again in its Pod', async () => {
  domain = OFF;
  begin();
  await until(isOff);
  await expect(guest.sync(vmi(), {})).rejects.toMatchObject({ reason: 'GuestEnded' });
  expect(libvirtd.called).not.toContain('domainDefineXmlFlags');
});

test('a guest whose domain no longer exists has ended, too', async () => {
  libvirtd.handlers.domainLookupByName = () => ({ dom: fakeDomain });
  domain = { state: 0, reason: 0 };
  begin();
  await until(isOff);
  expect(endings).toEqual([{ exitCode: 1, message: 'the guest ended for an unknown cause (Unknown)' }]);
});

test('a running guest keeps the spec that it was started with, and reports the fields that it does not have', async () => {
  begin();
  await until(isRunning);
  const wanted = vmi({
    domain: { memory: { guest: '256Mi' }, devices: {} },
    terminationGracePeriodSeconds: 7,
    volumes: [{ name: 'data' }],
  });
  expect(await guest.sync(wanted, { podInterfaces: [{ network: 'other' }] })).toEqual([
    'spec.domain.memory.guest',
    'spec.volumes',
  ]);
  // what is shown and served is the guest's, not the wish
  expect(guest.current.memory?.guestCurrent).toBe(128 * 2 ** 20);
  expect(guest.vmi?.spec).toEqual({ ...vmi().spec, terminationGracePeriodSeconds: 7 });
  expect(records.at(-1)?.options).toEqual({});
  // and the same again after a restart of the launcher
  expect(await guest.sync(wanted, {})).toEqual(['spec.domain.memory.guest', 'spec.volumes']);
  expect(await guest.sync(vmi(), {})).toEqual([]);
});

test('a backup does not thaw a guest that a snapshot has frozen; the end of the snapshot does', async () => {
  const disk = { qdev: 'ua-data', inserted: { 'node-name': 'node', image: { 'virtual-size': 65_536 } } };
  const answers: Record<string, unknown[]> = { 'query-block': [disk] };
  libvirtd.handlers.domainFsfreeze = () => ({ filesystems: 1 });
  libvirtd.handlers.domainFsthaw = () => ({ filesystems: 1 });
  libvirtd.handlers.qemuDomainMonitorCommand = ({ cmd }) => {
    const { execute } = JSON.parse(cmd) as { execute: string };
    return { result: JSON.stringify({ return: answers[execute] ?? [] }) };
  };
  begin();
  await until(isRunning);
  await guest.freeze(60_000);
  const claimed = vmi({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  const request = { name: 'monday', startedAt: '2026-01-02T03:04:05Z', skipQuiesce: false, targetPath: directory };
  await guest.backup('Start', request, claimed);
  expect(guest.current.backup).toMatchObject({ name: 'monday', quiesced: 'Succeeded' });
  expect(libvirtd.called.filter((name) => name === 'domainFsfreeze')).toHaveLength(2);
  expect(libvirtd.called).not.toContain('domainFsthaw');
  await guest.thaw();
  expect(libvirtd.called).toContain('domainFsthaw');
});
