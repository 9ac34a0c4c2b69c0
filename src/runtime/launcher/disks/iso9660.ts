/**
 * ISO 9660 with Rock Ridge (Linux) and Joliet (Windows) names: the format of the CDs with cloud-init, ignition, sysprep and
 * ConfigMap data. Pure; xorriso would add 0.1 s to each boot, and its libraries.
 */
import { both16, both32, SECTOR, ucs2 } from './iso-bytes';
import { jolietNames } from './joliet';
import * as rockRidge from './rock-ridge';

/** A fixed date (1 January 2020, UTC), so that the same files give the same bytes. */
const DATE7 = Buffer.from([120, 1, 1, 0, 0, 0, 0]);
const DATE17 = '2020010100000000';

/** Path inside the image (`openstack/latest/user_data`) -> content. */
export type IsoFiles = Record<string, string | Uint8Array>;

interface Node {
  name: string;
  /** Index among the entries of its directory, and its Joliet name there. */
  index: number;
  joliet: string;
  /** Rock Ridge entries that do not fit into its record: a long name, or the root's extension record. */
  continuation?: rockRidge.Continuation;
  /** Undefined for a directory. */
  data?: Buffer;
  children: Node[];
  parent?: Node;
  /** First sector of a file's content. */
  dataSector: number;
  /** First sector and bytes of a directory's records, plain and Joliet. */
  sector: [number, number];
  size: [number, number];
}

const newNode = (name: string, parent?: Node, data?: Buffer): Node => {
  return { name, index: 0, joliet: name, parent, data, children: [], dataSector: 0, sector: [0, 0], size: [0, 0] };
};

function tree(files: IsoFiles): Node {
  const root = newNode('');
  for (const path of Object.keys(files).sort()) {
    const parts = path.split('/');
    if (parts.some((part) => part === '' || part === '.' || part === '..')) {
      throw new Error(`ISO: "${path}" is not a path inside the image`);
    }
    let at = root;
    for (const part of parts.slice(0, -1)) {
      let next = at.children.find(({ name }) => name === part);
      if (!next) at.children.push((next = newNode(part, at)));
      at = next;
    }
    at.children.push(newNode(parts.at(-1)!, at, Buffer.from(files[path]!)));
  }
  for (const directory of directories(root)) nameChildren(directory);
  root.continuation = rockRidge.newContinuation(rockRidge.extensionReference());
  return root;
}

/** Sorted by name, as readers expect. */
function nameChildren({ children }: Node): void {
  children.sort((a, b) => Buffer.compare(ucs2(a.name), ucs2(b.name)));
  const names = jolietNames(children.map(({ name }) => name));
  for (const [index, child] of children.entries()) {
    child.index = index;
    child.joliet = names[index]!;
    const name = rockRidge.nameEntries(child.name);
    const room = MAX_RECORD - FIXED_BYTES - padEven(identifier(child, false)).length;
    if (rockRidge.needsContinuation(name, room)) child.continuation = rockRidge.newContinuation(name);
  }
}

/** Directories, parents first: the order of the path table. */
function directories(root: Node): Node[] {
  const found = [root];
  for (let i = 0; i < found.length; i += 1) found.push(...found[i]!.children.filter(({ data }) => data === undefined));
  return found;
}

const sectors = (bytes: number): number => Math.ceil(bytes / SECTOR);
const padded = (bytes: Buffer, size: number): Buffer => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);

/** Plain names are generated (level 1 would cut real ones); Rock Ridge and Joliet contain the real names. */
function identifier({ index, data, joliet: name }: Node, joliet: boolean): Buffer {
  if (joliet) return ucs2(name + (data ? ';1' : ''));
  const number = String(index).padStart(7, '0');
  return Buffer.from(data ? `F${number}.;1` : `D${number}`);
}

const FIXED_BYTES = 33;
const MAX_RECORD = 254;
/** An identifier of even length is followed by a padding byte. */
const padEven = (id: Buffer): Buffer => (id.length % 2 === 0 ? Buffer.concat([id, Buffer.alloc(1)]) : id);

type Kind = 'self' | 'parent' | 'child';

function systemUse(node: Node, kind: Kind): Buffer {
  if (kind === 'self' && !node.parent) return rockRidge.rootEntries(node.continuation!);
  if (kind !== 'child') return rockRidge.attributes(true);
  return rockRidge.childEntries(node.data === undefined, rockRidge.nameEntries(node.name), node.continuation);
}

function record(node: Node, joliet: boolean, kind: Kind): Buffer {
  const id = kind === 'self' ? Buffer.from([0]) : kind === 'parent' ? Buffer.from([1]) : identifier(node, joliet);
  const which = joliet ? 1 : 0;
  const isDirectory = node.data === undefined;
  const name = padEven(id);
  const system = joliet ? Buffer.alloc(0) : systemUse(node, kind);
  const length = FIXED_BYTES + name.length + system.length;
  const even = length + (length % 2);
  const fixed = Buffer.concat([
    Buffer.from([even, 0]),
    both32(isDirectory ? node.sector[which]! : node.dataSector),
    both32(isDirectory ? node.size[which]! : node.data!.length),
    DATE7,
    Buffer.from([isDirectory ? 2 : 0, 0, 0]),
    both16(1),
    Buffer.from([id.length]),
  ]);
  return padded(Buffer.concat([fixed, name, system]), even);
}

/** Records of a directory; none may cross a sector. */
function directoryBytes(node: Node, joliet: boolean): Buffer {
  const records = [record(node, joliet, 'self'), record(node.parent ?? node, joliet, 'parent')];
  const children = node.children.map((child) => ({ child, id: identifier(child, joliet) }));
  children.sort((a, b) => Buffer.compare(a.id, b.id));
  records.push(...children.map(({ child }) => record(child, joliet, 'child')));
  let out: Buffer = Buffer.alloc(0);
  for (const each of records) {
    const room = SECTOR - (out.length % SECTOR);
    if (each.length > room) out = padded(out, out.length + room);
    out = Buffer.concat([out, each]);
  }
  return padded(out, sectors(out.length) * SECTOR);
}

function pathTable(dirs: Node[], joliet: boolean, bigEndian: boolean): Buffer {
  const entries = dirs.map((node) => {
    const id = node.parent ? identifier(node, joliet) : Buffer.from([0]);
    const out = Buffer.alloc(8 + id.length + (id.length % 2));
    const parent = dirs.indexOf(node.parent ?? node) + 1;
    out[0] = id.length;
    if (bigEndian) {
      out.writeUInt32BE(node.sector[joliet ? 1 : 0]!, 2);
      out.writeUInt16BE(parent, 6);
    } else {
      out.writeUInt32LE(node.sector[joliet ? 1 : 0]!, 2);
      out.writeUInt16LE(parent, 6);
    }
    id.copy(out, 8);
    return out;
  });
  return Buffer.concat(entries);
}

interface Volume {
  label: string;
  joliet: boolean;
  root: Node;
  totalSectors: number;
  pathTableBytes: number;
  pathTableLE: number;
  pathTableBE: number;
}

function descriptor(volume: Volume): Buffer {
  const out = Buffer.alloc(SECTOR);
  const text = (at: number, length: number, value: string): void => {
    const blank = volume.joliet ? ucs2(' '.repeat(Math.ceil(length / 2))) : Buffer.from(' '.repeat(length));
    blank.copy(out, at, 0, length);
    (volume.joliet ? ucs2(value) : Buffer.from(value)).copy(out, at, 0, length);
  };
  out[0] = volume.joliet ? 2 : 1;
  out.write('CD001\x01', 1, 'latin1');
  text(8, 32, '');
  text(40, 32, volume.label);
  both32(volume.totalSectors).copy(out, 80);
  if (volume.joliet) out.write('%/E', 88, 'latin1'); // UCS-2, level 3
  both16(1).copy(out, 120);
  both16(1).copy(out, 124);
  both16(SECTOR).copy(out, 128);
  both32(volume.pathTableBytes).copy(out, 132);
  out.writeUInt32LE(volume.pathTableLE, 140);
  out.writeUInt32BE(volume.pathTableBE, 148);
  record(volume.root, volume.joliet, 'self').copy(out, 156, 0, 34);
  out[156] = 34;
  for (const [at, length] of [
    [190, 128],
    [318, 128],
    [446, 128],
    [574, 128],
    [702, 37],
    [739, 37],
    [776, 37],
  ] as const) {
    text(at, length, '');
  }
  for (const at of [813, 830]) out.write(DATE17, at, 'latin1');
  for (const at of [847, 864]) out.write('0'.repeat(16), at, 'latin1');
  out[881] = 1;
  return out;
}

/** Image of a CD with these files. */
export function buildIso(label: string, files: IsoFiles): Buffer {
  if (!/^[\w.-]{1,16}$/.test(label))
    throw new Error(`ISO: the label "${label}" must be 1-16 letters, digits, _ . or -`);
  const root = tree(files);
  const dirs = directories(root);
  const tableBytes = [false, true].map((joliet) => pathTable(dirs, joliet, false).length);
  // 16 empty sectors, two descriptors, the terminator; then path tables, directories, files
  let next = 19;
  const take = (count: number): number => (next += count) - count;
  const tables = tableBytes.map((bytes) => [take(sectors(bytes)), take(sectors(bytes))] as const);
  for (const which of [0, 1] as const) {
    for (const dir of dirs) {
      dir.size[which] = directoryBytes(dir, which === 1).length;
      dir.sector[which] = take(sectors(dir.size[which]));
    }
  }
  const nodes = [root, ...dirs.flatMap(({ children }) => children)];
  const continuations = nodes.flatMap(({ continuation }) => continuation ?? []);
  take(rockRidge.placeContinuations(continuations, next));
  const all = nodes.filter(({ data }) => data !== undefined);
  for (const file of all) file.dataSector = take(sectors(file.data!.length));
  const image = Buffer.alloc(next * SECTOR);
  const put = (bytes: Buffer, sector: number): void => void bytes.copy(image, sector * SECTOR);
  for (const which of [0, 1] as const) {
    const joliet = which === 1;
    const [pathTableLE, pathTableBE] = tables[which]!;
    const volume = {
      label,
      joliet,
      root,
      totalSectors: next,
      pathTableBytes: tableBytes[which]!,
      pathTableLE,
      pathTableBE,
    };
    put(descriptor(volume), 16 + which);
    put(pathTable(dirs, joliet, false), pathTableLE);
    put(pathTable(dirs, joliet, true), pathTableBE);
    for (const dir of dirs) put(directoryBytes(dir, joliet), dir.sector[which]!);
  }
  put(Buffer.from('\xffCD001\x01', 'latin1'), 18);
  for (const { bytes, sector, offset } of continuations) bytes.copy(image, sector * SECTOR + offset);
  for (const file of all) put(file.data!, file.dataSector);
  return image;
}
