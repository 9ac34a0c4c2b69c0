import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Position of a member in an uncompressed tar. */
export interface Member {
  readonly offset: number;
  readonly size: number;
}

const BLOCK = 512;
/** Limit of members: an OCI archive has one per layer and a few more. */
const MAX_MEMBERS = 10_000;

/**
 * Finds the members of an OCI archive by reading only the headers, so that a layer can be streamed from its place and a
 * gigabyte archive is never copied. OCI names are short: long-name extensions are skipped, not read.
 */
export async function indexArchive(path: string): Promise<Map<string, Member>> {
  const members = new Map<string, Member>();
  const file = await open(path, 'r');
  try {
    const { size: end } = await file.stat();
    const header = Buffer.alloc(BLOCK);
    for (let at = 0; at + BLOCK <= end;) {
      await file.read(header, 0, BLOCK, at);
      if (header.every((byte) => byte === 0)) break;
      checkHeader(header, path, at);
      const size = numberField(header.subarray(124, 136));
      const type = String.fromCharCode(header[156] || 0x30);
      const prefix = text(header.subarray(345, 500));
      const name = (prefix && ustar(header) ? `${prefix}/` : '') + text(header.subarray(0, 100));
      const data = at + BLOCK;
      if (!(data + size <= end)) throw new Error(`${path}: cut off at "${name}"; build or copy the archive again`);
      if (members.size >= MAX_MEMBERS) throw new Error(`${path}: has more than ${MAX_MEMBERS} members`);
      if (type === '0') members.set(name.replace(/^\.\//, ''), { offset: data, size });
      at = data + Math.ceil(size / BLOCK) * BLOCK;
    }
  } finally {
    await file.close();
  }
  return members;
}

export const openMember = (path: string, member: Member): Readable =>
  createReadStream(path, { start: member.offset, end: member.offset + member.size - 1, highWaterMark: 1 << 20 });

const text = (bytes: Buffer): string => bytes.toString('utf8').replace(/\0.*$/s, '');

const ustar = (header: Buffer): boolean => header.toString('latin1', 257, 262) === 'ustar';

/** Parses octal, or base 256 if the first bit is set (GNU, members over 8 GiB). */
function numberField(bytes: Buffer): number {
  if (!(bytes[0]! & 0x80)) return parseInt(text(bytes).trim() || '0', 8);
  return bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, bytes[0]! & 0x7f);
}

function checkHeader(header: Buffer, path: string, at: number): void {
  const want = numberField(header.subarray(148, 156));
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (sum !== want) throw new Error(`${path}: no tar header at byte ${at}; provide an uncompressed OCI archive`);
}
