import { mkdtempSync, rmSync } from 'node:fs';
import * as http2 from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CmdDefinition, DevicePluginDefinition } from '../../../../src/runtime/protocol';
import type { TransportClient } from '../../../../src/runtime/protocol/grpc/client';
import type { TransportServer } from '../../../../src/runtime/protocol/grpc/server';
import { IDLE_FRAMES, MAX_STREAMS } from '../../../../src/runtime/protocol/http2/connection';
import { MAX_STREAMS as MAX_NODE_STREAMS } from '../../../../src/runtime/protocol/nghttp2/connection';
import fc from '../../../support/fast-check';
import { frame, headersFor, implementations, message, preface, RawPeer, times } from './frames';

/** Both implementations of HTTP/2 against each other, against nghttp2, and against peers that break the rules. */

let dir: string;
let path: string;
const cleanups: (() => unknown)[] = [];
/** Sizes of the VMIs that calls of KillVirtualMachine brought. */
let requests: number[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-http2-'));
  path = join(dir, 'sock');
  requests = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  rmSync(dir, { recursive: true, force: true });
});

let [GrpcClient, GrpcServer] = [implementations[0][1].GrpcClient, implementations[0][1].GrpcServer];

const isOurs = (): boolean => GrpcServer === implementations[0][1].GrpcServer;

async function startServer(yielded: { count: number } = { count: 0 }): Promise<TransportServer> {
  const server = new GrpcServer()
    .add(CmdDefinition, {
      ping: () => ({ success: true }),
      getDomain: () => ({ domain: 'x'.repeat(3_000_000) }),
      killVirtualMachine: ({ vmi }) => {
        requests.push(vmi?.vmiJson?.length ?? 0);
        return new Promise(() => {});
      },
    })
    .add(DevicePluginDefinition, {
      async *listAndWatch() {
        for (; ; yielded.count++) yield { devices: [{ ID: 'x'.repeat(10_000) }] };
      },
    });
  await server.listen(path);
  cleanups.push(() => server.close());
  return server;
}

const client = (): TransportClient => {
  const made = new GrpcClient(path);
  cleanups.push(() => made.close());
  return made;
};

const raw = (): RawPeer => {
  const peer = new RawPeer(path);
  cleanups.push(() => peer.socket.destroy());
  return peer;
};

const PING_PATH = '/kubevirt.cmd.v1.Cmd/Ping';
const request = headersFor(PING_PATH);
/** Opens stream `id` with a call of Ping that does not end. */
const opens = (id: number): Buffer => frame(1, 4, id, request);
const GOAWAY = 7;
const bigData = frame(0, 0, 1, Buffer.alloc(1_000));

describe.each(implementations)('%s', (_name, { GrpcClient: Client, GrpcServer: Server }) => {
  beforeEach(() => {
    [GrpcClient, GrpcServer] = [Client, Server];
  });

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
  });

  test('a slow reader slows the sender', async () => {
    const yielded = { count: 0 };
    await startServer(yielded);
    const both = client();
    const stream = both.service(DevicePluginDefinition).listAndWatch({})[Symbol.asyncIterator]();
    await stream.next();
    // the sender had many turns to send more
    for (let i = 0; i < 100; i++) await both.service(CmdDefinition).ping({});
    const after = yielded.count;
    expect(after).toBeLessThan(40); // 10 kB each, 64 kB of window
    for (let i = 0; i < 200; i++) await stream.next();
    expect(yielded.count).toBeGreaterThanOrEqual(199);
    await stream.return?.();
  });

  test.each<[string, () => Buffer]>([
    ['does not speak HTTP/2', () => Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['sends a frame that is too large', () => Buffer.concat([preface, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 1])])],
    ['sends data on a stream that is not open', () => Buffer.concat([preface, frame(0, 0, 7, [1, 2, 3])])],
    ['opens an even stream', () => Buffer.concat([preface, frame(1, 4, 2, request)])],
    ['interrupts a header block', () => Buffer.concat([preface, frame(1, 0, 1, request), frame(0, 0, 1)])],
    [
      'never ends a header block',
      () => Buffer.concat([preface, frame(1, 0, 1, request), times(70_000, frame(9, 0, 1, [0x84]))]),
    ],
    [
      'sends headers that cannot be read',
      () => Buffer.concat([preface, frame(1, 4, 1, [0xff, 0xff, 0xff, 0xff, 0xff])]),
    ],
    ['pads more than it sends', () => Buffer.concat([preface, frame(1, 4 | 8, 1, [200, 0x83])])],
    ['credits without end', () => Buffer.concat([preface, times(2, frame(8, 0, 0, [0x7f, 0xff, 0xff, 0xff]))])],
    ['credits nothing', () => Buffer.concat([preface, frame(8, 0, 0, [0, 0, 0, 0])])],
    [
      'opens and resets streams without end',
      () =>
        Buffer.concat([
          preface,
          ...Array.from({ length: 4_500 }, (_, i) =>
            Buffer.concat([opens(2 * i + 1), frame(3, 0, 2 * i + 1, [0, 0, 0, 8])]),
          ),
        ]),
    ],
  ])('a peer that %s is disconnected, and no other', async (_, bytes) => {
    await startServer();
    const other = client().service(CmdDefinition);
    await other.ping({});
    const peer = raw().send(bytes());
    await peer.closed;
    expect(await other.ping({})).toMatchObject({ success: true });
  });

  test('data after the end of a request resets its stream, and does not reach the call', async () => {
    await startServer();
    const hangs = headersFor('/kubevirt.cmd.v1.Cmd/KillVirtualMachine');
    const peer = raw().send(preface, frame(1, 4, 1, hangs), frame(0, 1, 1, message(Buffer.alloc(0))), bigData);
    const { type, payload } = await peer.reads(({ type: t }) => t === 3 || t === GOAWAY);
    // STREAM_CLOSED; nghttp2 closes the connection
    expect([type, payload.readUInt32BE(type === 3 ? 0 : 4)]).toEqual([isOurs() ? 3 : GOAWAY, 5]);
    expect(requests.filter((size) => size > 0)).toEqual([]);
  });

  test('more streams than allowed are rejected one by one, and the others are served', async () => {
    await startServer();
    const allowed = isOurs() ? MAX_STREAMS : MAX_NODE_STREAMS;
    const ids = Array.from({ length: allowed + 6 }, (_, i) => 2 * i + 1);
    const peer = raw().send(preface);
    await peer.reads(({ type, flags }) => type === 4 && flags === 1); // from now on our settings apply
    peer.send(...ids.map(opens));
    const last = ids[ids.length - 1];
    await peer.reads(({ type, stream }) => type === 3 && stream === last);
    peer.send(frame(0, 1, 1, message(Buffer.alloc(0))));
    const answer = await peer.reads(({ stream, type }) => stream === 1 && type === 0);
    expect(answer.payload.subarray(5)).toEqual(Buffer.from([8, 1])); // success: true
    const refused = peer.frames.filter(({ type }) => type === 3);
    expect(refused.map(({ stream }) => stream)).toEqual(ids.slice(allowed));
    expect(refused.every(({ payload }) => payload.readUInt32BE() === 7)).toBe(true); // REFUSED_STREAM
    expect(peer.frames.some(({ type }) => type === GOAWAY)).toBe(false);
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
  });
});

describe('our own HTTP/2 cuts off a peer that sends more than the allowed number of', () => {
  beforeEach(() => {
    ({ GrpcClient, GrpcServer } = implementations[0][1]);
  });

  test.each<[string, Buffer]>([
    ['pings', frame(6, 0, 0, Buffer.alloc(8))],
    ['answers to pings', frame(6, 1, 0, Buffer.alloc(8))],
    ['settings', frame(4, 0, 0)],
    ['answers to settings', frame(4, 1, 0)],
    ['empty data frames', frame(0, 0, 1)],
    ['data frames of one byte', frame(0, 0, 1, [0])],
    ['resets of streams that have ended', frame(3, 0, 1, [0, 0, 0, 8])],
    ['credits of one byte', frame(8, 0, 0, [0, 0, 0, 1])],
    ['priorities', frame(2, 0, 1, [0, 0, 0, 0, 1])],
    ['frames of unknown types', frame(99, 0, 0)],
  ])('%s', async (_, one) => {
    await startServer();
    const peer = raw().send(preface, opens(1), times(3 * IDLE_FRAMES.burst, one));
    await peer.closed;
    expect(peer.frames.length).toBeLessThan(IDLE_FRAMES.burst + 100); // few of 6,000 settings or pings are answered
  });

  test('bytes on a stream that was refused, which is its window', async () => {
    await startServer();
    const unknown = headersFor('/kubevirt.cmd.v1.Cmd/Unknown');
    const peer = raw().send(preface, frame(1, 4, 1, unknown), times(65, bigData));
    await peer.reads(({ type, stream }) => type === 3 && stream === 1);
    peer.send(frame(6, 0, 0, Buffer.alloc(8)));
    await peer.reads(({ type }) => type === 6); // what is within the window is ignored
    peer.send(bigData);
    await peer.closed;
  });

  test('and serves one that sends half of it', async () => {
    await startServer();
    const peer = raw().send(preface, times(IDLE_FRAMES.burst / 2, frame(6, 0, 0, Buffer.alloc(8))), opens(1));
    peer.send(frame(0, 1, 1, message(Buffer.alloc(0))));
    await peer.reads(({ stream, type, flags }) => stream === 1 && type === 1 && flags === 5); // trailers
  });
});
