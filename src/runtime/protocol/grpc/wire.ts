import { GrpcError, GrpcStatus } from './status';

/** gRPC over HTTP/2, the part that is bytes: frames, timeouts, status messages. */

/** Messages above this are refused on both sides unless told otherwise; grpc's own default. */
export const DEFAULT_MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** `sun_path` less its NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Before each message: a flag and its length. */
export const HEADER_BYTES = 5;

/** Length-prefixed message: a flag byte (never compressed) and a big-endian length. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** What all calls of one server or client may hold of messages that are not whole, or not yet dealt with. */
export class Budget {
  private held = 0;

  public constructor(private readonly limit: number) {}

  /** Throws when there is no room for it. */
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
 * Puts messages together from chunks of any size, and refuses one that announces too much before it is read. Chunks are
 * copied into one buffer: kept as they come, a byte would cost its object, or hold the whole buffer that it was read into.
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

  /** Throws when the peer ended in the middle of a message. */
  public end(): void {
    if (this.length > 0) throw new GrpcError(GrpcStatus.INTERNAL, 'the stream ended in the middle of a message');
  }

  /** Bytes that are allocated for what is not whole. */
  public get capacity(): number {
    return this.buffer.length;
  }

  private append(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.buffer.length) {
      // twice as much each time, so that copying stays cheap whatever the chunks
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
