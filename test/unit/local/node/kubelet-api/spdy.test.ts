import { Duplex, Readable } from 'node:stream';
import { constants, createDeflate } from 'node:zlib';
import type { Deflate } from 'node:zlib';
import { formatHeaders, SpdyServer } from '../../../../../src/local/node/kubelet-api/spdy';
import type { SpdyStream } from '../../../../../src/local/node/kubelet-api/spdy';
import { SPDY_DICTIONARY } from '../../../../../src/local/node/kubelet-api/spdy-dictionary';

/** A client's end of a tunnel, by hand. `reads` false: it takes nothing of what the server sends. */
class Client extends Duplex {
  public control = Buffer.alloc(0);
  /** Bytes of data that came, by stream. */
  public readonly payload = new Map<number, number>();
  public reads = true;
  private held: (() => void)[] = [];
  private readonly deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY });

  public override _read(): void {
    // frames are pushed as the tests make them
  }
  public override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const id = data.readUInt32BE(0);
    // one frame with each write
    if (id & 0x80000000) this.control = Buffer.concat([this.control, data]);
    else this.payload.set(id, (this.payload.get(id) ?? 0) + data.length - 8);
    if (this.reads) done();
    else this.held.push(done);
  }
  public go(): void {
    this.reads = true;
    this.held.splice(0).forEach((done) => done());
  }
  public async open(id: number, headers: Record<string, string>): Promise<void> {
    this.push(
      control(1, Buffer.concat([uint32(id), uint32(0), Buffer.alloc(2), await this.pack(formatHeaders(headers))])),
    );
  }
  public data(id: number, body: Buffer, fin = false): boolean {
    return this.push(Buffer.concat([uint32(id), uint32((fin ? 1 << 24 : 0) + body.length), body]));
  }
  public pack(block: Buffer): Promise<Buffer> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      const collect = (part: Buffer): void => void parts.push(part);
      this.deflate.on('data', collect);
      this.deflate.write(block, () =>
        this.deflate.flush(constants.Z_SYNC_FLUSH, () => {
          this.deflate.off('data', collect);
          resolve(Buffer.concat(parts));
        }),
      );
    });
  }
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const control = (type: number, body: Buffer): Buffer =>
  Buffer.concat([uint32(0x80030000 + type), uint32(body.length), body]);

let client: Client;
let server: SpdyServer;
let streams: SpdyStream[];
beforeEach(() => {
  client = new Client();
  streams = [];
  server = new SpdyServer(client, (stream) => streams.push(stream));
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

test('a reader that takes nothing stops the client', async () => {
  await client.open(1, { streamtype: 'data' });
  await until(() => streams.length === 1);
  let sent = 0;
  const feed = (): void => {
    for (; sent < 100; sent++) if (!client.data(1, Buffer.alloc(64 << 10))) break;
  };
  for (let before = -1; before !== sent;) {
    before = sent;
    feed();
    await turns(50);
  }
  expect(sent).toBeLessThan(16);
  let got = 0;
  streams[0]!.on('data', (data: Buffer) => (got += data.length));
  while (got < 100 * 65_536) {
    feed();
    await turns(1);
  }
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

test('streams beyond the limit are refused, those before stay', async () => {
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

test('pings that nobody reads the answers of are not read for ever', async () => {
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
