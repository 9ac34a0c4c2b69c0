import { ErrorCode } from '../transport';

/** Frames of RFC 9113: their numbers and common parts. */

export const Type = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;
export const Flag = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 0x20 } as const;
export const Setting = {
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
} as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
export const FRAME_HEADER_BYTES = 9;
/** Largest frame that is accepted: the default size, since we announce no other. */
export const MAX_FRAME_BYTES = 16_384;
export const WINDOW_BYTES = 65_535;
export const MAX_WINDOW = 2 ** 31 - 1;
/** Credit is returned in pieces of this size. */
export const CREDIT_BYTES = 32_768;
/** The peer violated the protocol; the connection ends with this code. */
export class ConnectionError extends Error {
  public constructor(
    public readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Payload of a DATA or HEADERS frame without its padding. */
export function unpadded(flags: number, payload: Buffer): Buffer {
  if (!(flags & Flag.PADDED)) return payload;
  const padding = payload[0];
  if (payload.length === 0 || padding + 1 > payload.length) {
    throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, 'more padding than frame');
  }
  return payload.subarray(1, payload.length - padding);
}

/** A number in a frame's payload. */
export function uint32(payload: Buffer, at: number): number {
  if (payload.length < at + 4) throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, 'a frame is too short');
  return payload.readUInt32BE(at);
}
