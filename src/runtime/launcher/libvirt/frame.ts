/**
 * The frame layer: u32 length (of the whole message, itself included), header, payload.
 * Pure: bytes in, messages out.
 */
import { XdrReader, XdrWriter } from './xdr';

/** virNetMessageType */
export const MessageType = { CALL: 0, REPLY: 1, MESSAGE: 2, STREAM: 3 } as const;
/** virNetMessageStatus */
export const MessageStatus = { OK: 0, ERROR: 1, CONTINUE: 2 } as const;

/** What precedes each payload. */
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

const HEADER_BYTES = 28;
/** libvirt's own limit is 32 MiB (VIR_NET_MESSAGE_MAX); nothing that we ask for comes near to this. */
export const MAX_FRAME = 4 * 1024 * 1024;

/** One message as bytes; `payload` writes its body. */
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

/** Cuts a byte stream into frames. A length out of bounds is fatal: the stream cannot be trusted after it. */
export class FrameReader {
  private pending: Buffer = Buffer.alloc(0);

  /** Feeds bytes; returns the frames that they complete. */
  push(chunk: Buffer): Frame[] {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    const frames: Frame[] = [];
    while (this.pending.length >= 4) {
      const length = this.pending.readUInt32BE(0);
      if (length < HEADER_BYTES || length > MAX_FRAME) {
        throw new RangeError(
          `libvirt: a frame announces ${length} bytes (allowed: ${HEADER_BYTES}-${MAX_FRAME}); the peer speaks another protocol`,
        );
      }
      if (this.pending.length < length) break;
      frames.push(decodeFrame(this.pending.subarray(0, length)));
      this.pending = this.pending.subarray(length);
    }
    return frames;
  }
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
