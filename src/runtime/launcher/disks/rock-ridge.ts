/** Rock Ridge (IEEE P1282, RRIP 1.09): the entries that give files of an ISO 9660 image their POSIX names. Pure. */
import { both32, SECTOR } from './iso-bytes';

/** Longest name in Linux. */
const MAX_NAME = 253;
/** An entry has at most 255 bytes, five of which are its header. */
const MAX_PIECE = 250;

function susp(tag: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(tag), Buffer.from([4 + body.length, 1]), body]);
}

/** Bytes that did not fit into a record, and their position in the image. */
export interface Continuation {
  bytes: Buffer;
  sector: number;
  offset: number;
}

export const newContinuation = (bytes: Buffer): Continuation => ({ bytes, sector: 0, offset: 0 });

/** Assigns positions from a sector on, none across the end of a sector; returns the number of sectors. */
export function placeContinuations(all: readonly Continuation[], first: number): number {
  let at = 0;
  for (const each of all) {
    if ((at % SECTOR) + each.bytes.length > SECTOR) at = Math.ceil(at / SECTOR) * SECTOR;
    each.sector = first + Math.floor(at / SECTOR);
    each.offset = at % SECTOR;
    at += each.bytes.length;
  }
  return Math.ceil(at / SECTOR);
}

const continuedAt = ({ bytes, sector, offset }: Continuation): Buffer =>
  susp('CE', Buffer.concat([both32(sector), both32(offset), both32(bytes.length)]));

/** Declares that the image has Rock Ridge. Without it, Linux ignores all other entries. */
export function extensionReference(): Buffer {
  const texts = [
    'RRIP_1991A',
    'THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS',
    'PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME DESCRIPTOR FOR CONTACT INFORMATION.',
  ].map((text) => Buffer.from(text));
  return susp('ER', Buffer.concat([Buffer.from([...texts.map(({ length }) => length), 1]), ...texts]));
}

/** Name of a file, in as many entries as necessary. */
export function nameEntries(name: string): Buffer {
  const bytes = Buffer.from(name);
  if (bytes.length > MAX_NAME) {
    throw new Error(`ISO: the name "${name}" has ${bytes.length} bytes (allowed: ${MAX_NAME}); shorten it`);
  }
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_PIECE) {
    const goesOn = at + MAX_PIECE < bytes.length ? 1 : 0;
    pieces.push(susp('NM', Buffer.concat([Buffer.from([goesOn]), bytes.subarray(at, at + MAX_PIECE)])));
  }
  return Buffer.concat(pieces);
}

/** Mode and links: root owns every file, and all are read-only. */
export function attributes(isDirectory: boolean): Buffer {
  const [mode, links] = isDirectory ? [0o040555, 2] : [0o100444, 1];
  return susp('PX', Buffer.concat([both32(mode), both32(links), both32(0), both32(0)]));
}

/** Record of the root: the declaration comes first, where readers expect it. */
export const rootEntries = (reference: Continuation): Buffer =>
  Buffer.concat([susp('SP', Buffer.from([0xbe, 0xef, 0])), attributes(true), continuedAt(reference)]);

/** Record of a file or directory; `continuation` if its name does not fit beside the rest. */
export const childEntries = (isDirectory: boolean, name: Buffer, continuation: Continuation | undefined): Buffer =>
  Buffer.concat([attributes(isDirectory), continuation ? continuedAt(continuation) : name]);

/** Whether a name needs a continuation, given the space in its record. */
export const needsContinuation = (name: Buffer, room: number): boolean => name.length > room - attributes(false).length;
