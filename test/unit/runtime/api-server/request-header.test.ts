import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowedNames, parseNames } from '../../../../src/runtime/api-server/request-header';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'virt8s-names-'))));
afterEach(() => rmSync(dir, { recursive: true }));

test.each([
  ['front-proxy-client', ['front-proxy-client']],
  [' a , b,\n', ['a', 'b']],
])('names of a flag are separated by commas: %j', (text, want) => {
  expect(allowedNames({ text }, {})()).toEqual(want);
});

test.each<[string, { file?: string; text?: string }, string]>([
  ['no flag', {}, '--requestheader-allowed-names or --requestheader-allowed-names-file is missing'],
  ['an empty list', { text: '' }, '--requestheader-allowed-names: names no client; give at least one name'],
  ['a list of nothing', { text: ' ,' }, '--requestheader-allowed-names: names no client; give at least one name'],
  ['both flags', { text: 'a', file: '/names' }, 'give one of them'],
  ['a file that does not exist', { file: '/does/not/exist' }, '/does/not/exist'],
])('rejects %s, which would accept every client', (_, flags, want) => {
  expect(() => allowedNames(flags, {})).toThrow(want);
});

test.each([
  ['a, b', ['a', 'b']],
  ['a,,', ['a']],
])('names of another flag are parsed in the same way: %j', (text, want) =>
  expect(parseNames(text, '--x')).toEqual(want),
);

test.each(['', ' ', ',', ' , '])('no names of another flag (%j) are an error that names it', (text) => {
  expect(() => parseNames(text, '--webhook-allowed-names')).toThrow(
    '--webhook-allowed-names: names no client; give at least one name',
  );
});

test('names of a file are followed, and an empty file does not let every client in', () => {
  const file = join(dir, 'allowed-names');
  const write = (text: string, at: number): void => {
    writeFileSync(file, text);
    utimesSync(file, at, at);
  };
  const errors: string[] = [];
  write('a', 1);
  const names = allowedNames({ file }, { checkMs: 0, onError: ({ message }) => errors.push(message) });
  write('b,c', 2);
  expect(names()).toEqual(['b', 'c']);
  write('', 3);
  expect(names()).toEqual(['b', 'c']);
  expect(errors).toEqual([expect.stringContaining('names no client')]);
});
