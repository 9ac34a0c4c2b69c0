import { LibvirtConnectionError } from '../../../../../src/runtime/launcher/libvirt/errors';
import { LibvirtSession } from '../../../../../src/runtime/launcher/libvirt/session';
import { fakeDomain, FakeLibvirtd } from './fake-libvirtd';

let libvirtd: FakeLibvirtd;
let session: LibvirtSession;
let now: number;
let isStarting: boolean;
let isStopping: boolean;
let reports: string[];
let waiting: { word: string; resolve: () => void }[];

const report = (word: string): void => {
  reports.push(word);
  waiting = waiting.filter((each) => (each.word === word ? void each.resolve() : true));
};
/** Resolves at the next report of this word. */
const next = (word: string): Promise<void> => new Promise((resolve) => waiting.push({ word, resolve }));

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation();
  libvirtd = new FakeLibvirtd();
  [now, isStarting, isStopping, reports, waiting] = [0, false, false, [], []];
  session = new LibvirtSession(
    libvirtd.socket,
    {
      onEvent: () => report('event'),
      onConnect: () => report('connect'),
      onDisconnect: () => report('disconnect'),
      onSilence: (_, call) => report(call ? `silence ${call}` : 'silence'),
      isStarting: () => isStarting,
      isStopping: () => isStopping,
      restartLibvirtd: () => report('restart'),
    },
    () => now,
  );
});

afterEach(async () => {
  session.close();
  await libvirtd.close();
  jest.restoreAllMocks();
});

async function connected(): Promise<void> {
  await libvirtd.start();
  const connect = next('connect');
  session.start();
  await connect;
  reports.length = 0;
}

test('a caller that waits for a client gets one when libvirtd listens', async () => {
  session.start();
  const client = session.client();
  await libvirtd.start();
  await expect(client).resolves.toBeDefined();
});

test('a caller that waits for a client gets an error in time if there is none, and later callers get a client', async () => {
  session.start();
  await expect(session.client(20)).rejects.toThrow(LibvirtConnectionError);
  await expect(session.client(20)).rejects.toThrow(/no connection within 20 ms/);
  await libvirtd.start();
  await expect(session.client()).resolves.toBeDefined();
});

test('a libvirtd that died is found again', async () => {
  await connected();
  const again = next('connect');
  libvirtd.crash();
  await again;
  expect(reports).toEqual(['disconnect', 'connect']);
});

test('never restarts a libvirtd that answers pings', async () => {
  await connected();
  for (now = 0; now < 200_000; now += 15_000) await session.check(1_000);
  expect(reports).toEqual([]);
});

test('a hung libvirtd is reported, restarted once, and then has time to start', async () => {
  await connected();
  now = 100_000;
  await session.check(1_000);
  libvirtd.answersPings = false;
  now += 19_999;
  await session.check(20);
  expect(reports).toEqual([]);
  now += 1;
  const again = next('connect');
  await session.check(20);
  expect(reports.slice(0, 3)).toEqual(['restart', 'disconnect', 'silence']);
  // the next one listens, and hangs as well
  await again;
  reports.length = 0;
  now += 30_000;
  await session.check(20);
  expect(reports).toEqual(['silence']);
  now += 30_000;
  await session.check(20);
  expect(reports).toEqual(['silence', 'restart', 'disconnect', 'silence']);
});

test('a launcher that was frozen restarts nothing: the next ping is answered', async () => {
  await connected();
  libvirtd.answersPings = false;
  now = 100_000;
  await session.check(20);
  expect(reports).toEqual(['silence']);
  libvirtd.answersPings = true;
  await session.check(1_000);
  expect(reports).toEqual(['silence', 'connect']);
});

test('a libvirtd that starts the guest is not killed; when it answers again, the state is read', async () => {
  await connected();
  isStarting = true;
  libvirtd.answersPings = false;
  now = 100_000;
  await session.check(20);
  expect(reports).toEqual(['silence']);
  libvirtd.answersPings = true;
  await session.check(1_000);
  expect(reports).toEqual(['silence', 'connect']);
  await session.check(1_000);
  expect(reports).toEqual(['silence', 'connect']);
});

describe('a libvirtd whose workers are stuck while it answers pings', () => {
  const call = (
    name: 'domainGetState' | 'domainSuspend' | 'domainFsfreeze' | 'domainCreateWithFlags',
  ): Promise<unknown> =>
    session
      .client()
      .then(({ connection }) =>
        connection.call(name, name === 'domainFsfreeze' ? { dom: fakeDomain, mountpoints: [], flags: 0 } : args, 5),
      )
      .catch((error: Error) => error.message);
  const args = { dom: fakeDomain, flags: 0 } as never;

  test('is reported, and restarted by the next check, a minute after a call that it does not answer', async () => {
    await connected();
    now = 100_000;
    expect(await call('domainGetState')).toBe('libvirt domainGetState: no answer within 5 ms');
    now += 59_999;
    await session.check(1_000);
    expect([reports, session.isUnresponsive]).toEqual([[], false]);
    now += 1;
    await session.check(1_000);
    expect(reports).toEqual(['silence domainGetState']);
    reports.length = 0;
    const again = next('connect');
    await session.check(1_000);
    expect(reports.slice(0, 3)).toEqual(['restart', 'disconnect', 'silence domainGetState']);
    // the new one need not answer calls that it did not receive
    await again;
    reports.length = 0;
    now += 120_000;
    await session.check(1_000);
    expect([reports, session.isUnresponsive]).toEqual([[], false]);
  });

  test('is restarted once a minute at most', async () => {
    await connected();
    now = 100_000;
    await call('domainGetState');
    now += 60_000;
    const again = next('connect');
    await session.check(1_000);
    await session.check(1_000);
    await again;
    reports.length = 0;
    isStarting = true;
    await call('domainGetState');
    now += 60_000;
    await session.check(1_000);
    await session.check(1_000);
    expect(reports).toEqual(['silence domainGetState', 'silence domainGetState']);
    isStarting = false;
    await session.check(1_000);
    expect(reports.slice(2, 4)).toEqual(['restart', 'disconnect']);
  });

  test('is not restarted if it answers in the end, for example after its Pod was frozen', async () => {
    await connected();
    now = 100_000;
    const late = Promise.withResolvers<{ state: number; reason: number }>();
    libvirtd.handlers.domainGetState = () => late.promise;
    await call('domainGetState');
    now += 60_000;
    await session.check(1_000);
    expect([reports, session.isUnresponsive]).toEqual([['silence domainGetState'], true]);
    late.resolve({ state: 1, reason: 1 });
    await session.check(1_000);
    expect([reports, session.isUnresponsive]).toEqual([['silence domainGetState', 'connect'], false]);
  });

  test('is only reported while QEMU may be the cause, until a stop is requested', async () => {
    await connected();
    now = 100_000;
    await call('domainSuspend');
    now += 3_600_000;
    await session.check(1_000);
    await session.check(1_000);
    expect(reports).toEqual(['silence domainSuspend', 'silence domainSuspend']);
    isStopping = true;
    await session.check(1_000);
    await session.check(1_000);
    expect(reports.slice(2)).toEqual(['silence domainSuspend', 'restart', 'disconnect', 'silence domainSuspend']);
  });

  test.each(['domainFsfreeze', 'domainCreateWithFlags'] as const)('is not concluded from %s', async (name) => {
    await connected();
    now = 100_000;
    await call(name);
    now += 3_600_000;
    await session.check(1_000);
    expect(reports).toEqual([]);
  });
});
