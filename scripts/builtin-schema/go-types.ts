import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a Go struct with the markers in its comment. */
export interface GoField {
  /** Undefined for an embedded struct whose fields are this struct's. */
  readonly json?: string;
  readonly omitEmpty: boolean;
  readonly type: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** `+listType=map` -> `listType: ['map']` */
  readonly markers: Readonly<Record<string, readonly string[]>>;
}

/** A declared type: a struct, or another name of a type. */
export interface GoType {
  readonly fields?: readonly GoField[];
  readonly alias?: string;
  readonly markers: Readonly<Record<string, readonly string[]>>;
}

export interface GoPackage {
  /** `core.v1` */
  readonly name: string;
  readonly types: ReadonlyMap<string, GoType>;
  /** Import name -> package path. */
  readonly imports: ReadonlyMap<string, string>;
}

/** Reads the type declarations of a package. Knows the layout that gofmt gives to Kubernetes' API packages, no more. */
export function parseGoPackage(dir: string, name: string): GoPackage {
  const types = new Map<string, GoType>();
  const imports = new Map<string, string>();
  const files = readdirSync(dir).filter(
    (f) => /^(types\w*|duration|micro_time|time|labels)\.go$/.test(f) && !/swagger|_test/.test(f),
  );
  for (const file of files) parseFile(readFileSync(join(dir, file), 'utf8'), types, imports);
  return { name, types, imports };
}

function parseFile(text: string, types: Map<string, GoType>, imports: Map<string, string>): void {
  const lines = text.split('\n');
  let comment: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const imported = /^\t(\w+)? ?"([\w./-]+)"$/.exec(line);
    if (imported?.[2]) imports.set(imported[1] ?? imported[2].split('/').at(-1) ?? '', imported[2]);
    if (line.startsWith('//')) {
      comment.push(line);
      continue;
    }
    const struct = /^type (\w+) struct ?\{/.exec(line);
    const alias = /^type (\w+) ([[\]*\w.]+)/.exec(line);
    if (struct?.[1]) {
      const end = line.endsWith('{}') ? i : lines.indexOf('}', i);
      types.set(struct[1], { fields: parseFields(lines.slice(i + 1, end)), markers: markersOf(comment) });
      i = end;
    } else if (alias?.[1] && alias[2] !== 'interface') {
      types.set(alias[1], { alias: alias[2], markers: markersOf(comment) });
    }
    // a blank line separates markers of the declaration from its documentation, both count
    if (line !== '') comment = [];
  }
}

function parseFields(lines: readonly string[]): GoField[] {
  const fields: GoField[] = [];
  let comment: string[] = [];
  for (const line of lines) {
    const text = line.trim();
    if (text.startsWith('//')) comment.push(text);
    const field = /^(?:(\w+)\s+)?([[\]*\w.]+)\s+`([^`]*)`/.exec(text);
    if (!field?.[2]) {
      if (text === '') comment = [];
      continue;
    }
    const tag = (name: string) => new RegExp(`(?:^|\\s)${name}:"([^"]*)"`).exec(field[3] ?? '')?.[1];
    const [json = '', ...flags] = (tag('json') ?? '').split(',');
    if (json !== '-')
      fields.push({
        json: json === '' ? undefined : json,
        omitEmpty: flags.includes('omitempty'),
        type: field[2],
        patchStrategy: tag('patchStrategy'),
        patchMergeKey: tag('patchMergeKey'),
        markers: markersOf(comment),
      });
    comment = [];
  }
  return fields;
}

function markersOf(comment: readonly string[]): Record<string, string[]> {
  const markers: Record<string, string[]> = {};
  for (const line of comment) {
    const marker = /^\/\/ ?\+(?:k8s:)?([\w:]+)(?:=(.*))?$/.exec(line.trim());
    if (marker?.[1]) (markers[marker[1]] ??= []).push(marker[2] ?? '');
  }
  return markers;
}
