/** Headers of tar archives: ustar, with pax records for names that do not fit. Pure. */

export interface TarEntry {
  /** Path in the archive; that of a folder ends with a slash. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link';
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** Target of a link. */
  readonly target?: string;
}

export const BLOCK_BYTES = 512;
/** End of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

const TYPES = { file: '0', folder: '5', link: '2', pax: 'x' } as const;
const MOST_NAME_BYTES = 100;
const MOST_OCTAL_SIZE = 8 ** 11 - 1;
const MOST_ID = 8 ** 7 - 1;

/** Header of an entry; its content follows, padded with `padding`. */
export function tarHeader(entry: TarEntry): Buffer {
  const { path, target = '', size, uid, gid } = entry;
  const records = [
    ...(fits(path) ? [] : [record('path', path)]),
    ...(fits(target) ? [] : [record('linkpath', target)]),
    ...(size > MOST_OCTAL_SIZE ? [record('size', String(size))] : []),
    ...(uid > MOST_ID ? [record('uid', String(uid))] : []),
    ...(gid > MOST_ID ? [record('gid', String(gid))] : []),
  ];
  const own = block(entry, TYPES[entry.type]);
  if (records.length === 0) return own;
  const pax = Buffer.concat(records);
  const header = block({ ...entry, path: 'pax', target: '', size: pax.length, uid: 0, gid: 0 }, TYPES.pax);
  return Buffer.concat([header, pax, padding(pax.length), own]);
}

/** Zeros up to the next block. */
export const padding = (size: number): Buffer => Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);

const fits = (text: string): boolean => Buffer.byteLength(text) <= MOST_NAME_BYTES;

/** `LENGTH KEY=VALUE\n`; the length includes its own digits. */
function record(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function block({ path, target = '', size, mode, uid, gid, mtime }: TarEntry, type: string): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, at: number, length: number): void => {
    const most = 8 ** (length - 1) - 1;
    header.write(
      Math.min(Math.max(0, Math.floor(value)), most)
        .toString(8)
        .padStart(length - 1, '0'),
      at,
    );
  };
  Buffer.from(path).copy(header, 0, 0, MOST_NAME_BYTES);
  octal(mode & 0o7777, 100, 8);
  octal(uid, 108, 8);
  octal(gid, 116, 8);
  octal(size, 124, 12);
  octal(mtime, 136, 12);
  header.fill(' ', 148, 156);
  header.write(type, 156);
  Buffer.from(target).copy(header, 157, 0, MOST_NAME_BYTES);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
