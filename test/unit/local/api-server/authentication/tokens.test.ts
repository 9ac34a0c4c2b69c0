import { timeError } from '../../../../../src/local/api-server/authentication/tokens';

/** Clocks may differ by a minute. */
test.each<[string, number, string | undefined]>([
  ['a minute before its start', 40, undefined],
  ['more than a minute before its start', 39, 'service account token is not valid yet'],
  ['at its start', 100, undefined],
  ['at its end', 200, undefined],
  ['a minute after its end', 260, undefined],
  ['more than a minute after its end', 261, 'service account token has expired'],
])('a token %s', (_, now, error) => expect(timeError({ nbf: 100, exp: 200 }, now)).toBe(error));
