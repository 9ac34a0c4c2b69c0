import { splitAtEscape } from '../../../src/cli/console/escape';

test.each([
  ['plain text', 'ls\r', 'ls\r', false],
  ['the escape alone', '\x1d', '', true],
  ['the escape after text', 'exit\r\x1drest', 'exit\r', true],
])('%s', (_, input, sent, leave) => {
  const split = splitAtEscape(Buffer.from(input));
  expect([split.send.toString(), split.leave]).toEqual([sent, leave]);
});
