import { Readable } from 'node:stream';
import { SpdyServer } from '../../../../../src/local/node/kubelet-api/spdy';
import type { SpdyStream } from '../../../../../src/local/node/kubelet-api/spdy';
import { control, SpdyClient, uint32 } from '../../../../support/spdy-client';

let client: SpdyClient;
let server: SpdyServer;
let streams: SpdyStream[];
/** Callbacks of the server's timers. */
let alarms: Set<() => void>;
beforeEach(() => {
  alarms = new Set();
  client = new SpdyClient();
  streams = [];
  server = new SpdyServer(
    client,
    (stream) => streams.push(stream),
    (_, act) => {
      alarms.add(act);
      return () => alarms.delete(act);
    },
  );
});
afterEach(() => server.close());

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};
/** Waits until a figure has not changed for many turns of the event loop. */
async function settled(figure: () => number): Promise<number> {
  for (;;) {
    const before = figure();
    await turns(50);
    if (figure() === before) return before;
  }
}
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await turns(1);
};
const MIB = 1 << 20;

test('a client that opens no windows gets all of a long answer', async () => {
  await client.open(1, { streamtype: 'data' });
  await until(() => streams.length === 1);
  streams[0]!.end(Buffer.alloc(3 * MIB));
  await until(() => client.payload.get(1) === 3 * MIB);
});

test('a client that reads nothing stops the source of an answer', async () => {
  await client.open(1, { streamtype: 'data' });
  await until(() => streams.length === 1);
  client.reads = false;
  let made = 0;
  const source = new Readable({
    read() {
      made += 64 << 10;
      this.push(made > 100 * MIB ? null : Buffer.alloc(64 << 10));
    },
  });
  source.pipe(streams[0]!);
  expect(await settled(() => made)).toBeLessThan(MIB);
  client.go();
  await until(() => client.payload.get(1) === 100 * MIB);
});

test('a reader that does not read stops the client', async () => {
  await client.open(1, { streamtype: 'data' });
  await until(() => streams.length === 1);
  let sent = 0;
  const feed = (): void => {
    for (; sent < 200; sent++) if (!client.data(1, Buffer.alloc(64 << 10))) break;
  };
  for (let before = -1; before !== sent;) {
    before = sent;
    feed();
    await turns(50);
  }
  expect(sent).toBeLessThan(80);
  let got = 0;
  streams[0]!.on('data', (data: Buffer) => (got += data.length));
  while (got < 200 * 65_536) {
    feed();
    await turns(1);
  }
});

const ring = (): void => {
  const [act] = alarms;
  alarms.delete(act!);
  act!();
};
const CHUNK = 32 << 10;
/** More than waits for readers. */
const CHUNKS = 200;
const reset = (id: number): Buffer => control(3, Buffer.concat([uint32(id), uint32(5)]));

test('a stream whose reader does not read is reset, and the next streams are read', async () => {
  await client.open(1, { streamtype: 'data' });
  for (let i = 0; i < CHUNKS; i++) client.data(1, Buffer.alloc(CHUNK));
  await client.open(3, { streamtype: 'data' });
  client.data(3, Buffer.from('hello'));
  await until(() => alarms.size === 1);
  ring();
  await until(() => streams.length === 2);
  expect(streams[0]!.destroyed).toBe(true);
  expect(client.control.includes(reset(1))).toBe(true);
  await until(() => streams[1]!.readableLength === 5);
});

test('a stream whose reader is slow keeps its place in the queue', async () => {
  await client.open(1, { streamtype: 'data' });
  await until(() => streams.length === 1);
  for (let i = 0; i < CHUNKS; i++) client.data(1, Buffer.alloc(CHUNK));
  client.data(1, Buffer.alloc(0), true);
  let got = 0;
  const stream = streams[0]!;
  stream.on('data', (data: Buffer) => {
    got += data.length;
    stream.pause();
  });
  while (got < CHUNKS * CHUNK && !stream.destroyed) {
    const [waiting] = alarms;
    stream.resume();
    await turns(1);
    // it has taken one chunk since
    if (waiting && alarms.has(waiting)) ring();
  }
  expect(got).toBe(CHUNKS * CHUNK);
  await until(() => stream.readableEnded);
  expect(client.control.includes(reset(1))).toBe(false);
  expect(alarms.size).toBe(0);
});

test('the end of a session ends the wait for its readers', async () => {
  await client.open(1, { streamtype: 'data' });
  for (let i = 0; i < CHUNKS; i++) client.data(1, Buffer.alloc(CHUNK));
  await until(() => alarms.size === 1);
  server.close();
  expect(alarms.size).toBe(0);
});

test('a stream ends when both sides have, and frees its place', async () => {
  for (let id = 1; id < 1001; id += 2) {
    await client.open(id, { streamtype: 'data' });
    await until(() => streams.length === 1);
    const [stream] = streams.splice(0);
    client.data(id, Buffer.alloc(0), true);
    stream!.resume().end();
    await new Promise((closed) => stream!.on('close', closed));
  }
});

test('streams beyond the limit are rejected, those before stay', async () => {
  for (let id = 1; id <= 257; id++) await client.open(id, { streamtype: 'data' });
  const refusal = control(3, Buffer.concat([uint32(257), uint32(3)]));
  await until(() => client.control.includes(refusal));
  expect(streams).toHaveLength(256);
  expect(client.destroyed).toBe(false);
});

test.each<[string, () => Promise<Buffer>]>([
  ['a frame over its limit', async () => Buffer.concat([uint32(1), uint32(MIB + 1)])],
  [
    'headers that unpack to more than their limit',
    async () =>
      control(1, Buffer.concat([uint32(1), uint32(0), Buffer.alloc(2), await client.pack(Buffer.alloc(65_537))])),
  ],
  ['headers that are not compressed', async () => control(1, Buffer.alloc(100, 0xff))],
  ['headers that are cut off', async () => control(1, Buffer.concat([Buffer.alloc(10), await client.pack(uint32(5))]))],
])('%s end the session', async (_, frame) => {
  client.push(await frame());
  await until(() => client.destroyed);
  expect(streams).toEqual([]);
});

test('pings whose responses nobody reads are not read forever', async () => {
  client.reads = false;
  const pings = Buffer.concat(Array<Buffer>(1000).fill(control(6, uint32(1))));
  let sent = 0;
  for (let before = -1; before !== sent && sent < 10_000;) {
    before = sent;
    while (sent < 10_000 && client.push(pings)) sent++;
    await turns(50);
  }
  expect(sent).toBeLessThan(100);
});
