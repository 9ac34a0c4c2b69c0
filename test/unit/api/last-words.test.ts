import { lastWords, remedyOf } from '../../../src/api/last-words';

test.each([
  ['nothing', undefined, ''],
  ['one line as it is', 'no such file.\n', 'no such file'],
  ['several lines as one', 'a\n  b\n\nc', 'a | b | c'],
  ['the last three of many', 'a\nb\nc\nd', 'b | c | d'],
  ['what is repeated once', 'full\nfull\n', 'full'],
  ['no more than a condition should hold', 'x'.repeat(9_999), `${'x'.repeat(511)}…`],
  ['without what steers a terminal', 'a\u001b[2Jb', 'a?[2Jb'],
])('last words are %s', (_, text, want) => expect(lastWords(text)).toBe(want));

test('a full disk is reported with a remedy', () => {
  expect(remedyOf('mkdir: /a: No space left on device')).toContain('free space');
  expect(remedyOf('manifest unknown')).toBeUndefined();
});

test.each([
  [
    'containerd',
    'failed to create containerd task: exec: "/container-disk-binary/usr/bin/container-disk": stat /container-disk-binary/usr/bin/container-disk: no such file or directory: unknown',
  ],
  ['crun', 'executable file `/container-disk-binary/usr/bin/container-disk` not found: No such file or directory'],
])('image volumes that the API server dropped are named as the cause (%s)', (_, text) => {
  expect(remedyOf(text)).toContain('remove ImageVolume from featureGates');
});

test('another missing file does not mention image volumes', () => {
  expect(remedyOf('exec: "/usr/bin/container-disk": no such file or directory')).toBeUndefined();
  expect(remedyOf('/container-disk-binary/usr/bin/container-disk: permission denied')).toBeUndefined();
});
