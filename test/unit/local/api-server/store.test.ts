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
  const seen = store.changes('/things', since).map(({ previous, object }) => [previous?.value, object?.value]);
  expect(seen).toEqual([
    [undefined, '1'],
    ['1', '2'],
    ['2', undefined],
    [undefined, '3'],
  ]);
});

test('history is bounded: versions before it are gone', () => {
  for (let i = 0; i < 250; i++) store.create(key(`x${i}`), thing(`x${i}`, ''));
  expect(() => store.changes('/things', 3)).toThrow(HistoryError);
  expect(store.changes('/things', store.rv - 10)).toHaveLength(10);
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
