/**
 * The frame layer: u32 length (of the whole message, including itself), header, payload.
 * Pure: bytes in, messages out.
 */
import { XdrReader, XdrWriter } from './xdr';

/** virNetMessageType */
export const MessageType = { CALL: 0, REPLY: 1, MESSAGE: 2, STREAM: 3 } as const;
/** virNetMessageStatus */
export const MessageStatus = { OK: 0, ERROR: 1, CONTINUE: 2 } as const;

/** Header before each payload. */
export interface Header {
  program: number;
  version: number;
  procedure: number;
  type: number;
  serial: number;
  status: number;
}

export interface Frame {
  header: Header;
  payload: XdrReader;
}

const LENGTH_BYTES = 4;
const HEADER_BYTES = 28;
/** libvirt's limit: VIR_NET_MESSAGE_MAX and the length before it. One string of a message may have 4 MiB. */
export const MAX_FRAME = 32 * 1024 * 1024 + 4;

/** Encodes one message; `payload` writes its body. */
export function encodeFrame(header: Header, payload: (w: XdrWriter) => void): Buffer {
  const w = new XdrWriter();
  w.uint(0); // the length, filled in below
  w.uint(header.program);
  w.uint(header.version);
  w.int(header.procedure);
  w.int(header.type);
  w.uint(header.serial);
  w.int(header.status);
  payload(w);
  const bytes = w.finish();
  if (bytes.length > MAX_FRAME) {
    throw new RangeError(`libvirt: a message of ${bytes.length} bytes exceeds the limit ${MAX_FRAME}`);
  }
  bytes.writeUInt32BE(bytes.length, 0);
  return bytes;
}

/**
 * Splits a byte stream into frames. A length out of bounds is fatal: the stream cannot be trusted after it. Holds at most one
 * frame and the chunk after it.
 */
export class FrameReader {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Number of bytes that must arrive before parsing continues: of a length, then of its frame. */
  private wanted = LENGTH_BYTES;

  /** Adds bytes; returns the frames that they complete. */
  push(chunk: Buffer): Frame[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.wanted) return [];
    let bytes = Buffer.concat(this.chunks);
    const frames: Frame[] = [];
    this.wanted = LENGTH_BYTES;
    while (bytes.length >= LENGTH_BYTES) {
      this.wanted = lengthOf(bytes);
      if (bytes.length < this.wanted) break;
      frames.push(decodeFrame(bytes.subarray(0, this.wanted)));
      bytes = bytes.subarray(this.wanted);
      this.wanted = LENGTH_BYTES;
    }
    this.chunks = bytes.length > 0 ? [bytes] : []; // an empty slice would keep the whole buffer
    this.size = bytes.length;
    return frames;
  }
}

function lengthOf(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0);
  if (length >= HEADER_BYTES && length <= MAX_FRAME) return length;
  throw new RangeError(
    `libvirt: a frame announces ${length} bytes (allowed: ${HEADER_BYTES}-${MAX_FRAME}); the peer uses another protocol`,
  );
}

function decodeFrame(bytes: Buffer): Frame {
  const payload = new XdrReader(bytes, 4);
  const header = {
    program: payload.uint(),
    version: payload.uint(),
    procedure: payload.int(),
    type: payload.int(),
    serial: payload.uint(),
    status: payload.int(),
  };
  return { header, payload };
}
