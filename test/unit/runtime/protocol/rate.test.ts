import { spend } from '../../../../src/runtime/protocol/rate';
import type { Bucket } from '../../../../src/runtime/protocol/rate';
import fc from '../../../support/fast-check';

const rate = { burst: 3, perSecond: 2 };

test.each<[string, Bucket | undefined, number, number, { tokens: number; waitMs: number }]>([
  ['a first cost of one', undefined, 1, 0, { tokens: 2, waitMs: 0 }],
  ['a cost of the whole burst', undefined, 3, 0, { tokens: 0, waitMs: 0 }],
  ['a cost above the burst', undefined, 4, 0, { tokens: -1, waitMs: 500 }],
  ['the tokens of half a second', { tokens: 0, at: 1_000 }, 1, 1_500, { tokens: 0, waitMs: 0 }],
  ['a moment less', { tokens: 0, at: 1_000 }, 1, 1_375, { tokens: -0.25, waitMs: 125 }],
  ['no more than the burst after a long time', { tokens: 0, at: 0 }, 0, 1e9, { tokens: 3, waitMs: 0 }],
  ['a debt that is not yet paid', { tokens: -2, at: 0 }, 1, 500, { tokens: -2, waitMs: 1_000 }],
  ['a cost that is given back', { tokens: 1, at: 0 }, -2, 0, { tokens: 3, waitMs: 0 }],
])('%s', (_, bucket, cost, now, { tokens, waitMs }) => {
  const spent = spend(bucket, rate, cost, now);
  expect(spent.bucket.at).toBe(now);
  expect(spent.bucket.tokens).toBeCloseTo(tokens);
  expect(spent.waitMs).toBe(waitMs);
});

test('a caller that waits as requested never exceeds the burst and the rate', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 50 }), (costs) => {
      let [now, bucket, total] = [0, undefined as Bucket | undefined, 0];
      for (const cost of costs) {
        const spent = spend(bucket, rate, cost, now);
        bucket = spent.bucket;
        now += spent.waitMs;
        total += cost;
        expect(total).toBeLessThanOrEqual(rate.burst + (rate.perSecond * now) / 1_000 + 1e-6);
      }
    }),
  );
});
