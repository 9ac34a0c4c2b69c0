import { rateLimitOf } from '../../../../src/runtime/kube';
import { TokenBucket } from '../../../../src/runtime/kube/rate-limiter';

/** Waits of takes at these times, at 10 a second and 2 at once. */
test.each<[string, number[], number[]]>([
  ['a burst passes, what exceeds it waits in line', [0, 0, 0, 0], [0, 0, 100, 200]],
  ['a token comes back each 100 ms', [0, 0, 100, 200], [0, 0, 0, 0]],
  ['one millisecond early waits for it', [0, 0, 99], [0, 0, 1]],
  ['one millisecond late does not', [0, 0, 101], [0, 0, 0]],
  ['idle time gives no more than the burst', [0, 0, 60_000, 60_000, 60_000], [0, 0, 0, 0, 100]],
  ['who waits has taken a token of the future', [0, 0, 0, 50], [0, 0, 100, 150]],
  ['a clock that is set back has no effect', [1_000, 1_000, 500, 1_000], [0, 0, 100, 200]],
])('%s', (_, times, waits) => {
  const bucket = new TokenBucket({ qps: 10, burst: 2 }, times[0]);
  expect(times.map((now) => Math.round(bucket.take(now)))).toEqual(waits);
});

test('an abandoned request returns its token, and never more than there were', () => {
  const bucket = new TokenBucket({ qps: 1, burst: 1 }, 0);
  bucket.giveBack();
  expect([bucket.take(0), bucket.take(0)]).toEqual([0, 1000]);
  bucket.giveBack();
  expect(bucket.take(0)).toBe(1000);
});

test.each([
  ['no configuration', undefined, undefined],
  ['an empty one', {}, undefined],
  ['zeros', { qps: 0, burst: 0 }, undefined],
  ['a burst alone', { qps: 0, burst: 5 }, undefined],
  ['a negative rate', { qps: -1, burst: 5 }, undefined],
  ['both', { qps: 5, burst: 10 }, { qps: 5, burst: 10 }],
  ['no burst', { qps: 2.5, burst: 0 }, { qps: 2.5, burst: 3 }],
  ['no burst and a low rate', { qps: 0.1 }, { qps: 0.1, burst: 1 }],
  ['the smallest burst', { qps: 5, burst: 1 }, { qps: 5, burst: 1 }],
])('the limit of %s', (_, tokenBucketRateLimiter, want) => {
  expect(rateLimitOf(tokenBucketRateLimiter && { restClient: { rateLimiter: { tokenBucketRateLimiter } } })).toEqual(
    want,
  );
});

test.each([
  ['no configuration', undefined, { qps: 50, burst: 100 }],
  ['zeros', { qps: 0, burst: 0 }, { qps: 50, burst: 100 }],
  ['a burst alone', { qps: 0, burst: 7 }, { qps: 50, burst: 7 }],
  ['a rate alone', { qps: 5 }, { qps: 5, burst: 5 }],
  ['both', { qps: 5, burst: 10 }, { qps: 5, burst: 10 }],
])('the limit of a component that has one of its own, with %s', (_, tokenBucketRateLimiter, want) => {
  const configuration = tokenBucketRateLimiter && { restClient: { rateLimiter: { tokenBucketRateLimiter } } };
  expect(rateLimitOf(configuration, { qps: 50, burst: 100 })).toEqual(want);
});
