import { GrpcError, GrpcStatus } from './status';

/** gRPC over HTTP/2, the part that is bytes: frames, timeouts, status messages. */

/** Messages above this are refused on both sides unless told otherwise; grpc's own default. */
export const DEFAULT_MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** `sun_path` less its NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

const HEADER_BYTES = 5;

/** Length-prefixed message: a flag byte (never compressed) and a big-endian length. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** Puts messages together from chunks of any size, and refuses one that announces too much before it is read. */
export class Deframer {
  private chunks: Buffer[] = [];
  private buffered = 0;

  public constructor(private readonly maxMessageBytes: number) {}

  public push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const messages: Buffer[] = [];
    for (let length = this.announced(); length !== undefined; length = this.announced()) {
      if (this.buffered < HEADER_BYTES + length) break;
      const all = this.joined();
      messages.push(all.subarray(HEADER_BYTES, HEADER_BYTES + length));
      this.chunks = [all.subarray(HEADER_BYTES + length)];
      this.buffered = this.chunks[0].length;
    }
    return messages;
  }

  /** Throws when the peer ended in the middle of a message. */
  public end(): void {
    if (this.buffered > 0) throw new GrpcError(GrpcStatus.INTERNAL, 'the stream ended in the middle of a message');
  }

  private announced(): number | undefined {
    if (this.buffered < HEADER_BYTES) return undefined;
    const head = this.chunks[0].length >= HEADER_BYTES ? this.chunks[0] : this.joined();
    if (head[0] !== 0) throw new GrpcError(GrpcStatus.UNIMPLEMENTED, 'compressed messages are not supported');
    const length = head.readUInt32BE(1);
    if (length > this.maxMessageBytes) {
      throw new GrpcError(
        GrpcStatus.RESOURCE_EXHAUSTED,
        `message of ${length} bytes is larger than the ${this.maxMessageBytes} allowed`,
      );
    }
    return length;
  }

  private joined(): Buffer {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0];
  }
}

const UNIT_MS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** Milliseconds of a `grpc-timeout` header; undefined when there is none or it is not one. */
export function parseTimeout(header: string | string[] | undefined): number | undefined {
  const match = typeof header === 'string' ? /^(\d{1,8})([HMSmun])$/.exec(header) : null;
  return match ? Number(match[1]) * UNIT_MS[match[2]] : undefined;
}

/** A header has at most eight digits, so long timeouts change the unit. */
export function formatTimeout(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms));
  if (whole < 1e8) return `${whole}m`;
  const seconds = Math.ceil(whole / 1_000);
  return seconds < 1e8 ? `${seconds}S` : `${Math.min(99_999_999, Math.ceil(seconds / 3_600))}H`;
}

/** `grpc-message`: UTF-8, percent-encoded outside printable ASCII. Long ones are cut: headers have limits. */
export function encodeStatusMessage(message: string): string {
  let encoded = '';
  for (const byte of Buffer.from(message.slice(0, 4_096))) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** The reverse; text that is not well encoded is taken as it is. */
export function decodeStatusMessage(encoded: string | string[] | undefined): string {
  if (typeof encoded !== 'string') return '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Throws for a path that the kernel would cut or refuse, and says how to reach the socket nevertheless. */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `unix socket path has ${bytes} bytes (allowed: ${MAX_SOCKET_PATH_BYTES}): ${path}; ` +
        'open its directory and use /proc/self/fd/<fd>/<name>',
    );
  }
}
