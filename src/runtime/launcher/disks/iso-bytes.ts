/** Encodings that all parts of an ISO 9660 image use. Pure. */

export const SECTOR = 2048;

export function both16(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt16LE(value, 0);
  out.writeUInt16BE(value, 2);
  return out;
}

export function both32(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeUInt32LE(value, 0);
  out.writeUInt32BE(value, 4);
  return out;
}

export const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
