import { Expectations } from '../../../../src/runtime/kube';

const follower = (seen: number) => ({
  seen,
  lists: { begun: 1, held: 1 },
  hasSeen: (version?: string) => !version || Number(version) <= follower_.seen,
});
let follower_: ReturnType<typeof follower>;
beforeEach(() => (follower_ = follower(5)));

test('a key waits until each cache contains the writes for it', () => {
  const expectations = new Expectations();
  expectations.expect('a', follower_, '7');
  expectations.expect('a', follower_, '9');
  expect(expectations.satisfied('a')).toBe(false);
  expect(expectations.satisfied('b')).toBe(true);
  follower_.seen = 8;
  expect(expectations.satisfied('a')).toBe(false);
  follower_.seen = 9;
  expect(expectations.satisfied('a')).toBe(true);
});

test('does not wait for writes that the cache contains already', () => {
  const expectations = new Expectations();
  expectations.expect('a', follower_, '5');
  expectations.expect('a', follower_, undefined);
  expect(expectations.satisfied('a')).toBe(true);
});

test('nothing waits longer than five minutes', () => {
  let now = 0;
  const expectations = new Expectations(() => now);
  expectations.expect('a', follower_, '7');
  now = 299_000;
  expect(expectations.satisfied('a')).toBe(false);
  now = 300_000;
  expect(expectations.satisfied('a')).toBe(true);
});

test.each([
  ['the list that the cache holds was under way when the write was answered', { begun: 2, held: 1 }, 2, false],
  ['a list that began after the write is in the cache', { begun: 2, held: 2 }, 3, true],
  ['a list that began after the write is not in the cache yet', { begun: 2, held: 2 }, 2, false],
])('a version that never comes: %s', (_, atWrite, heldLater, want) => {
  const expectations = new Expectations();
  follower_.lists = atWrite;
  expectations.expect('a', follower_, '7');
  follower_.lists = { begun: 3, held: heldLater };
  // the store was restored from a backup: its versions are lower than the write's
  follower_.seen = 3;
  expect(expectations.satisfied('a')).toBe(want);
});
