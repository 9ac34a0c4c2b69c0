import { outdated, type Retention, type Taken } from '../../../../src/runtime/snapshot-job/decide';

const NOW = 1_000_000;

/** Snapshots by age in hours: `5 b` is usable, `5 b!` is not. */
const taken = (text: string): Taken[] =>
  text.split(', ').map((each) => {
    const [, age, name, failed] = /^(\d+) (\w+)(!?)$/.exec(each)!;
    return { name: name!, time: NOW - Number(age) * 3600, isUsable: failed === '' };
  });

test.each<[string, string, Partial<Retention>, string[]]>([
  ['none of fewer than are kept', '1 a, 2 b', { keep: 3 }, []],
  ['the oldest, in any order', '9 c, 1 a, 5 b', { keep: 2 }, ['c']],
  ['no usable one for a failed or unfinished one', '0 new!, 1 a, 2 b', { keep: 2 }, []],
  ['a failed one that is older than a usable one', '1 a, 2 bad!, 3 b', { keep: 9 }, ['bad']],
  ['those that are too old', '1 a, 5 b, 6 c', { maxAge: 4 * 3600 }, ['b', 'c']],
  ['not the newest usable one, however old it is', '3 bad!, 5 b, 6 c', { maxAge: 4 * 3600 }, ['c']],
  ['failed ones that are too old', '5 bad!, 6 worse!', { maxAge: 4 * 3600 }, ['bad', 'worse']],
  ['none at the age itself', '1 a, 4 b', { maxAge: 4 * 3600 }, []],
  ['by both limits', '1 a, 2 b, 3 c, 9 d', { keep: 3, maxAge: 2 * 3600 }, ['c', 'd']],
  ['nothing without a limit', '1 a, 9 b, 99 c', {}, []],
])('deletes %s', (_, snapshots, limits, expected) => {
  expect(outdated(taken(snapshots), { keep: Infinity, maxAge: Infinity, ...limits }, NOW)).toEqual(expected);
});
