/**
 * XDR (RFC 4506): the encoding of libvirt's RPC. A codec reads and writes one type; generated code composes them.
 * Every variable length is checked against the protocol's limit before anything is allocated.
 */

/** Writes big-endian, 4-byte aligned items into a growing buffer. */
export class XdrWriter {
  private buffer = Buffer.allocUnsafe(256);
  private length = 0;

  /** Makes room for `size` more bytes; returns their offset. */
  private grow(size: number): number {
    const at = this.length;
    if (at + size > this.buffer.length) {
      const bigger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, at + size));
      this.buffer.copy(bigger, 0, 0, at);
      this.buffer = bigger;
    }
    this.length += size;
    return at;
  }

  int(value: number): void {
    const at = this.grow(4); // may replace the buffer
    this.buffer.writeInt32BE(value, at);
  }

  uint(value: number): void {
    const at = this.grow(4); // may replace the buffer
    this.buffer.writeUInt32BE(value, at);
  }

  hyper(value: bigint): void {
    const at = this.grow(8); // may replace the buffer
    this.buffer.writeBigInt64BE(value, at);
  }

  uhyper(value: bigint): void {
    const at = this.grow(8); // may replace the buffer
    this.buffer.writeBigUInt64BE(value, at);
  }

  double(value: number): void {
    const at = this.grow(8); // may replace the buffer
    this.buffer.writeDoubleBE(value, at);
  }

  /** Bytes padded with zeroes to a multiple of four. */
  bytes(value: Uint8Array): void {
    const padded = (value.length + 3) & ~3;
    const at = this.grow(padded);
    this.buffer.fill(0, at + value.length, at + padded);
    this.buffer.set(value, at);
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}

/** Reads what XdrWriter writes. Reading past the end is an error, never `undefined`. */
export class XdrReader {
  constructor(
    private readonly buffer: Buffer,
    private at = 0,
  ) {}

  private take(size: number): number {
    const at = this.at;
    if (at + size > this.buffer.length) {
      throw new RangeError(`XDR: ${size} bytes wanted at offset ${at}, the message has ${this.buffer.length}`);
    }
    this.at += size;
    return at;
  }

  int(): number {
    return this.buffer.readInt32BE(this.take(4));
  }

  uint(): number {
    return this.buffer.readUInt32BE(this.take(4));
  }

  hyper(): bigint {
    return this.buffer.readBigInt64BE(this.take(8));
  }

  uhyper(): bigint {
    return this.buffer.readBigUInt64BE(this.take(8));
  }

  double(): number {
    return this.buffer.readDoubleBE(this.take(8));
  }

  bytes(length: number): Buffer {
    const at = this.take((length + 3) & ~3);
    return this.buffer.subarray(at, at + length);
  }

  /** A length prefix that must not exceed `max`. */
  count(max: number): number {
    const length = this.uint();
    if (length > max) throw new RangeError(`XDR: length ${length} exceeds the limit ${max}`);
    return length;
  }

  get rest(): number {
    return this.buffer.length - this.at;
  }
}

/** Writes and reads one type. */
export interface Codec<T> {
  write(w: XdrWriter, value: T): void;
  read(r: XdrReader): T;
}

/** The TypeScript type that a codec reads. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

export const int: Codec<number> = { write: (w, v) => w.int(v), read: (r) => r.int() };
export const uint: Codec<number> = { write: (w, v) => w.uint(v), read: (r) => r.uint() };
export const hyper: Codec<bigint> = { write: (w, v) => w.hyper(v), read: (r) => r.hyper() };
export const uhyper: Codec<bigint> = { write: (w, v) => w.uhyper(v), read: (r) => r.uhyper() };
export const double: Codec<number> = { write: (w, v) => w.double(v), read: (r) => r.double() };
export const nothing: Codec<void> = { write: () => {}, read: () => undefined };

/** UTF-8 text of at most `max` bytes. */
export function string(max: number): Codec<string> {
  return {
    write(w, v) {
      const bytes = Buffer.from(v);
      if (bytes.length > max) throw new RangeError(`XDR: text of ${bytes.length} bytes exceeds the limit ${max}`);
      w.uint(bytes.length);
      w.bytes(bytes);
    },
    read: (r) => r.bytes(r.count(max)).toString(),
  };
}

/** Codec of at most `max` bytes, with their length. */
export function opaque(max: number): Codec<Uint8Array> {
  return {
    write(w, v) {
      w.uint(v.length);
      w.bytes(v);
    },
    read: (r) => Buffer.from(r.bytes(r.count(max))),
  };
}

/** Codec of exactly `length` bytes. */
export function fixedOpaque(length: number): Codec<Uint8Array> {
  return {
    write(w, v) {
      if (v.length !== length) throw new RangeError(`XDR: ${length} bytes expected, got ${v.length}`);
      w.bytes(v);
    },
    read: (r) => Buffer.from(r.bytes(length)),
  };
}

/** Codec of at most `max` items, with their count. */
export function array<T>(item: Codec<T>, max: number): Codec<T[]> {
  return {
    write(w, v) {
      if (v.length > max) throw new RangeError(`XDR: ${v.length} items exceed the limit ${max}`);
      w.uint(v.length);
      for (const each of v) item.write(w, each);
    },
    read: (r) => Array.from({ length: r.count(max) }, () => item.read(r)),
  };
}

/** A pointer in the protocol's terms: present or null. */
export function optional<T>(item: Codec<T>): Codec<T | null> {
  return {
    write(w, v) {
      w.uint(v === null ? 0 : 1);
      if (v !== null) item.write(w, v);
    },
    read: (r) => (r.uint() === 0 ? null : item.read(r)),
  };
}

/** Fields in the order given. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a codec is invariant in its type
export function struct<F extends Record<string, Codec<any>>>(fields: F): Codec<{ [K in keyof F]: Decoded<F[K]> }> {
  const entries = Object.entries(fields);
  return {
    write(w, v) {
      for (const [name, codec] of entries) codec.write(w, v[name as keyof F]);
    },
    read(r) {
      const out: Record<string, unknown> = {};
      for (const [name, codec] of entries) out[name] = codec.read(r);
      return out as { [K in keyof F]: Decoded<F[K]> };
    },
  };
}

/** A discriminated union: the case's number, then its value. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a codec is invariant in its type
export function union<C extends Record<number, Codec<any>>>(
  cases: C,
): Codec<{ [K in keyof C]: { type: K; value: Decoded<C[K]> } }[keyof C]> {
  return {
    write(w, v) {
      w.int(Number(v.type));
      cases[v.type as unknown as number]!.write(w, v.value);
    },
    read(r) {
      const type = r.int();
      const codec = cases[type];
      if (!codec)
        throw new RangeError(`XDR: union case ${type} is unknown (allowed: ${Object.keys(cases).join(', ')})`);
      return { type, value: codec.read(r) } as never;
    },
  };
}
