import type { DomainRef, LibvirtClient } from '../../../../../src/runtime/launcher/libvirt/client';
import { LibvirtError } from '../../../../../src/runtime/launcher/libvirt/errors';
import { type Holds, Quiesce } from '../../../../../src/runtime/launcher/vm/quiesce';
import { Refusal } from '../../../../../src/runtime/launcher/vm/refusal';

let calls: string[];
/** Calls that fail, with this error. */
let failing: string[];
let error: Error | undefined;
let status: string;
let saved: (Holds | undefined)[];
let domain: () => Promise<{ client: LibvirtClient; dom: DomainRef }>;
let quiesce: Quiesce;

const call = (name: string): Promise<number> => {
  calls.push(name);
  return failing.includes(name) ? Promise.reject(error ?? new Error(`${name} failed`)) : Promise.resolve(1);
};

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockImplementation();
  [calls, failing, saved, status, error] = [[], [], [], 'thawed', undefined];
  const client = {
    freeze: () => call('freeze'),
    thaw: () => call('thaw'),
    agent: () => Promise.resolve(status),
  } as unknown as LibvirtClient;
  domain = () => Promise.resolve({ client, dom: {} as DomainRef });
  quiesce = new Quiesce({ domain: () => domain(), save: (holds) => saved.push(holds) });
});

afterEach(() => {
  quiesce.close();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a frozen guest is thawed after its time, although nobody asks', async () => {
  await quiesce.freeze('client', 60_000);
  await jest.advanceTimersByTimeAsync(59_000);
  expect(calls).toEqual(['freeze']);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(calls).toEqual(['freeze', 'thaw']);
  expect(saved.at(-1)).toBeUndefined();
});

test('a guest that was thawed is not thawed again', async () => {
  await quiesce.freeze('client', 60_000);
  await quiesce.thaw();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(calls).toEqual(['freeze', 'thaw']);
});

test('a launcher that was restarted keeps the limit', async () => {
  quiesce.resume({ client: Date.now() + 5_000 });
  await jest.advanceTimersByTimeAsync(5_000);
  expect(calls).toEqual(['thaw']);
});

test('the limit is stored before the guest is frozen', async () => {
  failing = ['freeze'];
  status = 'frozen';
  await quiesce.freeze('client', 60_000);
  expect(saved).toEqual([{ client: Date.now() + 60_000 }]);
});

test('a guest that is frozen already stays frozen, with the new limit', async () => {
  await quiesce.freeze('client', 10_000);
  failing = ['freeze'];
  status = 'frozen';
  await quiesce.freeze('client', 60_000);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(calls).toEqual(['freeze', 'freeze']);
});

test('a freeze that failed leaves nothing frozen', async () => {
  failing = ['freeze'];
  await expect(quiesce.freeze('client', 60_000)).rejects.toThrow('freeze failed');
  expect(calls).toEqual(['freeze', 'thaw']);
});

test('a thaw that fails is repeated until it succeeds', async () => {
  await quiesce.freeze('client', 1_000);
  failing = ['thaw'];
  await jest.advanceTimersByTimeAsync(5_000);
  failing = [];
  await jest.advanceTimersByTimeAsync(10_000);
  expect(calls.slice(0, 3)).toEqual(['freeze', 'thaw', 'thaw']);
  const tries = calls.length;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(tries);
});

test.each<[string, Error, number]>([
  ['libvirtd does not answer', new Error('no connection within 10000 ms'), 2],
  ['the guest has ended', new Refusal('NoDomain', 'the guest does not run'), 1],
])('if %s at the end of the limit, the guest is thawed later unless it is gone', async (_, failure, tries) => {
  await quiesce.freeze('client', 1_000);
  const answers = domain;
  let asked = 0;
  domain = () => (asked++, Promise.reject(failure));
  await jest.advanceTimersByTimeAsync(4_000);
  expect(asked).toBe(tries);
  domain = answers;
  await jest.advanceTimersByTimeAsync(2_000);
  expect(calls.includes('thaw')).toBe(tries > 1);
});

test('a guest without an agent, of which nothing was frozen, is not asked again', async () => {
  failing = ['freeze', 'thaw'];
  error = new LibvirtError('domainFsfreeze', 'ERR_AGENT_UNRESPONSIVE', 'QEMU', 'QEMU guest agent is not connected');
  await expect(quiesce.freeze('backup', 60_000)).rejects.toThrow('not connected');
  await expect(quiesce.thaw()).rejects.toThrow('not connected');
  await jest.advanceTimersByTimeAsync(120_000);
  expect(calls).toEqual(['freeze', 'thaw']);
  expect(saved.at(-1)).toBeUndefined();
});

describe('a backup of a guest that a client has frozen', () => {
  const backup = async (limitMs = 60_000): Promise<void> => {
    failing = ['freeze'];
    status = 'frozen';
    await quiesce.freeze('backup', limitMs);
  };

  test('leaves the guest frozen up to the limit of the client', async () => {
    await quiesce.freeze('client', 10_000);
    await backup();
    await quiesce.release('backup');
    await jest.advanceTimersByTimeAsync(9_000);
    expect(calls).not.toContain('thaw');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(calls.at(-1)).toBe('thaw');
  });

  test('keeps the guest frozen when that limit is over, and thaws it then', async () => {
    await quiesce.freeze('client', 10_000);
    await backup();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(calls).not.toContain('thaw');
    await quiesce.release('backup');
    expect(calls.at(-1)).toBe('thaw');
  });

  test('does not thaw the guest if the agent fails', async () => {
    await quiesce.freeze('client', 10_000);
    failing = ['freeze'];
    await expect(quiesce.freeze('backup', 60_000)).rejects.toThrow('freeze failed');
    expect(calls).not.toContain('thaw');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(calls).toContain('thaw');
  });

  test('ends with an unfreeze of the client', async () => {
    await quiesce.freeze('client', 10_000);
    await backup();
    await quiesce.thaw();
    expect(calls.at(-1)).toBe('thaw');
    expect(saved.at(-1)).toBeUndefined();
  });

  test('is known to the next launcher process', async () => {
    quiesce.resume({ client: Date.now() + 10_000, backup: Date.now() + 60_000 });
    await backup();
    await quiesce.release('backup');
    expect(calls).not.toContain('thaw');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(calls).toContain('thaw');
  });
});

test('a freeze during a thaw at the end of a limit is not forgotten', async () => {
  await quiesce.freeze('client', 1_000);
  const lost = Promise.withResolvers<number>();
  const { client, dom } = await domain();
  domain = () => Promise.resolve({ client: Object.assign(Object.create(client), { thaw: () => lost.promise }), dom });
  await jest.advanceTimersByTimeAsync(1_000);
  await quiesce.freeze('client', 60_000);
  domain = () => Promise.resolve({ client, dom });
  lost.resolve(1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual(['freeze', 'freeze', 'thaw']);
});
