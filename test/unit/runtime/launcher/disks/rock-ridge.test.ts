import {
  attributes,
  nameEntries,
  needsContinuation,
  newContinuation,
  placeContinuations,
  rootEntries,
} from '../../../../../src/runtime/launcher/disks/rock-ridge';

test.each([
  [1, [[6, 0]]],
  [250, [[255, 0]]],
  [
    251,
    [
      [255, 1],
      [6, 0],
    ],
  ],
  [
    253,
    [
      [255, 1],
      [8, 0],
    ],
  ],
])('a name of %d bytes has entries of these lengths and flags: %j', (length, want) => {
  const entries = nameEntries('k'.repeat(length));
  const got: number[][] = [];
  for (let at = 0; at < entries.length; at += entries[at + 2]!) got.push([entries[at + 2]!, entries[at + 4]!]);
  expect(got).toEqual(want);
});

test.each<[string, number[], [number, number][], number]>([
  ['nothing takes no sector', [], [], 0],
  [
    'entries that fit share a sector',
    [1000, 1000],
    [
      [7, 0],
      [7, 1000],
    ],
    1,
  ],
  [
    'an entry that fills a sector exactly is not moved',
    [1024, 1024],
    [
      [7, 0],
      [7, 1024],
    ],
    1,
  ],
  [
    'a byte more begins the next',
    [1024, 1025],
    [
      [7, 0],
      [8, 0],
    ],
    2,
  ],
  [
    'after a full sector the next begins',
    [2048, 1],
    [
      [7, 0],
      [8, 0],
    ],
    2,
  ],
])('%s', (_, sizes, want, sectors) => {
  const all = sizes.map((size) => newContinuation(Buffer.alloc(size)));
  expect(placeContinuations(all, 7)).toBe(sectors);
  expect(all.map(({ sector, offset }) => [sector, offset])).toEqual(want);
});

test.each([
  [43, false],
  [44, false],
  [45, true],
])('with attributes, %d bytes of name in 80 bytes of space need a continuation: %s', (length, want) =>
  expect(needsContinuation(Buffer.alloc(length), 80)).toBe(want),
);

test('directories may be entered, files only read, and the root is a directory', () => {
  expect([true, false].map((is) => attributes(is).readUInt32LE(4).toString(8))).toEqual(['40555', '100444']);
  expect(rootEntries(newContinuation(Buffer.alloc(1))).includes(attributes(true))).toBe(true);
});
