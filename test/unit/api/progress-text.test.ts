import { progressText } from '../../../src/api/progress-text';

test.each<[number, number, number, number, string]>([
  [0, 1 << 30, 0, 0, '0.0 % of 1.0 GiB'],
  [256 << 20, 1 << 30, 0, 2000, '25.0 % of 1.0 GiB, 128.0 MiB/s, 6 s left'],
  [768 << 20, 1 << 30, 512 << 20, 128_000, '75.0 % of 1.0 GiB, 2.0 MiB/s, 2 min 8 s left'],
  [1, 3 << 20, 0, 4000, '0.0 % of 3.0 MiB, 0.25 B/s, 3495 h 15 min left'],
  [500, 500, 0, 1000, '100.0 % of 500 B, 500 B/s'],
  [1 << 20, NaN, 0, 1000, '1.0 MiB, 1.0 MiB/s'],
  [0, NaN, 0, 0, '0 B'],
])('%d of %d bytes, from %d, after %d ms', (done, total, from, ms, text) => {
  expect(progressText(done, total, from, ms)).toBe(text);
});
