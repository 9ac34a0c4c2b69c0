import type { DomainRef, LibvirtClient } from '../../../../../src/runtime/launcher/libvirt/client';
import { Quiesce } from '../../../../../src/runtime/launcher/vm/quiesce';

let calls: string[];
let failing: string[];
let status: string;
let saved: (number | undefined)[];
let quiesce: Quiesce;

const call = (name: string): Promise<number> => {
  calls.push(name);
  return failing.includes(name) ? Promise.reject(new Error(`${name} failed`)) : Promise.resolve(1);
};

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockImplementation();
  [calls, failing, saved, status] = [[], [], [], 'thawed'];
  const client = {
    freeze: () => call('freeze'),
    thaw: () => call('thaw'),
    agent: () => Promise.resolve(status),
  } as unknown as LibvirtClient;
  quiesce = new Quiesce({
    domain: () => Promise.resolve({ client, dom: {} as DomainRef }),
    save: (thawAt) => saved.push(thawAt),
  });
});

afterEach(() => {
  quiesce.close();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a frozen guest is thawed after its time, although nobody asks', async () => {
  await quiesce.freeze(60_000);
  await jest.advanceTimersByTimeAsync(59_000);
  expect(calls).toEqual(['freeze']);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(calls).toEqual(['freeze', 'thaw']);
  expect(saved.at(-1)).toBeUndefined();
});

test('a guest that was thawed is not thawed again', async () => {
  await quiesce.freeze(60_000);
  await quiesce.thaw();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(calls).toEqual(['freeze', 'thaw']);
});

test('a launcher that was restarted keeps the limit', async () => {
  quiesce.resume(Date.now() + 5_000);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(calls).toEqual(['thaw']);
});

test('the limit is stored before the guest is frozen', async () => {
  failing = ['freeze'];
  status = 'frozen';
  await quiesce.freeze(60_000);
  expect(saved).toEqual([Date.now() + 60_000]);
});

test('a guest that is frozen already stays frozen, with the new limit', async () => {
  await quiesce.freeze(10_000);
  failing = ['freeze'];
  status = 'frozen';
  await quiesce.freeze(60_000);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(calls).toEqual(['freeze', 'freeze']);
});

test('a freeze that failed leaves nothing frozen', async () => {
  failing = ['freeze'];
  await expect(quiesce.freeze(60_000)).rejects.toThrow('freeze failed');
  expect(calls).toEqual(['freeze', 'thaw']);
});

test('a thaw that fails is repeated until it succeeds', async () => {
  await quiesce.freeze(1_000);
  failing = ['thaw'];
  await jest.advanceTimersByTimeAsync(5_000);
  failing = [];
  await jest.advanceTimersByTimeAsync(10_000);
  expect(calls.slice(0, 3)).toEqual(['freeze', 'thaw', 'thaw']);
  const tries = calls.length;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(tries);
});
