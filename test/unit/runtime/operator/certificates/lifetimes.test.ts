import { lifetimesOf } from '../../../../../src/runtime/operator/certificates/lifetimes';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ca = (durationMs: number, renewBeforeMs: number) => ({ authority: { durationMs, renewBeforeMs } });
const leaf = (durationMs: number, renewBeforeMs: number) => ({ leaf: { durationMs, renewBeforeMs } });

test.each<[string, Parameters<typeof lifetimesOf>[0], object]>([
  ["are KubeVirt's by default", undefined, { ...ca(7 * DAY, 1.4 * DAY), ...leaf(DAY, 4.8 * HOUR) }],
  [
    'are renewed when a fifth is left',
    { ca: { duration: '10h' }, server: { duration: '5h' } },
    ca(10 * HOUR, 2 * HOUR),
  ],
  [
    'are those of the object',
    { ca: { duration: '48h', renewBefore: '12h' }, server: { duration: '2h', renewBefore: '30m' } },
    { ...ca(48 * HOUR, 12 * HOUR), ...leaf(2 * HOUR, 30 * MINUTE) },
  ],
  [
    'are those of deprecated fields',
    { caRotateInterval: '20h', caOverlapInterval: '8h', certRotateInterval: '10h' },
    { ...ca(20 * HOUR, 8 * HOUR), ...leaf(10 * HOUR, 2 * HOUR) },
  ],
  [
    'are those of deprecated fields even next to new ones, as in KubeVirt',
    { caRotateInterval: '20h', ca: { duration: '48h' }, certRotateInterval: '4h', server: { duration: '9h' } },
    { ...ca(20 * HOUR, 4 * HOUR), ...leaf(4 * HOUR, 0.8 * HOUR) },
  ],
  ['are the default for other text', { ca: { duration: 'soon' }, server: { duration: '' } }, ca(7 * DAY, 1.4 * DAY)],
  ['are the default for negative values', { server: { duration: '-5h', renewBefore: '-1h' } }, leaf(DAY, 4.8 * HOUR)],
  ['are the default for zero', { server: { duration: '0s', renewBefore: '0s' } }, leaf(DAY, 4.8 * HOUR)],
  ['are a minute at least', { server: { duration: '5ms' } }, leaf(MINUTE, 0.2 * MINUTE)],
  ['are a hundred years at most', { ca: { duration: `${'9'.repeat(400)}h` } }, ca(36_500 * DAY, 7_300 * DAY)],
  ['end later than their renewal', { server: { duration: '2h', renewBefore: '2h' } }, leaf(2 * HOUR, 0.4 * HOUR)],
  [
    'may be renewed soon after they were issued',
    { server: { duration: '2h', renewBefore: '119m' } },
    leaf(2 * HOUR, 119 * MINUTE),
  ],
])('lifetimes %s', (_, given, want) => {
  const { authority, leaf: made } = lifetimesOf(given);
  expect(rounded({ authority, leaf: made })).toMatchObject(rounded(want));
});

test.each([
  ['five minutes', undefined, 5 * MINUTE],
  ['half of the time before the end, if that is shorter', { ca: { duration: '10m', renewBefore: '2m' } }, MINUTE],
])('an authority is trusted before it signs for %s', (_, given, want) =>
  expect(lifetimesOf(given).overlapMs).toBe(want),
);

/** Fractions of a duration are not exact. */
const rounded = (value: object): object =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Math.round(each) : each)),
  ) as object;
