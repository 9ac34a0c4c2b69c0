import { Freshness } from '../../../../src/runtime/kube/freshness';

const LIMIT = 100;
let freshness: Freshness;
beforeEach(() => (freshness = new Freshness(LIMIT)));

test.each([
  ['one below the limit', 109, undefined],
  ['at the limit', 110, { forMs: 100, cause: 'down' }],
  ['one above the limit', 111, { forMs: 101, cause: 'down' }],
])('a cache is stale when nothing has worked since the first failure: %s', (_, now, want) => {
  freshness.failed('refused', 10);
  freshness.failed('down', 20);
  expect(freshness.staleness(now)).toEqual(want);
});

test('what never failed is never stale', () => {
  expect(freshness.staleness(1e9)).toBeUndefined();
});

test('what worked counts from its next failure on', () => {
  freshness.failed('down', 0);
  freshness.worked();
  expect(freshness.staleness(LIMIT)).toBeUndefined();
  freshness.failed('down', 50);
  expect(freshness.staleness(149)).toBeUndefined();
  expect(freshness.staleness(150)).toEqual({ forMs: 100, cause: 'down' });
});

test.each([
  ['is open', () => {}, undefined],
  ['was closed', () => freshness.closed(), { forMs: 100, cause: 'down' }],
])('a stream that brought nothing yet proves something only while it %s', (_, then, want) => {
  freshness.failed('down', 0);
  freshness.opened();
  then();
  expect(freshness.staleness(LIMIT)).toEqual(want);
});

test('a stream that fails at once hides nothing', () => {
  freshness.failed('down', 0);
  freshness.opened();
  expect(freshness.failed('cut', LIMIT)).toEqual({ forMs: 100, cause: 'cut' });
});

test('staleness is reported once, and again after something worked', () => {
  const reports = [0, 99, 100, 200, 300].map((now) => freshness.failed('down', now)?.forMs);
  expect(reports).toEqual([undefined, undefined, 100, undefined, undefined]);
  freshness.worked();
  expect([400, 500].map((now) => freshness.failed('down', now)?.forMs)).toEqual([undefined, 100]);
});
