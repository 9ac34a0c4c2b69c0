/** Parses the text of a file into documents, each with its own error. Pure. */
import {
  type Alias,
  type Document,
  isAlias,
  isScalar,
  LineCounter,
  parseDocument,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLParseError,
} from 'yaml';
import { errorText } from '../../api/error-text';

/** Position in a file; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Error of a document that prevents the validation of its fields. */
export interface SyntaxProblem {
  readonly at: Position;
  readonly cause: string;
  readonly remedy: string;
}

/** One document of a file. */
export interface ManifestDocument {
  /** Index of the document; starts at 0. */
  readonly index: number;
  /** Whether it is an item of a `List`. */
  readonly item?: boolean;
  /** Parsed object, if the document could be read. */
  readonly object?: Record<string, unknown>;
  readonly problem?: SyntaxProblem;
  /**
   * Position of the value at a path, or of its nearest parent if the value is missing.
   *
   * @param line line of a value that is a text of several lines, starting at 1
   */
  locate(path: readonly (string | number)[], line?: number): Position;
}

/** Maximum size of an object in etcd. */
const MAX_DOCUMENT = 1.5 * 1024 * 1024;
/** Enough for a file of 500 machines, and few enough to limit an alias bomb. */
const MAX_ALIASES = 100;

/**
 * YAML as kubectl parses it: version 1.1 for booleans (`yes`, `on`) and octals (`0644`), but without its
 * sexagesimal numbers (`02:00:00:00:00:01` is a MAC) and dates.
 */
const asKubectlReads = (tags: Tags): Tags =>
  tags
    .filter(
      (tag) =>
        typeof tag === 'string' ||
        (tag.format !== 'TIME' &&
          !/timestamp|omap|pairs|set$/.test(tag.tag) &&
          // `!!binary` and `!!set` are not JSON
          tag.tag !== 'tag:yaml.org,2002:binary'),
    )
    // `e1000` is a network card: a number needs a digit before its exponent
    .map((tag) =>
      typeof tag !== 'string' && tag.format === 'EXP' ? ({ ...tag, test: exponential } as ScalarTag) : tag,
    );

const exponential = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+$/;

/** Splits the text at its document marks, so that a broken document does not hide the next. */
export function documentsOf(text: string): ManifestDocument[] {
  const bad = forbiddenCharacter(text);
  if (bad !== undefined) return [broken(0, positionIn(text, bad.offset), bad.message, bad.remedy)];
  return cut(text)
    .flatMap(({ from, to }, index) => {
      const read = documentOf(text.slice(from, to), index, lineOf(text, from) - 1);
      return read ? itemsOf(read) : [];
    })
    .map((document, index, all) => (all.some((other) => other.item) ? { ...document, index } : document));
}

/** Replaces a `List`, or a `VirtualMachineList` of the API server, by its items, as kubectl does. */
function itemsOf(document: ManifestDocument): ManifestDocument[] {
  const { apiVersion, kind, items } = document.object ?? {};
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [document];
  // the items of a typed list do not repeat their kind
  const own = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.map((item: unknown, i) => {
    const locate: ManifestDocument['locate'] = (path, line) => document.locate(['items', i, ...path], line);
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      return { index: i, item: true, object: { ...own, ...(item as Record<string, unknown>) }, locate };
    }
    const problem = { at: locate([]), cause: 'this item is not an object', remedy: 'start with apiVersion and kind' };
    return { index: i, item: true, problem, locate };
  });
}

/** Parses one document; undefined if it contains only comments. */
function documentOf(text: string, index: number, linesBefore: number): ManifestDocument | undefined {
  const place = ({ line, column }: Position): Position => ({ line: line + linesBefore, column });
  if (text.length > MAX_DOCUMENT) {
    const mebibytes = (text.length / 1024 / 1024).toFixed(1);
    return broken(
      index,
      place({ line: 1, column: 1 }),
      `the document has ${mebibytes} MiB; the API server stores at most 1.5 MiB`,
      'move large values into a ConfigMap, a Secret or a disk',
    );
  }
  const lines = new LineCounter();
  let document: Document;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      version: '1.1',
      customTags: asKubectlReads,
      prettyErrors: false,
      // the parser's own check compares every key with every other
      uniqueKeys: false,
      stringKeys: true,
      merge: true,
    });
  } catch (thrown) {
    return broken(index, place({ line: 1, column: 1 }), messageOf(thrown), 'write the object with less nesting');
  }
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return place({ line: line || 1, column: col || 1 });
  };
  const error = document.errors[0];
  const mark = error && templateMark(text);
  if (mark) return broken(index, at(mark.index), `${mark[0]} is a placeholder of a template`, RENDER);
  const conflict = error && /^(?:<{7}|={7}|>{7})(?: .*)?$/m.exec(text);
  if (conflict) return broken(index, at(conflict.index), 'the file contains a merge conflict', 'keep one of its sides');
  if (error) {
    const offset = openQuote(document, error) ?? error.pos[0];
    return broken(index, at(offset), clean(error.message), remedyOf(error));
  }
  if (document.contents === null) return undefined;
  const twice = repeatedKey(document);
  if (twice) {
    const remedy = twice.isHead
      ? 'put a line with --- before it, if another object begins here'
      : 'keep one of the two';
    return broken(index, at(twice.offset), `the key "${twice.key}" appears twice`, remedy);
  }
  const warning = document.warnings[0];
  if (warning) return broken(index, at(warning.pos[0]), clean(warning.message), 'remove the tag');
  const alias = danglingAlias(document);
  if (alias) {
    const cause = `the alias *${alias.source} has no anchor &${alias.source} before it in this document`;
    const remedy = `set the anchor, put a text that begins with * into quotes, or repeat the value: anchors end at ---`;
    return broken(index, at(rangeStart(alias) ?? 0), cause, remedy);
  }
  let object: unknown;
  try {
    object = document.toJS({ maxAliasCount: MAX_ALIASES });
    refuseCycles(object, new Set());
  } catch (thrown) {
    return broken(index, place({ line: 1, column: 1 }), messageOf(thrown), 'write the values out instead of aliases');
  }
  if (object === null || object === undefined) return undefined;
  if (typeof object !== 'object' || Array.isArray(object)) {
    const got = Array.isArray(object) ? 'a list' : `the ${typeof object} ${brief(object)}`;
    return broken(index, at(offsetOf(document, [])), `this is ${got}, not an object`, 'start with apiVersion and kind');
  }
  const locate: ManifestDocument['locate'] = (path, line) =>
    at(lineOffset(text, document, path, line) ?? offsetOf(document, path));
  return { index, object: object as Record<string, unknown>, locate };
}

/** Offset of a line of a literal block (`|`), whose lines are those of its value; undefined for other values. */
function lineOffset(
  text: string,
  document: Document,
  path: readonly (string | number)[],
  line: number | undefined,
): number | undefined {
  const node = line === undefined ? undefined : document.getIn(path, true);
  if (!isScalar(node) || node.type !== 'BLOCK_LITERAL' || !node.range) return undefined;
  let from = node.range[0];
  for (let i = 0; i < line! && from >= 0; i++) from = text.indexOf('\n', from + (i === 0 ? 0 : 1));
  if (from < 0 || from >= node.range[1]) return undefined;
  return from + 1 + /^ */.exec(text.slice(from + 1, from + 1 + MOST_INDENT))![0].length;
}

const MOST_INDENT = 200;

const RENDER = 'render the template first, for example with helm template, and validate its output';

/** First placeholder of Helm, Jinja or Go templates outside of comments. */
function templateMark(text: string): RegExpExecArray | undefined {
  const found = /\{\{[^}\n]{0,80}\}\}|\{%[^%\n]{0,80}%\}/g;
  for (let mark = found.exec(text); mark; mark = found.exec(text)) {
    const before = text.slice(text.lastIndexOf('\n', mark.index) + 1, mark.index);
    if (!/^\s*#|\s#/.test(before)) return mark;
  }
  return undefined;
}

/** Offset of a text whose quote is not closed: the parser notices it only at the end. */
function openQuote(document: Document, { code, message }: YAMLParseError): number | undefined {
  if (code !== 'MISSING_CHAR' || !/^Missing closing ["']/.test(message)) return undefined;
  let last: number | undefined;
  visit(document, {
    Scalar: (_, node) => {
      if (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') last = rangeStart(node);
    },
  });
  return last;
}

/** First alias whose anchor is not set before it. */
function danglingAlias(document: Document): Alias | undefined {
  const anchors = new Set<string>();
  let found: Alias | undefined;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        if (anchors.has(node.source)) return undefined;
        found = node;
        return visit.BREAK;
      }
      if (node.anchor !== undefined) anchors.add(node.anchor);
      return undefined;
    },
  });
  return found;
}

/** First key that appears twice in its mapping; `isHead`: one with which an object begins. */
function repeatedKey(document: Document): { key: string; offset: number; isHead: boolean } | undefined {
  let found: { key: string; offset: number; isHead: boolean } | undefined;
  visit(document, {
    Map: (_, map) => {
      const { items } = map;
      const seen = new Set<string>();
      for (const { key } of items) {
        const name = String(isScalar(key) ? key.value : key);
        if (seen.has(name) && name !== '<<') {
          const isHead = map === document.contents && /^(apiVersion|kind|metadata|spec)$/.test(name);
          found = { key: name, offset: rangeStart(key) ?? 0, isHead };
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return found;
}

/** Rejects an anchor whose value contains itself: JSON cannot represent it. */
function refuseCycles(value: unknown, parents: Set<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  if (parents.has(value)) throw new Error('an alias refers to an anchor that contains it');
  parents.add(value);
  for (const inner of Object.values(value)) refuseCycles(inner, parents);
  parents.delete(value);
}

/** Offset of the value, or of its nearest parent that the file contains. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = pairOf(parent, key);
    if (pair !== undefined) return pair;
  }
  return rangeStart(document.contents) ?? 0;
}

/** Offset of a mapping's scalar value or key, or of a list's item. */
function pairOf(parent: unknown, key: string | number): number | undefined {
  const items = (parent as { items?: unknown[] } | null | undefined)?.items;
  if (!items) return undefined;
  if (typeof key === 'number') return rangeStart(items[key]);
  const pair = items.find((item) => String((item as { key?: { value?: unknown } }).key?.value) === key);
  if (pair === undefined) return undefined;
  const { key: name, value } = pair as { key?: unknown; value?: unknown };
  return (isScalar(value) && value.value !== null ? rangeStart(value) : undefined) ?? rangeStart(name);
}

const rangeStart = (node: unknown): number | undefined => (node as { range?: number[] } | null | undefined)?.range?.[0];

function broken(index: number, at: Position, message: string, remedy: string): ManifestDocument {
  return { index, problem: { at, cause: message, remedy }, locate: () => at };
}

/** Spans between `---` lines. Every line that starts with `---` separates documents. */
function cut(text: string): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  let from = 0;
  for (const mark of text.matchAll(/^---(?=[ \t\r\n]|$)/gm)) {
    // directives and comments before the first mark belong to the first document
    if (spans.length === 0 && /^(?:[ \t]*(?:#|%)[^\n]*\n|\s*\n)*$/.test(text.slice(0, mark.index))) continue;
    spans.push({ from, to: mark.index });
    from = mark.index;
  }
  return [...spans, { from, to: text.length }];
}

/** Control characters that YAML does not allow, with their likely cause. */
function forbiddenCharacter(text: string): { offset: number; message: string; remedy: string } | undefined {
  const offset = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (offset < 0) return undefined;
  const code = text.charCodeAt(offset);
  const name =
    code === 0 ? 'a NUL byte' : `the control character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return { offset, message: `YAML does not allow ${name}`, remedy: 'save the file as UTF-8 text' };
}

function positionIn(text: string, offset: number): Position {
  return { line: lineOf(text, offset), column: offset - text.lastIndexOf('\n', offset - 1) };
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

/** Parser's message in one line, reworded where it describes the parser's internals. */
const clean = (message: string): string =>
  message
    .replace(/\s*\n[\s\S]*$/, '')
    .replace(/:$/, '')
    .replace(/^Excessive alias count.*/, 'too many aliases')
    .replace(/^Missing closing ["']quote$/, 'the quote is not closed')
    .replace(
      /^Implicit keys need to be on a single line.*/,
      'a key has no colon, or a text has several lines without quotes',
    )
    .replace(/^Sequence item without - indicator$/, 'the line is neither an item of the list nor a part of one')
    .replace(/^All mapping items must start at the same column$/, 'the key is not in the column of the keys beside it')
    .replace(
      /^Nested mappings are not allowed in compact mappings$/,
      'a second colon in one line, or a key that is indented too far',
    )
    .replace(/^Maximum call stack.*/, 'it is nested too deeply');

const messageOf = (thrown: unknown): string => clean(errorText(thrown));

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}

/** Remedy for an error of the parser. */
function remedyOf({ code, message }: YAMLParseError): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'indent with spaces';
    case 'BAD_INDENT':
      return 'align it with its siblings';
    case 'BAD_SCALAR_START':
      return 'put the value into quotes';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'put a text that contains a colon and a space into quotes, or correct the indentation';
    case 'MISSING_CHAR':
      return message.startsWith('Sequence item') ? 'align it with its siblings' : 'close the bracket or quote';
    case 'UNEXPECTED_TOKEN':
      return 'quote the value, or remove the extra text';
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_IN_FLOW':
    case 'KEY_OVER_1024_CHARS':
      return 'check the colon and the indentation of the lines before';
    case 'MULTIPLE_DOCS':
      return 'separate documents with a --- line';
    default:
      return 'correct the YAML here';
  }
}
