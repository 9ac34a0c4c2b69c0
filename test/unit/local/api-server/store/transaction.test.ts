import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ExistsError, FullError, StaleError, Store } from '../../../../../src/local/api-server/store/store';

const key = (name: string) => ({ resource: '/things', namespace: 'a', name });
const thing = (name: string, value = '') => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'a', uid: `uid-${name}` },
  value,
});
const names = (from: Store, at?: number) =>
  [...from.list({ resource: '/things', at })].map(({ metadata, value }) => `${metadata.name}=${value}`);

let directory: string;
let file: string;
let store: Store;
let heard: number[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'virt8s-transaction-'));
  file = join(directory, 'state.db');
  store = new Store(file);
  heard = [];
  store.subscribe('/things', ({ rv }) => heard.push(rv));
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

const database = () => (store as unknown as { db: DatabaseSync }).db;
const create = (name: string, value?: string) => store.stage(() => store.create(key(name), thing(name, value)));

/** Objects that a start after a crash at this moment finds. */
function afterCrash(): string[] {
  const copy = mkdtempSync(join(directory, 'crash-'));
  for (const suffix of ['', '-wal']) cpSync(file + suffix, join(copy, `state.db${suffix}`));
  const restarted = new Store(join(copy, 'state.db'));
  const found = names(restarted);
  restarted.close();
  return found;
}

test('the writes of a turn share one commit, and are sent to watchers after it in order', async () => {
  const commits = jest.spyOn(database(), 'exec');
  const { rv } = store;
  for (let i = 0; i < 10; i++) create(`x${i}`);
  expect([store.rv, heard, afterCrash()]).toEqual([rv, [], []]);
  await store.committed();
  expect(commits.mock.calls.map(([text]) => text)).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  expect(store.rv).toBe(rv + 10);
  expect(heard).toEqual(Array.from({ length: 10 }, (_, i) => rv + 1 + i));
  expect(afterCrash()).toHaveLength(10);
});

test('a commit waits for no timer', async () => {
  create('x');
  await new Promise(setImmediate);
  expect([heard.length, afterCrash()]).toEqual([1, ['x=']]);
});

test.each([
  ['create of an existing object', () => store.create(key('x'), thing('x', '2')), ExistsError],
  ['stale update', () => store.update(key('x'), thing('x', '2'), '999'), StaleError],
  ['delete of a missing object', () => store.delete(key('y')), StaleError],
])('a rejected %s does not affect the other writes', async (_, write, error) => {
  create('x', '1');
  expect(() => store.stage(write)).toThrow(error);
  create('z', '1');
  await store.committed();
  expect(afterCrash()).toEqual(['x=1', 'z=1']);
});

test('a write finds the staged writes before it; clients do not', async () => {
  store.create(key('old'), thing('old', '1'));
  const { rv } = store;
  const first = create('x', '1');
  store.stage(() => store.update(key('x'), thing('x', '2'), first.metadata.resourceVersion!));
  store.stage(() => store.delete(key('old')));
  expect(store.get(key('x'))).toMatchObject({ value: '2' });
  expect(store.get(key('old'))).toBeUndefined();
  expect(store.getCommitted(key('x'))).toBeUndefined();
  expect(store.getCommitted(key('old'))).toMatchObject({ value: '1' });
  expect(names(store, store.rv)).toEqual(['old=1']);
  expect([...store.changes('/things', rv)]).toEqual([]);
  await store.committed();
  expect(store.getCommitted(key('x'))).toMatchObject({ value: '2' });
  expect([...store.changes('/things', rv)].map(({ object }) => object?.value)).toEqual(['1', '2', undefined]);
});

test('a write without a batch commits the staged writes with it', () => {
  create('x');
  store.create(key('y'), thing('y'));
  expect([heard.length, afterCrash()]).toEqual([2, ['x=', 'y=']]);
});

test('a failed commit fails every write of the batch and changes nothing', async () => {
  store.create(key('kept'), thing('kept'));
  const { rv } = store;
  const exec = jest.spyOn(database(), 'exec').mockImplementation((text) => {
    if (text === 'COMMIT') throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    Object.getPrototypeOf(database()).exec.call(database(), text);
  });
  const lost = create('x');
  const first = store.committed();
  create('y');
  const second = store.committed();
  await expect(first).rejects.toThrow(FullError);
  await expect(second).rejects.toThrow(/Free disk space or delete objects/);
  expect([store.rv, heard, names(store)]).toEqual([rv, [rv], ['kept=']]);
  exec.mockRestore();
  // a request that read the lost object must not take its version for that of another write
  const written = create('x', 'other');
  await store.committed();
  expect(Number(written.metadata.resourceVersion)).toBeGreaterThan(Number(lost.metadata.resourceVersion));
  expect([...store.changes('/things', rv)].map(({ object }) => object?.value)).toEqual(['other']);
  expect(afterCrash()).toEqual(['kept=', 'x=other']);
});

test('a write that does not fit fails the whole batch, and later writes succeed', async () => {
  const { page_count: pages } = database().prepare('PRAGMA page_count').get() as { page_count: number };
  database().exec(`PRAGMA max_page_count = ${pages}`);
  create('x');
  const committed = store.committed();
  expect(() => create('big', 'x'.repeat(9 << 20))).toThrow(FullError);
  await expect(committed).rejects.toThrow(FullError);
  expect(names(store)).toEqual([]);
  create('y');
  await store.committed();
  expect(afterCrash()).toEqual(['y=']);
});
