import { duplexPair, type Duplex } from 'node:stream';
import { ByteReader } from '../../../../../src/runtime/host/byte-reader';
import { serveNbd, type Served } from '../../../../../src/runtime/importer/convert/nbd-server';

const MIB = 1 << 20;
const EXPORT_NAME = 1;
const ABORT = 2;
const INFO = 6;
const GO = 7;
const READ = 0;
const WRITE = 1;
const DISCONNECT = 2;

/** A client that sends the given bytes. */
class Client {
  public readonly served: Promise<void>;
  private readonly socket: Duplex;
  private readonly input: ByteReader;

  public constructor(disk: Served, isEndless = false) {
    const [client, server] = duplexPair();
    this.socket = client;
    this.input = new ByteReader(client);
    this.served = serveNbd(server, disk, isEndless);
    this.served.catch(() => undefined);
  }

  public async hello(): Promise<Buffer> {
    const hello = await this.take(18);
    this.socket.write(Buffer.from([0, 0, 0, 3]));
    return hello;
  }

  public async option(option: number, data = Buffer.alloc(0)): Promise<Buffer> {
    const header = Buffer.alloc(16);
    header.write('IHAVEOPT');
    header.writeUInt32BE(option, 8);
    header.writeUInt32BE(data.length, 12);
    this.socket.write(Buffer.concat([header, data]));
    return this.optionReply();
  }

  public async optionReply(): Promise<Buffer> {
    const header = await this.take(20);
    return Buffer.concat([header.subarray(8), await this.take(header.readUInt32BE(16))]);
  }

  public async go(): Promise<void> {
    await this.hello();
    await this.option(GO);
    await this.optionReply();
  }

  public request(type: number, position: bigint, length: number, magic = 0x25609513): void {
    const request = Buffer.alloc(28);
    request.writeUInt32BE(magic, 0);
    request.writeUInt16BE(type, 6);
    request.write('handle-1', 8);
    request.writeBigUInt64BE(position, 16);
    request.writeUInt32BE(length, 24);
    this.socket.write(request);
  }

  /** Error code of the next reply. */
  public async reply(): Promise<number> {
    const reply = await this.take(16);
    expect(reply.subarray(8).toString()).toBe('handle-1');
    return reply.readUInt32BE(4);
  }

  public async take(length: number): Promise<Buffer> {
    const data = await this.input.take(length);
    if (!data) throw new Error('the server closed the connection');
    return data;
  }

  public end(): void {
    this.socket.end();
  }
}

const content = Buffer.alloc(4096, 'disk');
const disk = (size = content.length): Served & { reads: number[][] } => {
  const reads: number[][] = [];
  return {
    size,
    reads,
    read: async (position, length) => {
      reads.push([position, length]);
      return Buffer.alloc(length, content.subarray(position % content.length));
    },
  };
};

describe('NBD server', () => {
  test('tells size and flags, and serves ranges', async () => {
    const client = new Client(disk());
    expect((await client.hello()).toString('latin1', 0, 16)).toBe('NBDMAGICIHAVEOPT');
    const info = await client.option(GO);
    expect(info.readUInt32BE(4)).toBe(3); // NBD_REP_INFO
    expect(info.readBigUInt64BE(14)).toBe(4096n);
    expect(info.readUInt16BE(22)).toBe(3); // flags, read-only
    expect((await client.optionReply()).readUInt32BE(4)).toBe(1); // NBD_REP_ACK
    client.request(READ, 2n, 6);
    expect(await client.reply()).toBe(0);
    expect((await client.take(6)).toString()).toBe('skdisk');
    client.request(DISCONNECT, 0n, 0);
    await client.served;
  });

  test('rejects other options, and continues', async () => {
    const client = new Client(disk());
    await client.hello();
    for (const option of [3, 8, 9, 10, 99]) expect((await client.option(option)).readUInt32BE(4)).toBe(0x80000001);
    expect((await client.option(INFO)).readUInt32BE(4)).toBe(3);
    expect((await client.optionReply()).readUInt32BE(4)).toBe(1);
    expect((await client.option(ABORT)).readUInt32BE(4)).toBe(1);
    await client.served;
  });

  test.each<[string, number, bigint, number, number]>([
    ['the last byte', READ, 4095n, 1, 0],
    ['nothing at the end', READ, 4096n, 0, 0],
    ['one byte beyond the end', READ, 4095n, 2, 22],
    ['a position that overflows', READ, 2n ** 64n - 1n, 1, 22],
    ['a write', WRITE, 0n, 0, 1],
  ])('answers a request for %s', async (_, type, position, length, wanted) => {
    const client = new Client(disk());
    await client.go();
    client.request(type, position, length);
    expect(await client.reply()).toBe(wanted);
    if (wanted === 0) await client.take(length);
    client.request(READ, 0n, 4);
    expect(await client.reply()).toBe(0);
  });

  test.each([
    [511, 512n],
    [512, 512n],
    [513, 1024n],
  ])('an image of %i bytes is %i bytes, with zeros after its end', async (size, wanted) => {
    const client = new Client(disk(size));
    await client.hello();
    expect((await client.option(GO)).readBigUInt64BE(14)).toBe(wanted);
    await client.optionReply();
    client.request(READ, wanted - 512n, 512);
    expect(await client.reply()).toBe(0);
    const zeros = Number(wanted) - size;
    const sector = await client.take(512);
    expect(sector.subarray(512 - zeros).equals(Buffer.alloc(zeros))).toBe(true);
    expect(sector.subarray(0, 512 - zeros).includes(0)).toBe(false);
    client.request(READ, wanted, 1);
    expect(await client.reply()).toBe(22);
  });

  test('without an end, a request after the last sector shows that the image was truncated', async () => {
    const client = new Client(disk(513), true);
    await client.go();
    client.request(READ, 512n, 512);
    expect(await client.reply()).toBe(0);
    await client.take(512);
    client.request(READ, 512n, 513);
    expect(await client.reply()).toBe(5);
    await expect(client.served).rejects.toThrow('truncated: it refers to its byte 1024, and has 513 bytes');
  });

  test.each([
    [32 * MIB, 0],
    [32 * MIB + 1, 22],
  ])('a request for %i bytes is answered with %i', async (length, wanted) => {
    const source = disk(64 * MIB);
    const client = new Client(source);
    await client.go();
    client.request(READ, 0n, length);
    expect(await client.reply()).toBe(wanted);
    expect(source.reads).toHaveLength(wanted === 0 ? 1 : 0);
  });

  test('reports a failed read to the client as EIO, and its cause to the caller', async () => {
    const client = new Client({ size: 10, read: () => Promise.reject(new Error('HTTP 500')) });
    await client.go();
    client.request(READ, 0n, 1);
    expect(await client.reply()).toBe(5);
    await expect(client.served).rejects.toThrow('HTTP 500');
  });

  test('ends with a client that sends something else', async () => {
    const client = new Client(disk());
    await client.go();
    client.request(READ, 0n, 1, 0x12345678);
    await expect(client.served).rejects.toThrow('invalid request');
  });

  test.each([4096, 4097])('an option of %i bytes', async (length) => {
    const client = new Client(disk());
    await client.hello();
    void client.option(EXPORT_NAME + 98, Buffer.alloc(length)).catch(() => undefined);
    if (length > 4096) return expect(client.served).rejects.toThrow('invalid option');
    client.end();
    await client.served;
  });

  test('ends with its client', async () => {
    const client = new Client(disk());
    await client.go();
    client.end();
    await client.served;
  });
});
