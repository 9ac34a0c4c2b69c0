import { Freshness, STEADY_MS } from '../../../../src/runtime/kube/freshness';

const LIMIT = 120_000;
let freshness: Freshness;
beforeEach(() => (freshness = new Freshness(LIMIT)));

test.each([
  ['one below the limit', LIMIT + 9, undefined],
  ['at the limit', LIMIT + 10, { forMs: LIMIT, cause: 'down' }],
  ['one above the limit', LIMIT + 11, { forMs: LIMIT + 1, cause: 'down' }],
])('a cache is stale when nothing has worked since the first failure: %s', (_, now, want) => {
  freshness.failed('refused', 10);
  freshness.failed('down', 20);
  expect(freshness.staleness(now)).toEqual(want);
});

test('a cache without failures is never stale', () => {
  expect(freshness.staleness(1e9)).toBeUndefined();
});

test('after a success, staleness counts from the next failure', () => {
  freshness.failed('down', 0);
  freshness.worked();
  expect(freshness.staleness(LIMIT)).toBeUndefined();
  freshness.failed('down', 50);
  expect(freshness.staleness(LIMIT + 49)).toBeUndefined();
  expect(freshness.staleness(LIMIT + 50)).toEqual({ forMs: LIMIT, cause: 'down' });
});

test.each<[string, number, () => void, object | undefined]>([
  ['has lasted', LIMIT - STEADY_MS, () => {}, undefined],
  ['has lasted, and not while it has just begun', LIMIT - STEADY_MS + 1, () => {}, { forMs: LIMIT, cause: 'down' }],
  [
    'has lasted, and not when it was closed',
    LIMIT - STEADY_MS,
    () => freshness.closed(),
    { forMs: LIMIT, cause: 'down' },
  ],
])('a stream without events proves something when it %s', (_, openedAt, then, want) => {
  freshness.failed('down', 0);
  freshness.opened(openedAt);
  then();
  expect(freshness.staleness(LIMIT)).toEqual(want);
});

test.each([
  ['one ms less than needed', STEADY_MS - 1, true],
  ['just long enough', STEADY_MS, false],
])('a cache whose streams break again and again, each after it lasted %s', (_, lifeMs, isStale) => {
  const reports: unknown[] = [];
  const seen = new Set<boolean>();
  let now = 0;
  for (; now < 3 * LIMIT; now += lifeMs + 1) {
    reports.push(freshness.failed('cut', now));
    seen.add(freshness.staleness(now) !== undefined);
    freshness.opened(now + 1);
  }
  expect(seen.has(true)).toBe(isStale);
  expect(reports.filter((report) => report !== undefined)).toHaveLength(isStale ? 1 : 0);
  // no stream any more
  freshness.failed('down', now);
  expect(freshness.staleness(now + LIMIT)).toMatchObject({ cause: 'down' });
});

test('a stream that fails at once hides nothing', () => {
  freshness.failed('down', 0);
  freshness.opened(LIMIT);
  expect(freshness.failed('cut', LIMIT)).toEqual({ forMs: LIMIT, cause: 'cut' });
});

test('staleness is reported once, and again after something worked', () => {
  const reports = [0, LIMIT - 1, LIMIT, LIMIT + 100, LIMIT + 200].map((now) => freshness.failed('down', now)?.forMs);
  expect(reports).toEqual([undefined, undefined, LIMIT, undefined, undefined]);
  freshness.worked();
  expect([400, LIMIT + 400].map((now) => freshness.failed('down', now)?.forMs)).toEqual([undefined, LIMIT]);
});
