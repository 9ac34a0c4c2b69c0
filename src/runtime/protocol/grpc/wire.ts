import { GrpcError, GrpcStatus } from './status';

/** Encoding of gRPC over HTTP/2: frames, timeouts, status messages. */

/** Default limit for messages, which is grpc's own. */
export const DEFAULT_MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Size of `sun_path` without its NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Prefix of each message: a flag and its length. */
export const HEADER_BYTES = 5;

/** Length-prefixed message: a flag byte (never compressed) and a big-endian length. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** Budget for all incomplete or unprocessed messages of one server or client. */
export class Budget {
  private held = 0;

  public constructor(private readonly limit: number) {}

  /** Throws if the budget is exceeded. */
  public take(bytes: number): void {
    if (this.held + bytes > this.limit) {
      throw new GrpcError(GrpcStatus.RESOURCE_EXHAUSTED, `the calls under way hold more than ${this.limit} bytes`);
    }
    this.held += bytes;
  }

  public give(bytes: number): void {
    this.held -= bytes;
  }
}

/**
 * Assembles messages from chunks of any size, and rejects one whose announced size is too large before it is read. Chunks are
 * copied into one buffer: if they were kept, a single byte would hold its object, or the whole buffer that it was read into.
 */
export class Deframer {
  private buffer = Buffer.alloc(0);
  private length = 0;

  public constructor(private readonly maxMessageBytes: number) {}

  public push(chunk: Buffer): Buffer[] {
    this.append(chunk);
    const messages: Buffer[] = [];
    let at = 0;
    for (let size = this.announced(at); size !== undefined; size = this.announced(at)) {
      const end = at + HEADER_BYTES + size;
      if (end > this.length) break;
      messages.push(Buffer.from(this.buffer.subarray(at + HEADER_BYTES, end)));
      at = end;
    }
    this.drop(at);
    return messages;
  }

  /** Throws if the peer ended in the middle of a message. */
  public end(): void {
    if (this.length > 0) throw new GrpcError(GrpcStatus.INTERNAL, 'the stream ended in the middle of a message');
  }

  /** Bytes that are allocated for an incomplete message. */
  public get capacity(): number {
    return this.buffer.length;
  }

  private append(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.buffer.length) {
      // doubled each time, so that copying stays cheap for chunks of any size
      const larger = Buffer.alloc(
        Math.max(needed, Math.min(2 * this.buffer.length, HEADER_BYTES + this.maxMessageBytes)),
      );
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.length);
    this.length = needed;
  }

  private drop(bytes: number): void {
    if (bytes === 0) return;
    this.buffer = Buffer.from(this.buffer.subarray(bytes, this.length));
    this.length -= bytes;
  }

  private announced(at: number): number | undefined {
    if (this.length - at < HEADER_BYTES) return undefined;
    if (this.buffer[at] !== 0) throw new GrpcError(GrpcStatus.UNIMPLEMENTED, 'compressed messages are not supported');
    const size = this.buffer.readUInt32BE(at + 1);
    if (size > this.maxMessageBytes) {
      throw new GrpcError(
        GrpcStatus.RESOURCE_EXHAUSTED,
        `message of ${size} bytes is larger than the ${this.maxMessageBytes} allowed`,
      );
    }
    return size;
  }
}

const UNIT_MS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** Milliseconds of a `grpc-timeout` header; undefined if it is missing or invalid. */
export function parseTimeout(header: string | string[] | undefined): number | undefined {
  const match = typeof header === 'string' ? /^(\d{1,8})([HMSmun])$/.exec(header) : null;
  return match ? Number(match[1]) * UNIT_MS[match[2]] : undefined;
}

/** A header has at most eight digits, so long timeouts use larger units. */
export function formatTimeout(ms: number): string {
  const rounded = Math.max(1, Math.ceil(ms));
  if (rounded < 1e8) return `${rounded}m`;
  const seconds = Math.ceil(rounded / 1_000);
  return seconds < 1e8 ? `${seconds}S` : `${Math.min(99_999_999, Math.ceil(seconds / 3_600))}H`;
}

/** `grpc-message`: UTF-8, percent-encoded outside printable ASCII. Long ones are cut, because headers have limits. */
export function encodeStatusMessage(message: string): string {
  let encoded = '';
  for (const byte of Buffer.from(message.slice(0, 4_096))) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** The reverse; text with an invalid encoding is returned unchanged. */
export function decodeStatusMessage(encoded: string | string[] | undefined): string {
  if (typeof encoded !== 'string') return '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Throws for a path that the kernel would cut or reject, and explains how to reach the socket. */
export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `unix socket path has ${bytes} bytes (allowed: ${MAX_SOCKET_PATH_BYTES}): ${path}; ` +
        'open its directory and use /proc/self/fd/<fd>/<name>',
    );
  }
}
