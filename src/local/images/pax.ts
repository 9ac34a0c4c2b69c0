/** Writes tar members. Pure. */

export interface Owner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
}

const ROOT: Owner = { mode: 0o644, uid: 0, gid: 0, mtimeMs: 0 };

/** Directory member with extended attributes: GNU tar sets them on an existing directory. */
export function paxDirectory(name: string, owner: Owner, attributes: Record<string, string>): Buffer {
  const records = [
    record('path', `${name}/`),
    record('mtime', (owner.mtimeMs / 1000).toFixed(6)),
    ...Object.entries(attributes).map(([key, value]) => record(`SCHILY.xattr.${key}`, value)),
  ];
  return member(records, header(`${name.slice(0, 90)}/`, '5', 0, owner));
}

/** Character device 0:0, which marks a deleted file in overlayfs. */
export const paxDevice = (name: string): Buffer =>
  member([record('path', name)], header(name.slice(0, 90), '3', 0, { ...ROOT, mode: 0 }));

function member(records: readonly string[], head: Buffer): Buffer {
  const body = Buffer.from(records.join(''));
  return Buffer.concat([header('PaxHeader', 'x', body.length, ROOT), body, Buffer.alloc(padding(body.length)), head]);
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
export function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) !== length) length++;
  return `${length}${rest}`;
}

export const padding = (size: number): number => (512 - (size % 512)) % 512;

/** A ustar header. Names longer than 100 bytes need a pax `path` record before it. */
export function header(name: string, type: string, size: number, owner: Owner, link = ''): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name.slice(0, 100), 0);
  block.write(octal(owner.mode & 0o7777, 8), 100);
  block.write(octal(owner.uid, 8), 108);
  block.write(octal(owner.gid, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(Math.max(0, Math.floor(owner.mtimeMs / 1000)), 12), 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write(link.slice(0, 100), 157);
  block.write('ustar\x0000', 257);
  block.write(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return block;
}
