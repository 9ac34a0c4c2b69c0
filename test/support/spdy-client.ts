import { Duplex } from 'node:stream';
import { constants, createDeflate } from 'node:zlib';
import type { Deflate } from 'node:zlib';
import { formatHeaders } from '../../src/local/node/kubelet-api/spdy';
import { SPDY_DICTIONARY } from '../../src/local/node/kubelet-api/spdy-dictionary';

/** A client's end of a tunnel, by hand. `reads` false: it takes nothing of what the server sends. */
export class SpdyClient extends Duplex {
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

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
export const control = (type: number, body: Buffer): Buffer =>
  Buffer.concat([uint32(0x80030000 + type), uint32(body.length), body]);
