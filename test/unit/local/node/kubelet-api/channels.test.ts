import type { WebSocket } from 'ws';
import { closeFailed } from '../../../../../src/local/node/kubelet-api/channels';

test.each<[string, string, string]>([
  ['short', 'it failed', 'it failed'],
  ['as long as allowed', 'x'.repeat(123), 'x'.repeat(123)],
  ['one too long', 'x'.repeat(124), 'x'.repeat(123)],
  ['as long as allowed in bytes', `x${'é'.repeat(61)}`, `x${'é'.repeat(61)}`],
  ['too long by the second byte of a character', 'é'.repeat(62), 'é'.repeat(61)],
  ['too long by the last byte of a character', `${'x'.repeat(120)}😀`, 'x'.repeat(120)],
  ['of many wide characters', '😀'.repeat(60), '😀'.repeat(30)],
])('a cause that is %s closes the websocket with what fits', (_, cause, want) => {
  const closed: [number, string][] = [];
  closeFailed(
    { close: (code: number, reason: Buffer) => closed.push([code, reason.toString()]) } as unknown as WebSocket,
    cause,
  );
  expect(closed).toEqual([[1011, want]]);
});
