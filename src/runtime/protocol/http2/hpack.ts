import type { Headers } from '../transport';
import { decodeHuffman } from './huffman';

/** HPACK (RFC 7541): complete decoding, and encoding in the simplest form, which every peer can decode. */

/** An invalid header block, after which the connection cannot continue. */
export class HpackError extends Error {}

/** Appendix A, from index 1: name, or name and value. */
const STATIC: readonly (readonly [string, string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

/** Space of an entry in addition to its name and value. */
const ENTRY_OVERHEAD = 32;
/** Memory that a peer's table may use: the default size, since we announce no other. */
const TABLE_BYTES = 4_096;
/** Limit for the names and values in one block. */
const MAX_LIST_BYTES = 32_768;

/** Decodes the header blocks of one connection, in order. */
export class HpackDecoder {
  private readonly dynamic: [string, string][] = [];
  private size = 0;
  private limit = TABLE_BYTES;

  public decode(block: Buffer): Headers {
    const reader = new Reader(block);
    const headers: Headers = Object.create(null) as Headers;
    let total = 0;
    while (!reader.done) {
      const first = reader.peek();
      if ((first & 0xe0) === 0x20) {
        this.resize(reader.integer(5));
        continue;
      }
      const [name, value] = this.entry(first, reader);
      total += name.length + value.length;
      if (total > MAX_LIST_BYTES) throw new HpackError('the headers are too large');
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    return headers;
  }

  private entry(first: number, reader: Reader): [string, string] {
    if (first & 0x80) return this.at(reader.integer(7));
    const indexed = (first & 0xc0) === 0x40;
    const index = reader.integer(indexed ? 6 : 4);
    const name = index > 0 ? this.at(index)[0] : reader.string();
    const entry: [string, string] = [name, reader.string()];
    if (indexed) this.add(entry);
    return entry;
  }

  private at(index: number): [string, string] {
    const entry = index <= STATIC.length ? STATIC[index - 1] : this.dynamic[index - STATIC.length - 1];
    if (!entry) throw new HpackError(`no header at index ${index}`);
    return [entry[0], entry[1]];
  }

  private add(entry: [string, string]): void {
    this.dynamic.unshift(entry);
    this.size += sizeOf(entry);
    this.evict();
  }

  private resize(limit: number): void {
    if (limit > TABLE_BYTES) throw new HpackError('the header table is too large');
    this.limit = limit;
    this.evict();
  }

  private evict(): void {
    while (this.size > this.limit) this.size -= sizeOf(this.dynamic.pop() as [string, string]);
  }
}

const sizeOf = ([name, value]: [string, string]): number => name.length + value.length + ENTRY_OVERHEAD;

/** Encodes a header block: literals without index or Huffman code. Names are lower case, values ASCII. */
export function encodeHeaders(headers: Headers): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const known = STATIC.findIndex((entry) => entry[0] === name && entry[1] === value);
    if (known >= 0) parts.push(integer(known + 1, 7, 0x80));
    else parts.push(Buffer.from([0]), text(name), text(value));
  }
  return Buffer.concat(parts);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([integer(bytes.length, 7, 0), bytes]);
}

/** An integer with an n-bit prefix (section 5.1). */
function integer(value: number, prefixBits: number, flags: number): Buffer {
  const max = (1 << prefixBits) - 1;
  if (value < max) return Buffer.from([flags | value]);
  const bytes = [flags | max];
  let rest = value - max;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

class Reader {
  private at = 0;

  public constructor(private readonly block: Buffer) {}

  public get done(): boolean {
    return this.at >= this.block.length;
  }

  public peek(): number {
    return this.block[this.at];
  }

  public integer(prefixBits: number): number {
    const max = (1 << prefixBits) - 1;
    let value = this.byte() & max;
    if (value < max) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    throw new HpackError('an integer is too large');
  }

  public string(): string {
    const huffman = (this.peek() & 0x80) !== 0;
    const length = this.integer(7);
    if (this.at + length > this.block.length) throw new HpackError('a string ends after its block');
    const bytes = this.block.subarray(this.at, (this.at += length));
    const value = huffman ? decodeHuffman(bytes) : bytes.toString('latin1');
    if (value === undefined) throw new HpackError('a string is not well encoded');
    return value;
  }

  private byte(): number {
    if (this.done) throw new HpackError('the block ends in the middle of a header');
    return this.block[this.at++];
  }
}
