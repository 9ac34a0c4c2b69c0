import { isContained } from '../../../src/local/faults';

const coded = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['a rejected promise', new Error('a'), 'unhandledRejection', true],
  ['a rejection that is not an error', 'text', 'unhandledRejection', true],
  ['a connection that the client reset', coded('ECONNRESET'), 'uncaughtException', true],
  ['a TLS error', coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'uncaughtException', true],
  ['a programming error', new TypeError('x is undefined'), 'uncaughtException', false],
  ['a full disk', coded('ENOSPC'), 'uncaughtException', false],
  ['a thrown string', 'text', 'uncaughtException', false],
] as const)('after %s, the process continues or exits', (_, error, origin, continues) =>
  expect(isContained(error, origin)).toBe(continues),
);
