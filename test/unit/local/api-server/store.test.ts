import { ExistsError, HistoryError, StaleError, Store } from '../../../../src/local/api-server/store/store';
import { AnyObject } from '../../../../src/local/api-server/types';

const key = (name: string, namespace = 'a') => ({ resource: '/things', namespace, name });
const thing = (name: string, value: string, namespace = 'a'): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace, uid: `uid-${namespace}-${name}` },
  value,
});
const values = (objects: Iterable<AnyObject>) => [...objects].map(({ metadata, value }) => `${metadata.name}=${value}`);

let store: Store;
beforeEach(() => (store = new Store(':memory:', 50)));
afterEach(() => store.close());

test('each write has its own resource version, in order', () => {
  const first = store.create(key('x'), thing('x', '1'));
  const second = store.update(key('x'), thing('x', '2'), first.metadata.resourceVersion!);
  expect(Number(second.metadata.resourceVersion)).toBe(Number(first.metadata.resourceVersion) + 1);
  expect(store.rv).toBe(Number(second.metadata.resourceVersion));
});

test('a second create, a stale update and a stale delete are rejected and change nothing', () => {
  store.create(key('x'), thing('x', '1'));
  const before = store.rv;
  expect(() => store.create(key('x'), thing('x', '2'))).toThrow(ExistsError);
  expect(() => store.update(key('x'), thing('x', '2'), '999')).toThrow(StaleError);
  expect(() => store.delete(key('x'), '999')).toThrow(StaleError);
  expect(() => store.delete(key('nope'))).toThrow(StaleError);
  expect(store.rv).toBe(before);
  expect(store.get(key('x'))!.value).toBe('1');
});

test('lists are in the order of etcd keys, by namespace or everywhere', () => {
  store.create(key('b', 'a'), thing('b', '', 'a'));
  store.create(key('a', 'a-b'), thing('a', '', 'a-b'));
  store.create(key('a', 'a'), thing('a', '', 'a'));
  const names = (namespace?: string) =>
    [...store.list({ resource: '/things', namespace })].map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  expect(names()).toEqual(['a-b/a', 'a/a', 'a/b']);
  expect(names('a')).toEqual(['a/a', 'a/b']);
  expect(names('b')).toEqual([]);
});

test('a list at an old version shows that time: changed, deleted and created objects', () => {
  store.create(key('changed'), thing('changed', 'old'));
  store.create(key('deleted'), thing('deleted', 'old'));
  store.create(key('same'), thing('same', 'old'));
  const at = store.rv;
  store.update(key('changed'), thing('changed', 'new'), store.get(key('changed'))!.metadata.resourceVersion!);
  store.delete(key('deleted'));
  store.create(key('born'), thing('born', 'new'));
  expect(values(store.list({ resource: '/things', at }))).toEqual(['changed=old', 'deleted=old', 'same=old']);
  expect(values(store.list({ resource: '/things' }))).toEqual(['born=new', 'changed=new', 'same=old']);
  expect(values(store.list({ resource: '/things', at, after: 'a/changed' }))).toEqual(['deleted=old', 'same=old']);
});

test('changes since a version come in order, with the state before and after each', () => {
  const since = store.rv;
  const first = store.create(key('x'), thing('x', '1'));
  store.update(key('x'), thing('x', '2'), first.metadata.resourceVersion!);
  store.delete(key('x'));
  store.create(key('x'), thing('x', '3'));
  const seen = [...store.changes('/things', since)].map(({ previous, object }) => [previous?.value, object?.value]);
  expect(seen).toEqual([
    [undefined, '1'],
    ['1', '2'],
    ['2', undefined],
    [undefined, '3'],
  ]);
});

test('history is bounded: versions before it are gone', () => {
  for (let i = 0; i < 250; i++) store.create(key(`x${i}`), thing(`x${i}`, ''));
  expect(() => [...store.changes('/things', 3)]).toThrow(HistoryError);
  expect([...store.changes('/things', store.rv - 10)]).toHaveLength(10);
});

test('listeners hear committed writes of their resource only', () => {
  const heard: string[] = [];
  const stop = store.subscribe('/things', ({ key: { name } }) => heard.push(name));
  store.create(key('x'), thing('x', ''));
  store.create({ ...key('y'), resource: '/others' }, thing('y', ''));
  stop();
  store.create(key('z'), thing('z', ''));
  expect(heard).toEqual(['x']);
});

test('dependents are found by the uid of their owner', () => {
  const owned = thing('child', '');
  owned.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'Thing', name: 'x', uid: 'uid-a-x' }];
  store.create(key('x'), thing('x', ''));
  store.create(key('child'), owned);
  expect(store.dependents('uid-a-x')).toEqual([key('child')]);
  expect(store.orphaned()).toEqual([]);
  store.delete(key('x'));
  expect(store.orphaned()).toEqual([key('child')]);
});

test('listeners see changes in order although one of them writes', () => {
  const heard: string[] = [];
  store.subscribe('/things', ({ object, key: { name } }) => {
    if (object?.value === '1') store.update(key(name), thing(name, '2'), object.metadata.resourceVersion!);
    if (object?.value === '2') store.create(key('third'), thing('third', '3'));
  });
  store.subscribe('/things', ({ rv, object }) => heard.push(`${rv} ${object?.value}`));
  store.subscribeAll(({ rv, object }) => heard.push(`all ${rv} ${object?.value}`));
  const { rv } = store;
  store.create(key('x'), thing('x', '1'));
  expect(heard).toEqual([1, 2, 3].flatMap((n) => [`${rv + n} ${n}`, `all ${rv + n} ${n}`]));
});

test('a listener that fails neither fails the write nor keeps it from others', () => {
  const logged: string[] = [];
  const other = new Store(':memory:', 50, (message) => logged.push(message));
  const heard: number[] = [];
  other.subscribe('/things', () => {
    throw new Error('broken');
  });
  other.subscribe('/things', ({ rv }) => heard.push(rv));
  other.create(key('x'), thing('x', ''));
  other.create(key('y'), thing('y', ''));
  expect(heard).toEqual([2, 3]);
  expect(logged).toEqual(['a listener failed', 'a listener failed']);
  other.close();
});

describe('a history that is longer than memory keeps', () => {
  let long: Store;
  beforeAll(() => {
    long = new Store(':memory:');
    for (let i = 0; i < 3000; i++) {
      if (i % 3 === 2) long.create({ ...key(`o${i}`), resource: '/others' }, thing(`o${i}`, ''));
      else if (i % 3 === 0) long.create(key(`x${i}`), thing(`x${i}`, '1'));
      else long.update(key(`x${i - 1}`), thing(`x${i - 1}`, '2'), String(long.rv));
    }
  });
  afterAll(() => long.close());

  test('is read in order, each write once', () => {
    const seen = [...long.changes('/things', 1)].map(({ rv, object, previous }) => [
      rv,
      object?.value,
      previous?.value,
    ]);
    const expected = Array.from({ length: 3000 }, (_, i) => i)
      .filter((i) => i % 3 !== 2)
      .map((i) => (i % 3 === 0 ? [i + 2, '1', undefined] : [i + 2, '2', '1']));
    expect(seen).toEqual(expected);
  });

  test('continues with the writes that happen while it is read', () => {
    const changes = long.changes('/things', long.rv - 2000);
    const seen = [changes.next().value!.rv];
    long.create(key('meanwhile'), thing('meanwhile', ''));
    for (const { rv } of changes) seen.push(rv);
    expect(seen.at(-1)).toBe(long.rv);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('lists of an old version do not change while they are read', () => {
    const at = long.rv;
    const list = long.list({ resource: '/things', at });
    const first = list.next().value!;
    const last = [...long.list({ resource: '/things' })].at(-1)!;
    long.delete(key(last.metadata.name!));
    long.create(key('zzz'), thing('zzz', ''));
    const names = [first, ...list].map(({ metadata }) => metadata.name);
    expect(names).toContain(last.metadata.name);
    expect(names).not.toContain('zzz');
    expect([...names].sort()).toEqual(names);
  });
});
