import { zeroRuns } from '../../../../../src/runtime/importer/target/zero-runs';

const BLOCK = 16;
const data = (text: string): Buffer => Buffer.from(text.replaceAll('.', '\0'));

describe('zeroRuns', () => {
  test.each([
    ['nothing', '', 0, []],
    ['only data', 'x'.repeat(40), 0, [[0, 40, false]]],
    ['only zeros, one block', '.'.repeat(16), 0, [[0, 16, true]]],
    ['zeros that are shorter than a block are data', '.'.repeat(15), 0, [[0, 15, false]]],
    ['zeros of several blocks are one run', '.'.repeat(48), 32, [[0, 48, true]]],
    [
      'data, zeros, data',
      `${'x'.repeat(16)}${'.'.repeat(16)}x`,
      0,
      [
        [0, 16, false],
        [16, 32, true],
        [32, 33, false],
      ],
    ],
    ['a block with one byte that is not zero', `${'.'.repeat(15)}x`, 0, [[0, 16, false]]],
    [
      'zeros from the middle of a block of the disk',
      '.'.repeat(32),
      8,
      [
        [0, 8, false],
        [8, 24, true],
        [24, 32, false],
      ],
    ],
  ] as const)('%s', (_, text, position, wanted) => {
    expect(zeroRuns(data(text), position, BLOCK).map(({ start, end, isZero }) => [start, end, isZero])).toEqual(wanted);
  });
});
