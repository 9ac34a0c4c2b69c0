import { Latest } from '../../../../../src/runtime/handler/launcher/latest';
import fc from '../../../../support/fast-check';

const RATE = { burst: 3, perSecond: 0.5 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const latest = (): { delivered: number[]; of: Latest<number> } => {
  const delivered: number[] = [];
  return { delivered, of: new Latest(RATE, (value) => delivered.push(value)) };
};

test('the first values are delivered at once, and of those that follow only the last one, in its turn', () => {
  const { delivered, of } = latest();
  for (let i = 1; i <= 3; i++) of.offer(i);
  expect(delivered).toEqual([1, 2, 3]);
  for (let i = 4; i <= 100; i++) of.offer(i);
  expect(delivered).toEqual([1, 2, 3]);
  jest.advanceTimersByTime(1_999);
  expect(delivered).toEqual([1, 2, 3]);
  jest.advanceTimersByTime(1);
  expect(delivered).toEqual([1, 2, 3, 100]);
  jest.advanceTimersByTime(60_000);
  expect(delivered).toEqual([1, 2, 3, 100]);
});

test('a waiting value is delivered once when it is flushed, and never when it is dropped', () => {
  const { delivered, of } = latest();
  for (let i = 1; i <= 5; i++) of.offer(i);
  of.flush();
  of.flush();
  expect(delivered).toEqual([1, 2, 3, 5]);
  of.offer(6);
  of.drop();
  jest.advanceTimersByTime(60_000);
  expect(delivered).toEqual([1, 2, 3, 5]);
  of.offer(7);
  expect(delivered).toEqual([1, 2, 3, 5, 7]);
});

test('at any pace of a launcher, deliveries keep to the rate and the order, and the last value arrives', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 200 }), (pauses) => {
      const { delivered, of } = latest();
      let now = 0;
      pauses.forEach((pause, i) => {
        jest.advanceTimersByTime(pause);
        now += pause;
        of.offer(i);
        expect(delivered.length).toBeLessThanOrEqual(RATE.burst + (RATE.perSecond * now) / 1_000 + 1e-6);
      });
      jest.advanceTimersByTime(10_000);
      expect(delivered.at(-1)).toBe(pauses.length - 1);
      expect(delivered).toEqual([...new Set(delivered)].sort((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});
