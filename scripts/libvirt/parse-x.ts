/** A parser for the subset of XDR's interface language that libvirt's .x files use. Pure. */

/** A type as used by a field. */
export type XType =
  | { kind: 'basic'; name: 'int' | 'uint' | 'hyper' | 'uhyper' | 'double' }
  | { kind: 'string'; max: number }
  | { kind: 'opaque'; max: number }
  | { kind: 'fixedOpaque'; length: number }
  | { kind: 'array'; of: XType; max: number }
  | { kind: 'fixedArray'; of: XType; length: number }
  | { kind: 'optional'; of: XType }
  | { kind: 'named'; name: string };

export interface XField {
  name: string;
  type: XType;
}

/** Declarations of one .x file. */
export interface Protocol {
  consts: Map<string, number>;
  typedefs: Map<string, XType>;
  structs: Map<string, XField[]>;
  unions: Map<string, { value: number; field: XField }[]>;
  procedures: Map<string, number>;
}

const BASIC: Record<string, XType> = {
  int: { kind: 'basic', name: 'int' },
  'unsigned int': { kind: 'basic', name: 'uint' },
  unsigned: { kind: 'basic', name: 'uint' },
  hyper: { kind: 'basic', name: 'hyper' },
  'unsigned hyper': { kind: 'basic', name: 'uhyper' },
  double: { kind: 'basic', name: 'double' },
  // XDR pads a char to four bytes
  char: { kind: 'basic', name: 'int' },
  'unsigned char': { kind: 'basic', name: 'uint' },
};

/** Text without comments and preprocessor lines. */
function bare(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/^%.*$/gm, ' ');
}

/** `#define NAME (4096 + 1)` and enum members of the C headers that the .x file includes. */
function headerConsts(headers: string): Map<string, number> {
  const consts = new Map<string, number>();
  for (const [, name, value] of headers.matchAll(/^#\s*define\s+(VIR_\w+_BUFLEN)\s+\(([\d\s+]+)\)/gm)) {
    consts.set(
      name!,
      value!.split('+').reduce((sum, n) => sum + Number(n), 0),
    );
  }
  for (const [, name, value] of headers.matchAll(/^\s*(VIR_TYPED_PARAM_[A-Z]+)\s*=\s*(\d+)/gm)) {
    consts.set(name!, Number(value));
  }
  return consts;
}

/** `type name`, `type name<MAX>`, `type name[N]`, `type *name`. */
function declaration(text: string, constant: (name: string) => number): XField {
  const match = /^(.*?)\s*(\*?)\s*(\w+)\s*(?:<(\w*)>|\[(\w+)\])?$/s.exec(text.trim().replace(/\s+/g, ' '));
  if (!match) throw new Error(`cannot parse the declaration "${text.trim()}"`);
  const [, base, star, name, max, length] = match as unknown as [string, string, string, string, string?, string?];
  if (base === 'string') return { name, type: { kind: 'string', max: constant(max!) } };
  if (base === 'opaque') {
    const type: XType = length
      ? { kind: 'fixedOpaque', length: constant(length) }
      : { kind: 'opaque', max: constant(max!) };
    return { name, type };
  }
  const one: XType = BASIC[base] ?? { kind: 'named', name: base.replace(/^struct /, '') };
  if (star) return { name, type: { kind: 'optional', of: one } };
  if (max !== undefined) return { name, type: { kind: 'array', of: one, max: constant(max) } };
  if (length !== undefined) return { name, type: { kind: 'fixedArray', of: one, length: constant(length) } };
  return { name, type: one };
}

/** Parses a .x file. `base` holds what it includes. */
export function parseProtocol(source: string, headers: string, base?: Protocol): Protocol {
  const text = bare(source);
  const protocol: Protocol = {
    consts: new Map([...headerConsts(headers), ...(base?.consts ?? [])]),
    typedefs: new Map(base?.typedefs),
    structs: new Map(base?.structs),
    unions: new Map(base?.unions),
    procedures: new Map(),
  };
  const constant = (name: string): number => {
    const value = /^(0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : protocol.consts.get(name);
    if (value === undefined) throw new Error(`the constant ${name} is declared nowhere`);
    return value;
  };
  const item =
    /const\s+(\w+)\s*=\s*(\w+)\s*;|typedef\s+([^;]+);|(struct|enum)\s+(\w+)\s*\{([^}]*)\}|union\s+(\w+)\s+switch\s*\([^)]*\)\s*\{([^}]*)\}/g;
  for (const [, constName, constValue, typedef, kind, name, body, unionName, unionBody] of text.matchAll(item)) {
    if (constName) protocol.consts.set(constName, constant(constValue!));
    else if (typedef) {
      const { name: alias, type } = declaration(typedef, constant);
      protocol.typedefs.set(alias, type);
    } else if (kind === 'struct') {
      const fields = body!.split(';').filter((part) => part.trim() !== '');
      protocol.structs.set(
        name!,
        fields.map((field) => declaration(field, constant)),
      );
    } else if (kind === 'enum') {
      protocol.typedefs.set(name!, { kind: 'basic', name: 'int' });
      for (const [, member, value] of body!.matchAll(/\w+?_PROC_(\w+)\s*=\s*(\d+)/g)) {
        protocol.procedures.set(member!, Number(value));
      }
    } else {
      const cases = [...unionBody!.matchAll(/case\s+(\w+)\s*:([^;]+);/g)];
      protocol.unions.set(
        unionName!,
        cases.map(([, value, field]) => ({ value: constant(value!), field: declaration(field!, constant) })),
      );
    }
  }
  return protocol;
}
