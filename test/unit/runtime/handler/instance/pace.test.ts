import { withWrite, writeDelay } from '../../../../../src/runtime/handler/instance/pace';

const NOW = 1_000_000;
const ago = (...ms: number[]): number[] => ms.map((each) => NOW - each);

test.each<[string, number[], number]>([
  ['no write yet', [], 0],
  ['one write less than the burst', ago(4, 3, 2, 1), 0],
  ['a burst of this moment', ago(0, 0, 0, 0, 0), 30_000],
  ['a burst that began a while ago', ago(20_000, 3, 2, 1, 0), 10_000],
  ['one that began just within the window', ago(29_999, 3, 2, 1, 0), 1],
  ['one that began a window ago', ago(30_000, 3, 2, 1, 0), 0],
  ['one that began before', ago(90_000, 3, 2, 1, 0), 0],
  ['more writes than count', ago(0, 90_000, 3, 2, 1, 0), 0],
  ['a clock that was set back', ago(-3_600_000, -3_600_000, -3_600_000, -3_600_000, -3_600_000), 30_000],
])('%s', (_, writes, want) => expect(writeDelay(writes, NOW)).toBe(want));

test('only the last writes are kept', () => {
  expect(withWrite([], 1)).toEqual([1]);
  expect(withWrite([1, 2, 3, 4, 5], 6)).toEqual([2, 3, 4, 5, 6]);
});
