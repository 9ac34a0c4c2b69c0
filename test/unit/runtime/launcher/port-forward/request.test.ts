import { parseRequest } from '../../../../../src/runtime/launcher/port-forward/request';

const INVALID = { error: 'the first line must be "tcp <port>" or "udp <port>"' };

test.each<[string, unknown]>([
  ['', undefined],
  ['tcp 22', undefined],
  ['x'.repeat(64), undefined],
  ['x'.repeat(65), INVALID],
  ['tcp 22\n', { protocol: 'tcp', port: 22, early: Buffer.alloc(0) }],
  ['udp 53\nquery\n', { protocol: 'udp', port: 53, early: Buffer.from('query\n') }],
  ['tcp 1\n', { protocol: 'tcp', port: 1, early: Buffer.alloc(0) }],
  ['tcp 65535\n', { protocol: 'tcp', port: 65_535, early: Buffer.alloc(0) }],
  ['tcp 65536\n', INVALID],
  ['tcp 0\n', INVALID],
  ['tcp -1\n', INVALID],
  ['tcp 022222\n', INVALID],
  ['sctp 22\n', INVALID],
  ['tcp 22\r\n', INVALID],
  ['\n', INVALID],
])('%j', (bytes, want) => expect(parseRequest(Buffer.from(bytes))).toEqual(want));
