/** Parses text as cloud-init's YAML 1.1 parser (PyYAML) does, with the line of each key. */
import type { Document, Node, Pair, Scalar, Tags, YAMLMap } from 'yaml';

/** Reason why a text is not YAML. Never repeats the text, which may contain secrets. */
export interface YamlProblem {
  readonly line: number;
  readonly cause: string;
  readonly remedy: string;
}

/** Parsed document, or the first problem. */
export interface YamlText {
  readonly value?: unknown;
  readonly problem?: YamlProblem;
  /** Paths of keys that their map has twice. */
  readonly duplicates: readonly (readonly (string | number)[])[];
  /** Returns the line of a key or item, from 1; of its nearest parent when it is missing. */
  lineOf(path: readonly (string | number)[]): number;
  /** Returns a scalar as it is written, without quotes; undefined for other values. */
  sourceOf(path: readonly (string | number)[]): string | undefined;
}

type Yaml = typeof import('yaml');
type Keys = readonly (string | number)[];

/** Limit of aliases: enough for a document of a guest, too few for a YAML bomb. */
const MAX_ALIASES = 100;

export function readYaml(text: string): YamlText {
  // loaded for the first raw text, because most programs have no raw text
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const yaml = require('yaml') as Yaml;
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    version: '1.1',
    customTags: asPythonReads,
    lineCounter: lines,
    prettyErrors: false,
    // its check is quadratic
    uniqueKeys: false,
    strict: false,
    logLevel: 'error',
  });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const duplicates: Keys[] = [];
  const [error] = document.errors;
  const reader = {
    duplicates,
    lineOf: (path: Keys) => lineAt(offsetOf(document, path, yaml)),
    sourceOf: (path: Keys) => {
      const node = document.getIn(path, true);
      return yaml.isScalar(node) ? node.source : undefined;
    },
  };
  if (error) return { ...reader, problem: { line: lineAt(error.pos[0]), ...explained(error.code) } };
  pythonScalars(document, yaml);
  const strange = collectDuplicates(document.contents, [], duplicates, yaml);
  if (strange) {
    const [cause, remedy] = ['has a map or list as a key', 'put a text that begins with { or [ into quotes'];
    return { ...reader, problem: { line: lineAt(strange.range?.[0] ?? 0), cause, remedy } };
  }
  try {
    return { ...reader, value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch {
    const [cause, remedy] = [
      'an alias (*) has no anchor (&), or there are too many',
      'write the value instead of an alias',
    ];
    return { ...reader, problem: { line: 1, cause, remedy } };
  }
}

/** Dates stay strings, because cloud-init writes them unchanged. PyYAML's sexagesimal numbers are parsed separately. */
const asPythonReads = (tags: Tags): Tags =>
  tags.filter(
    (tag) => typeof tag === 'string' || (tag.format !== 'TIME' && !/timestamp|omap|pairs|set$/.test(tag.tag)),
  );

/** `52:54:00:12:34:56` is a number for PyYAML, as every text of digits and colons that does not begin with 0. */
const SEXAGESIMAL = /^[-+]?[1-9][\d_]*(?::[0-5]?\d)+$/;

function pythonScalars(document: Document, yaml: Yaml): void {
  yaml.visit(document, {
    Scalar(_, scalar: Scalar) {
      const { source, value, type } = scalar;
      if (type !== 'PLAIN' || source === undefined) return;
      if (typeof value === 'boolean' && /^[yn]$/i.test(source)) scalar.value = source;
      // PyYAML requires a point in a number with an exponent
      else if (typeof value === 'number' && /^[-+]?\d+e[-+]?\d+$/i.test(source)) scalar.value = source;
      else if (typeof value === 'string' && SEXAGESIMAL.test(source)) scalar.value = 60;
    },
  });
}

/** Collects keys that their map has twice; returns the first key that is a map or list, which PyYAML rejects. */
function collectDuplicates(node: unknown, at: Keys, found: Keys[], yaml: Yaml): Node | undefined {
  if (yaml.isSeq(node)) {
    for (const [i, item] of node.items.entries()) {
      const strange = collectDuplicates(item, [...at, i], found, yaml);
      if (strange) return strange;
    }
  }
  if (!yaml.isMap(node)) return undefined;
  const seen = new Set<string>();
  for (const { key, value } of (node as YAMLMap).items) {
    if (yaml.isCollection(key)) return key;
    const name = nameOf(key, yaml);
    if (name === undefined) continue;
    if (seen.has(name) && name !== '<<') found.push([...at, name]);
    seen.add(name);
    const strange = collectDuplicates(value, [...at, name], found, yaml);
    if (strange) return strange;
  }
  return undefined;
}

const nameOf = (key: unknown, yaml: Yaml): string | undefined => (yaml.isScalar(key) ? String(key.value) : undefined);

/** Returns the offset where the key or item begins. */
function offsetOf({ contents }: Document, path: Keys, yaml: Yaml): number {
  let node: unknown = contents;
  let offset = (contents as Node | null)?.range?.[0] ?? 0;
  for (const part of path) {
    let next: unknown;
    if (yaml.isMap(node)) {
      // the last one of two
      const pair = (node.items as Pair[]).filter(({ key }) => nameOf(key, yaml) === String(part)).at(-1);
      offset = (pair?.key as Node | undefined)?.range?.[0] ?? offset;
      next = pair?.value;
    } else if (yaml.isSeq(node)) {
      next = node.items[Number(part)];
      offset = (next as Node | undefined)?.range?.[0] ?? offset;
    }
    if (next === undefined) return offset;
    node = next;
  }
  return offset;
}

const problems: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  TAB_AS_INDENT: ['is indented by a tab', 'indent by spaces'],
  BAD_INDENT: ['is indented differently from its neighbours', 'give keys and items of one level the same indentation'],
  MISSING_CHAR: ['lacks a colon, comma, quote or bracket', 'close quotes and brackets, and end each key with a colon'],
  UNEXPECTED_TOKEN: ['has a character that is not allowed there', 'put texts with special characters into quotes'],
  BLOCK_AS_IMPLICIT_KEY: [
    'has two colons',
    'put a text that contains ": " into quotes, or correct the indentation of the next line',
  ],
  MULTILINE_IMPLICIT_KEY: ['lacks a colon', 'end the key with a colon and a space'],
  BAD_SCALAR_START: ['begins a text with a reserved character', 'put the text into quotes'],
  BAD_DQ_ESCAPE: [
    'has a backslash that is not part of an escape sequence',
    'use single quotes, or double the backslash',
  ],
  MULTIPLE_DOCS: ['begins a second document', 'remove the line ---'],
};

function explained(code: string): Omit<YamlProblem, 'line'> {
  const [cause, remedy] = problems[code] ?? ['cannot be read as YAML', 'check its indentation, quotes and colons'];
  return { cause, remedy };
}
