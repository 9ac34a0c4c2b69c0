import { Expectations } from '../../../../src/runtime/kube';

const follower = (seen: number) => ({
  seen,
  hasSeen: (version?: string) => !version || Number(version) <= follower_.seen,
});
let follower_: ReturnType<typeof follower>;
beforeEach(() => (follower_ = follower(5)));

test('a key waits until each cache has seen what was written for it', () => {
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

test('what the cache has seen already is not waited for', () => {
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
