/**
 * Members of a compressed disk. Each is a valid gzip file (RFC 1952) whose header has a field with the length of the member, so
 * that a client can handle members one by one. Pure.
 */

/** Identifies the field: `V8`. */
const FIELD = [0x56, 0x38];
const DEFLATE = 8;
const HAS_EXTRA = 4;
const FASTEST = 4;
const UNIX = 3;
export const HEADER_BYTES = 20;
const TRAILER_BYTES = 8;
/** Longest member that is accepted: data that cannot be compressed is a little larger. */
const MOST_BYTES = 4 << 20;

/** Builds a member from deflated data. */
export function gzipMember(deflated: Buffer, crc: number, size: number): Buffer {
  const member = Buffer.alloc(HEADER_BYTES + deflated.length + TRAILER_BYTES);
  member.set([0x1f, 0x8b, DEFLATE, HAS_EXTRA, 0, 0, 0, 0, FASTEST, UNIX, 8, 0, ...FIELD, 4, 0]);
  member.writeUInt32LE(member.length, 16);
  deflated.copy(member, HEADER_BYTES);
  member.writeUInt32LE(crc, member.length - 8);
  member.writeUInt32LE(size, member.length - 4);
  return member;
}

/** Length of the member that begins with these bytes. @throws Error if it is not such a member */
export function memberLength(header: Buffer): number {
  const isMember = header.readUInt32LE(0) === 0x04088b1f && header[12] === FIELD[0] && header[13] === FIELD[1];
  const length = isMember ? header.readUInt32LE(16) : 0;
  if (length <= HEADER_BYTES + TRAILER_BYTES || length > MOST_BYTES) throw new Error('the compressed disk is damaged');
  return length;
}
