/** Header compression of HTTP/2 (RFC 7541): reads everything, writes plain literals. */
import { decodeHuffman } from './huffman';

export type Headers = Record<string, string>;

const STATIC: readonly (readonly [string, string])[] = (
  ':authority;:method=GET;:method=POST;:path=/;:path=/index.html;:scheme=http;:scheme=https;:status=200;:status=204;' +
  ':status=206;:status=304;:status=400;:status=404;:status=500;accept-charset;accept-encoding=gzip, deflate;' +
  'accept-language;accept-ranges;accept;access-control-allow-origin;age;allow;authorization;cache-control;' +
  'content-disposition;content-encoding;content-language;content-length;content-location;content-range;content-type;' +
  'cookie;date;etag;expect;expires;from;host;if-match;if-modified-since;if-none-match;if-range;if-unmodified-since;' +
  'last-modified;link;location;max-forwards;proxy-authenticate;proxy-authorization;range;referer;refresh;retry-after;' +
  'server;set-cookie;strict-transport-security;transfer-encoding;user-agent;vary;via;www-authenticate'
)
  .split(';')
  .map((entry) => {
    const at = entry.indexOf('=');
    return at < 0 ? ([entry, ''] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
  });

/** Our limit, and the protocol's default. */
const TABLE_BYTES = 4096;
/** What a header costs in the table beside its text. */
const OVERHEAD = 32;

/** Reads header blocks of one connection; the table lives as long. */
export class HpackDecoder {
  private table: (readonly [string, string])[] = [];
  private size = 0;
  private limit = TABLE_BYTES;
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;

  decode(block: Uint8Array): Headers {
    this.bytes = block;
    this.at = 0;
    const headers = Object.create(null) as Headers; // a peer names them
    while (this.at < block.length) {
      const first = block[this.at]!;
      if ((first & 0xe0) === 0x20) {
        const limit = this.integer(5);
        if (limit > TABLE_BYTES) throw new Error('HPACK: a table larger than was allowed');
        this.limit = limit;
        this.evict();
        continue;
      }
      const [name, value] = (first & 0x80) !== 0 ? this.entry(this.integer(7)) : this.literal(first);
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    return headers;
  }

  private literal(first: number): readonly [string, string] {
    const indexed = (first & 0x40) !== 0;
    const index = this.integer(indexed ? 6 : 4);
    const header = [index === 0 ? this.string() : this.entry(index)[0], this.string()] as const;
    if (indexed) {
      this.table.unshift(header);
      this.size += header[0].length + header[1].length + OVERHEAD;
      this.evict();
    }
    return header;
  }

  private evict(): void {
    while (this.size > this.limit) {
      const [name, value] = this.table.pop()!;
      this.size -= name.length + value.length + OVERHEAD;
    }
  }

  private entry(index: number): readonly [string, string] {
    const entry = index <= STATIC.length ? STATIC[index - 1] : this.table[index - STATIC.length - 1];
    if (!entry) throw new Error(`HPACK: no entry ${index}`);
    return entry;
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error('HPACK: the block ends early');
    this.at += 1;
    return byte;
  }

  private integer(bits: number): number {
    const mask = 2 ** bits - 1;
    let value = this.byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new Error('HPACK: a number that is too large');
  }

  private string(): string {
    const huffman = (this.bytes[this.at]! & 0x80) !== 0;
    const length = this.integer(7);
    if (this.at + length > this.bytes.length) throw new Error('HPACK: the block ends early');
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return huffman ? decodeHuffman(bytes) : Buffer.from(bytes).toString('latin1');
  }
}

function writeString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length: number[] = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

/** A header block of literals that no table remembers. */
export function encodeHeaders(headers: Headers): Buffer {
  const parts = Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from([0]),
    writeString(name),
    writeString(value),
  ]);
  return Buffer.concat(parts);
}
