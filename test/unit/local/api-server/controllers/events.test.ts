import { EventExpiry } from '../../../../../src/local/api-server/controllers/events';
import { Store } from '../../../../../src/local/api-server/store/store';
import { AnyObject } from '../../../../../src/local/api-server/types';

const HOUR = 3_600_000;
const NOW = Date.parse('2030-01-01T12:00:00Z');

let store: Store;
let expiry: EventExpiry | undefined;
beforeEach(() => (store = new Store(':memory:')));
afterEach(() => {
  expiry?.close();
  store.close();
});

const add = (name: string, ageMs: number, more: object = {}) => {
  const creationTimestamp = new Date(NOW - ageMs).toISOString();
  const object = { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace: 'a', creationTimestamp }, ...more };
  store.create({ resource: '/events', namespace: 'a', name }, object as AnyObject);
};
const names = () => [...store.list({ resource: '/events' })].map(({ metadata }) => metadata.name);
/** Until no batch is left. */
const settled = async () => {
  for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
};

test.each([
  ['just under an hour ago', HOUR - 1, 1],
  ['an hour ago', HOUR, 0],
  ['more than an hour ago', HOUR + 1, 0],
])('an Event that was written %s is kept or deleted', async (_, age, kept) => {
  add('e', age);
  (expiry = new EventExpiry(store, undefined, 10, () => NOW)).start();
  await settled();
  expect(names()).toHaveLength(kept);
});

test('a write renews an Event; its own timestamps do not', async () => {
  let now = NOW;
  add('renewed', HOUR / 2);
  add('future', HOUR / 2, { lastTimestamp: '2040-01-01T00:00:00Z' });
  (expiry = new EventExpiry(store, undefined, 10, () => now)).start();
  const key = { resource: '/events', namespace: 'a', name: 'renewed' };
  const event = store.get(key)!;
  store.update(key, { ...event, count: 2 }, event.metadata.resourceVersion!);
  await settled();
  now = NOW + HOUR * 0.75;
  expiry.sweep();
  await settled();
  expect(names()).toEqual(['renewed']);
});

test.each([
  ['at the limit', 10, 10],
  ['one above the limit', 11, 10],
  ['many above the limit', 300, 10],
])('%s of the number, the oldest Events are deleted', async (_, count, kept) => {
  (expiry = new EventExpiry(store, undefined, 10, () => NOW)).start();
  for (let i = 0; i < count; i++) add(`e${String(i).padStart(3, '0')}`, 0);
  await settled();
  expect(names()).toHaveLength(kept);
  expect(names().at(-1)).toBe(`e${String(count - 1).padStart(3, '0')}`);
});

test('watchers see that an Event has expired', async () => {
  add('e', 2 * HOUR);
  const seen: (string | undefined)[] = [];
  store.subscribe('/events', ({ key, object }) => seen.push(object ? undefined : key.name));
  (expiry = new EventExpiry(store, undefined, 10, () => NOW)).start();
  await settled();
  expect(seen).toEqual(['e']);
});
