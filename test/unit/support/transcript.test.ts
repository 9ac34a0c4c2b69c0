import { blocksOf, normalizeOutput, stepsOf } from '../../support/transcript';

const transcript = `# A comment.
$ first
# output that looks like a comment

also output

# Another
# comment.
$ second
`;

test('a transcript has the commands, with the comments before them', () => {
  expect(stepsOf(transcript)).toEqual([
    { before: ['# A comment.'], command: 'first' },
    { before: ['# Another', '# comment.'], command: 'second' },
  ]);
  expect(blocksOf(transcript)).toHaveLength(2);
});

test.each([
  ['output without a command', '# only a comment\n', 'has no command'],
  ['a command in the output of another', '$ first\n$ second\n', 'no empty line before a command: $ second'],
])('%s is rejected', (_, text, message) => {
  expect(() => stepsOf(text)).toThrow(message);
});

test.each([
  ['ages, and the columns after them', 'web   2/2   2m5s    web', 'web   2/2   AGE   web'],
  ['ages of repeated events', '9s (x2 over 10s)   done', 'AGE   done'],
  ['names of Pods', 'web-5d4f8c7d9b-x2k7z and web-5d4f8c7d9b', 'web-HASH-ID and web-HASH'],
  ['times', 'Mon, 23 Nov 2026 03:41:36 +0000 2026-11-23T03:41:36Z', 'TIME TIME'],
  ['identities', 'uid: 01234567-89ab-cdef-0123-456789abcdef', 'uid: UID'],
  ['versions', 'resourceVersion: "17"', 'resourceVersion: "VERSION"'],
  ['addresses', '10.96.3.4 80:31234/TCP https://127.0.0.1:6443', 'IP 80:NODEPORT/TCP https://SERVER'],
  ['nothing in the indentation of a difference', '+    app: web', '+    app: web'],
])('normalizes %s', (_, output, expected) => {
  expect(normalizeOutput(output)).toBe(expected);
});
