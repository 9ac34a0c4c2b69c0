/** Object file with one program that bpftool loads as `cgroup/dev`. Pure. */

const HEADER_BYTES = 64;
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;

/** Constants of elf.h. */
const RELOCATABLE = 1;
const MACHINE_BPF = 247;
const type = { none: 0, code: 1, symbols: 2, strings: 3 };
const ALLOCATED_AND_EXECUTABLE = 6;
const GLOBAL_FUNCTION = 0x12;

/** Name that bpftool shows. */
const NAME = 'virt8s_devices';

interface Section {
  readonly name: string;
  readonly type: number;
  readonly content: Buffer;
  readonly flags?: number;
  /** Section of the names of symbols. */
  readonly link?: number;
  /** First symbol that is not local. */
  readonly info?: number;
  readonly entryBytes?: number;
}

export function bpfObject(code: Buffer): Buffer {
  const names = strings([NAME]);
  const sections: Section[] = [
    { name: '', type: type.none, content: Buffer.alloc(0) },
    { name: 'cgroup/dev', type: type.code, content: code, flags: ALLOCATED_AND_EXECUTABLE },
    { name: '.symtab', type: type.symbols, content: symbols(code.length), link: 3, info: 1, entryBytes: SYMBOL_BYTES },
    { name: '.strtab', type: type.strings, content: names.content },
  ];
  const titles = strings([...sections.map(({ name }) => name), '.shstrtab']);
  sections.push({ name: '.shstrtab', type: type.strings, content: titles.content });

  const contents = sections.map(({ content }) => padded(content));
  const starts = contents.map((_, i) => HEADER_BYTES + Buffer.concat(contents.slice(0, i)).length);
  const table = sections.map((section, i) => entry(section, titles.at(section.name), starts[i]));
  const body = Buffer.concat(contents);
  return Buffer.concat([header(HEADER_BYTES + body.length, sections.length), body, ...table]);
}

function header(tableAt: number, sections: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // 64 bits, little-endian
  bytes.writeUInt16LE(RELOCATABLE, 16);
  bytes.writeUInt16LE(MACHINE_BPF, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(BigInt(tableAt), 40);
  bytes.writeUInt16LE(HEADER_BYTES, 52);
  bytes.writeUInt16LE(SECTION_BYTES, 58);
  bytes.writeUInt16LE(sections, 60);
  bytes.writeUInt16LE(sections - 1, 62);
  return bytes;
}

function entry(section: Section, nameAt: number, start: number): Buffer {
  const { flags = 0, link = 0, info = 0, entryBytes = 0, content } = section;
  const bytes = Buffer.alloc(SECTION_BYTES);
  bytes.writeUInt32LE(nameAt, 0);
  bytes.writeUInt32LE(section.type, 4);
  bytes.writeBigUInt64LE(BigInt(flags), 8);
  bytes.writeBigUInt64LE(BigInt(start), 24);
  bytes.writeBigUInt64LE(BigInt(content.length), 32);
  bytes.writeUInt32LE(link, 40);
  bytes.writeUInt32LE(info, 44);
  bytes.writeBigUInt64LE(8n, 48);
  bytes.writeBigUInt64LE(BigInt(entryBytes), 56);
  return bytes;
}

/** The first symbol is always empty. */
function symbols(codeBytes: number): Buffer {
  const bytes = Buffer.alloc(2 * SYMBOL_BYTES);
  bytes.writeUInt32LE(1, SYMBOL_BYTES);
  bytes.writeUInt8(GLOBAL_FUNCTION, SYMBOL_BYTES + 4);
  bytes.writeUInt16LE(1, SYMBOL_BYTES + 6);
  bytes.writeBigUInt64LE(BigInt(codeBytes), SYMBOL_BYTES + 16);
  return bytes;
}

function strings(names: readonly string[]): { content: Buffer; at: (name: string) => number } {
  const content = Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`);
  return { content, at: (name) => (name ? content.indexOf(`\0${name}\0`) + 1 : 0) };
}

const padded = (content: Buffer): Buffer => Buffer.concat([content, Buffer.alloc(-content.length & 7)]);
