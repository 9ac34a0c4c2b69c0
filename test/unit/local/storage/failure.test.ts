import { failureText } from '../../../../src/local/storage/failure';

const NO_SPACE = 'free space on this machine; it is tried again';

test.each([
  [
    new Error('cp: error writing: No space left on device\n'),
    `cp: error writing: No space left on device; ${NO_SPACE}`,
  ],
  [new Error('ENOSPC: no space left, write'), `ENOSPC: no space left, write; ${NO_SPACE}`],
  [new Error('resize2fs: Permission denied to resize filesystem'), /SYS_RESOURCE; the claim grows when the engine/],
  [new Error('mkfs.ext4: exit code 1'), 'mkfs.ext4: exit code 1; it is tried again'],
  ['a text', 'a text; it is tried again'],
  [new Error(`${'x'.repeat(600)}end`), `…${'x'.repeat(497)}end; it is tried again`],
])('%#: cause and remedy', (error, expected) => {
  if (typeof expected === 'string') expect(failureText(error)).toBe(expected);
  else expect(failureText(error)).toMatch(expected);
});
