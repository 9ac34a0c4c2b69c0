import { parseChecksum } from '../../../../src/api/cdi/checksum';

const HASH = 'ab'.repeat(16);

test.each<[string, object]>([
  [`md5:${HASH}`, { text: `md5:${HASH}` }],
  [` MD5 : ${HASH.toUpperCase()}\n`, { text: `md5:${HASH}` }],
  [HASH, { problem: `invalid checksum format: expected 'algorithm:hash', got '${HASH}'` }],
  ['md5: ', { problem: 'checksum hash value cannot be empty' }],
  [`toString:${HASH}`, { problem: expect.stringMatching(/^unsupported hash algorithm 'tostring'/) as string }],
  [`sha1:${HASH}`, { problem: 'invalid sha1 hash length: expected 40 hex characters, got 32' }],
  [`md5:${HASH.replace('a', 'x')}`, { problem: 'checksum hash is not valid hexadecimal' }],
])('parses the checksum %j', (text, wanted) => expect(parseChecksum(text)).toEqual(wanted));
