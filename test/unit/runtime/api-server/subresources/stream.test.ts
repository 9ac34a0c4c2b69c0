import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { duplexPair, PassThrough, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  acceptUpgrade,
  handshakeOf,
  join,
  rejectUpgrade,
} from '../../../../../src/runtime/api-server/subresources/stream';

const request = (headers: Record<string, string>): IncomingMessage => ({ headers }) as never;
const shake = { upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };

describe('the handshake of a user', () => {
  test('passes on the headers that both ends must agree on, and no others', () => {
    const headers = {
      ...shake,
      upgrade: 'WebSocket',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'plain.kubevirt.io',
      authorization: 'Bearer secret',
      cookie: 'secret',
      'x-remote-user': 'admin',
    };
    expect(handshakeOf(request(headers))).toEqual({
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'plain.kubevirt.io',
    });
    expect(handshakeOf(request(shake))).toEqual({ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' });
  });

  test.each([
    ['without an upgrade', { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }],
    ['of another protocol', { ...shake, upgrade: 'h2c' }],
    ['without a key', { upgrade: 'websocket' }],
    ['with a short key', { ...shake, 'sec-websocket-key': 'a2V5' }],
    ['with a long key', { ...shake, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZXMgaW4=' }],
  ])('%s is refused', (_, headers) => {
    expect(() => handshakeOf(request(headers as never))).toThrow('this subresource is a websocket');
  });
});

/** All that is written until the end. */
async function written(write: (end: PassThrough) => void): Promise<string> {
  const end = new PassThrough();
  write(end);
  end.end();
  return text(end);
}

test('the user gets the choices of the handler', async () => {
  const answer = request({ 'sec-websocket-accept': 'YWNj', 'sec-websocket-protocol': 'plain', 'set-cookie': 'a' });
  expect(await written((end) => acceptUpgrade(end, answer))).toBe(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'sec-websocket-accept: YWNj\r\nsec-websocket-protocol: plain\r\n\r\n',
  );
  expect(await written((end) => acceptUpgrade(end, request({ 'sec-websocket-accept': 'YWNj' })))).toBe(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nsec-websocket-accept: YWNj\r\n\r\n',
  );
});

test.each([
  [404, 'HTTP/1.1 404 Not Found'],
  [undefined, 'HTTP/1.1 500 Internal Server Error'],
  [599, 'HTTP/1.1 599 Error'],
])('a refusal with %s is an ordinary answer', async (code, line) => {
  const end = new PassThrough();
  rejectUpgrade(end, { kind: 'Status', code, message: 'für Sie' } as never);
  const [head, body] = (await text(end)).split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual([
    line,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]);
  expect(JSON.parse(body)).toMatchObject({ message: 'für Sie' });
});

test('writes nothing to a user who has left', () => {
  const end = new PassThrough();
  end.destroy();
  const write = jest.spyOn(end, 'end');
  rejectUpgrade(end, { code: 404 } as never);
  expect(write).not.toHaveBeenCalled();
});

describe('two connections that are joined', () => {
  /** A connection as a socket is, and its far end. */
  function connection(): [near: Duplex & { destroySoon: () => void }, far: Duplex] {
    const [near, far] = duplexPair();
    return [Object.assign(near, { destroySoon: () => near.end(() => near.destroy()) }), far];
  }
  const joined = (clientHead = '', handlerHead = '') => {
    const [[client, user], [handler, node]] = [connection(), connection()];
    join(client, handler, Buffer.from(clientHead), Buffer.from(handlerHead));
    return { client, user, handler, node };
  };

  test.each([
    ['', ''],
    ['u', 'n'],
    ['user first ', 'node first '],
  ])('carry earlier (%j, %j) and later bytes in both directions, in order', async (clientHead, handlerHead) => {
    const { user, node } = joined(clientHead, handlerHead);
    user.end('to the node');
    node.end('to the user');
    expect(await Promise.all([text(node), text(user)])).toEqual([
      `${clientHead}to the node`,
      `${handlerHead}to the user`,
    ]);
  });

  test.each(['client', 'handler'] as const)('end together when the %s fails', async (broken) => {
    const made = joined();
    const other = made[broken === 'client' ? 'handler' : 'client'];
    made[broken].destroy(new Error('reset'));
    await once(other, 'close');
    expect(other.destroyed).toBe(true);
  });

  test.each(['client', 'handler'] as const)('end together when the %s closes', async (gone) => {
    const made = joined();
    const other = made[gone === 'client' ? 'handler' : 'client'];
    // what was sent is read by the far ends
    made.user.resume();
    made.node.resume();
    made[gone].destroy();
    await once(other, 'close');
    expect(other.destroyed).toBe(true);
  });

  test('are probed, send immediately and may be idle without a limit', () => {
    const calls: unknown[][] = [];
    const socket = (): Duplex =>
      Object.assign(new PassThrough(), {
        setNoDelay: (...given: unknown[]) => calls.push(['delay', ...given]),
        setKeepAlive: (...given: unknown[]) => calls.push(['alive', ...given]),
        setTimeout: (...given: unknown[]) => calls.push(['timeout', ...given]),
      });
    join(socket(), socket(), Buffer.alloc(0), Buffer.alloc(0));
    const one = [
      ['delay', true],
      ['alive', true, 30_000],
      ['timeout', 0],
    ];
    expect(calls).toEqual([...one, ...one]);
  });
});
