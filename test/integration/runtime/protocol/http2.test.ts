import { mkdtempSync, rmSync } from 'node:fs';
import * as http2 from 'node:http2';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CmdDefinition, DevicePluginDefinition, GrpcClient, GrpcServer } from '../../../../src/runtime/protocol';
import fc from '../../../support/fast-check';

/** Our HTTP/2 against nghttp2 (node:http2), and against peers that do not play by the rules. */

let dir: string;
let path: string;
const cleanups: (() => unknown)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-http2-'));
  path = join(dir, 'sock');
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(dir, { recursive: true, force: true });
});

async function startServer(yielded: { count: number } = { count: 0 }): Promise<GrpcServer> {
  const server = new GrpcServer()
    .add(CmdDefinition, { ping: () => ({ success: true }), getDomain: () => ({ domain: 'x'.repeat(3_000_000) }) })
    .add(DevicePluginDefinition, {
      async *listAndWatch() {
        for (; ; yielded.count++) yield { devices: [{ ID: 'x'.repeat(10_000) }] };
      },
    });
  await server.listen(path);
  cleanups.push(() => server.close());
  return server;
}

const client = (): GrpcClient => {
  const made = new GrpcClient(path);
  cleanups.push(() => made.close());
  return made;
};

test('headers that nghttp2 compresses are read as they were meant, over many requests', async () => {
  await startServer();
  const session = http2.connect('http://localhost', { createConnection: () => connect(path) });
  cleanups.push(() => session.destroy());
  const value = fc.stringMatching(/^[!-~]([ -~]{0,400}[!-~])?$/);
  await fc.assert(
    fc.asyncProperty(value, async (text) => {
      // the path comes back in the status message
      const stream = session.request({
        ':method': 'POST',
        ':path': `/${encodeURI(text).slice(0, 900)}`,
        'content-type': 'application/grpc',
        'x-other': text,
      });
      const headers = await new Promise<http2.IncomingHttpHeaders>((resolve, reject) =>
        stream.once('response', resolve).once('error', reject),
      );
      expect(headers['grpc-status']).toBe('12');
      expect(decodeURIComponent(String(headers['grpc-message']))).toBe(`no method /${encodeURI(text).slice(0, 900)}`);
      stream.destroy();
    }),
    { numRuns: 200 },
  );
});

test('messages far larger than the windows pass, many at a time', async () => {
  await startServer();
  const cmd = client().service(CmdDefinition);
  const answers = await Promise.all(Array.from({ length: 10 }, () => cmd.getDomain({})));
  expect(answers.map(({ domain }) => domain?.length)).toEqual(Array(10).fill(3_000_000));
}, 20_000);

test('a slow reader slows the sender', async () => {
  const yielded = { count: 0 };
  await startServer(yielded);
  const stream = client().service(DevicePluginDefinition).listAndWatch({})[Symbol.asyncIterator]();
  await stream.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const after = yielded.count;
  expect(after).toBeLessThan(40); // 10 kB each, 64 kB of window
  for (let i = 0; i < 200; i++) await stream.next();
  expect(yielded.count).toBeGreaterThanOrEqual(199);
  await stream.return?.();
});

/** A peer of raw bytes. */
function raw(): { socket: Socket; closed: Promise<Buffer> } {
  const socket = connect(path).on('error', () => {});
  cleanups.push(() => socket.destroy());
  const got: Buffer[] = [];
  socket.on('data', (chunk) => got.push(chunk));
  return { socket, closed: new Promise((resolve) => socket.once('close', () => resolve(Buffer.concat(got)))) };
}

const frame = (type: number, flags: number, stream: number, payload: Buffer | number[] = []): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
};
const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0)]);
// POST http / application/grpc
const request = [0x83, 0x86, 0x84, 0x0f, 0x10, 16, ...Buffer.from('application/grpc')];

const pingPath = '/kubevirt.cmd.v1.Cmd/Ping';
const ping = [0x83, 0x86, 4, pingPath.length, ...Buffer.from(pingPath), ...request.slice(3)];

test.each<[string, () => Buffer]>([
  ['is no HTTP/2', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['sends a frame that is too large', () => Buffer.concat([preface, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 1])])],
  ['sends data on a stream that is not open', () => Buffer.concat([preface, frame(0, 0, 7, [1, 2, 3])])],
  ['opens an even stream', () => Buffer.concat([preface, frame(1, 4, 2, request)])],
  ['interrupts a header block', () => Buffer.concat([preface, frame(1, 0, 1, request), frame(0, 0, 1)])],
  [
    'never ends a header block',
    () => Buffer.concat([preface, frame(1, 0, 1, request), ...Array<Buffer>(70).fill(frame(9, 0, 1, [0x84]))]),
  ],
  ['sends headers that cannot be read', () => Buffer.concat([preface, frame(1, 4, 1, [0xff, 0xff, 0xff, 0xff, 0xff])])],
  ['pads more than it sends', () => Buffer.concat([preface, frame(1, 4 | 8, 1, [200, 0x83])])],
  [
    'credits without end',
    () => Buffer.concat([preface, ...Array<Buffer>(2).fill(frame(8, 0, 0, [0x7f, 0xff, 0xff, 0xff]))]),
  ],
  ['credits nothing', () => Buffer.concat([preface, frame(8, 0, 0, [0, 0, 0, 0])])],
  [
    'opens and resets streams without end',
    () =>
      Buffer.concat([
        preface,
        ...Array.from({ length: 1_500 }, (_, i) =>
          Buffer.concat([frame(1, 4, 2 * i + 1, ping), frame(3, 0, 2 * i + 1, [0, 0, 0, 8])]),
        ),
      ]),
  ],
])('a peer that %s is cut off, and nobody else', async (_, bytes) => {
  await startServer();
  const other = client().service(CmdDefinition);
  await other.ping({});
  const peer = raw();
  peer.socket.write(bytes());
  const said = await peer.closed;
  expect(said.includes(frame(7, 0, 0).subarray(3, 4))).toBe(true); // GOAWAY
  expect(await other.ping({})).toMatchObject({ success: true });
});

test('more streams than allowed are refused one by one', async () => {
  await startServer();
  const peer = raw();
  const opens = Array.from({ length: 70 }, (_, i) =>
    frame(1, 4, 2 * i + 1, [...request.slice(0, 2), 4, 1, 47, ...request.slice(3)]),
  );
  peer.socket.write(Buffer.concat([preface, ...opens]));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(peer.socket.destroyed).toBe(false);
  peer.socket.end();
});

test('random bytes after a good beginning never bring the server down', async () => {
  await startServer();
  const other = client().service(CmdDefinition);
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: 10 }),
          fc.integer({ min: 0, max: 255 }),
          fc.integer({ min: 0, max: 9 }),
          fc.uint8Array({ maxLength: 64 }),
        ),
        { maxLength: 20 },
      ),
      async (frames) => {
        const peer = raw();
        peer.socket.end(Buffer.concat([preface, ...frames.map(([t, f, s, p]) => frame(t, f, s, Buffer.from(p)))]));
        await peer.closed;
      },
    ),
    { numRuns: 150 },
  );
  expect(await other.ping({})).toMatchObject({ success: true });
}, 30_000);
