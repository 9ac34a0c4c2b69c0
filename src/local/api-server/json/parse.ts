import { Document, isScalar, parseDocument, visit } from 'yaml';
import { errorText } from '../../../api/error-text';
import { errors, StatusError } from '../errors';
import { hasTooManyValues, isTooDeep, isValueTooDeep, MAX_DEPTH, MAX_VALUES, TOO_DEEP } from './depth';
import { isMap } from './values';

/** Key that would name the prototype of an object instead of data. Kubernetes has no field, label or name like it. */
const RESERVED = '__proto__';

/** Error for an object with a reserved key. */
export class ReservedKeyError extends StatusError {
  public constructor() {
    super(errors.badRequest(`the key "${RESERVED}" is not allowed; rename it`).status);
  }
}

/** @throws ReservedKeyError */
export function refuseReservedKey(key: string): void {
  if (key === RESERVED) throw new ReservedKeyError();
}

/** Returns the value if none of its objects has a reserved key. @throws ReservedKeyError */
export function withoutReservedKeys<T>(value: T): T {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isMap(next)) {
      if (Object.hasOwn(next, RESERVED)) throw new ReservedKeyError();
      for (const item of Object.values(next)) open.push(item);
    }
  }
  return value;
}

/** The key as it can be written in JSON: plain, or with escapes. */
const SUSPICIOUS = /__proto__|\\u00/i;

/** @throws SyntaxError, StatusError 413 */
function requireModest(text: string): void {
  if (isTooDeep(text)) throw new SyntaxError(TOO_DEEP);
  if (hasTooManyValues(text)) throw errors.tooLarge(`limit is ${MAX_VALUES} values in a body`);
}

/** Parses JSON that comes from outside. @throws SyntaxError, ReservedKeyError, StatusError 413 */
export function parseJson(text: string): unknown {
  requireModest(text);
  const value: unknown = JSON.parse(text);
  return SUSPICIOUS.test(text) ? withoutReservedKeys(value) : value;
}

/** A syntax error of YAML in Go's words, as far as they are known. */
export function yamlError(error: unknown): string {
  const [line = ''] = errorText(error).split('\n');
  if (line.startsWith('Nested mappings')) return 'yaml: mapping values are not allowed in this context';
  return `yaml: ${line}`;
}

/** Maximum size of YAML that is not JSON: parsing it takes about half a second. kubectl sends JSON. */
const YAML_LIMIT = 256 * 1024;

/** Nested lists in one line that only an attack contains; the parser would take seconds to reject them. */
const NESTED_LISTS = /(?:- ){200}/;

/** Whether YAML opens far more brackets than it closes. Its strings need no quotes, so that this is an estimate. */
function opensTooMany(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === '[' || bracket === '{' ? 1 : -1;
    if (open > MAX_DEPTH) return true;
  }
  return false;
}

/** Parses YAML that comes from outside. @throws YAMLParseError, ReservedKeyError, StatusError 413 */
export function parseYaml(text: string): unknown {
  const json = jsonOf(text);
  if (json !== undefined) return json;
  if (text.length > YAML_LIMIT) {
    throw errors.tooLarge(`limit of YAML is ${YAML_LIMIT}; send JSON, which may have 3145728`);
  }
  if (NESTED_LISTS.test(text) || opensTooMany(text)) throw new SyntaxError(TOO_DEEP);
  // The parser's own check of keys takes quadratic time.
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.errors.length) throw document.errors[0];
  requireUniqueKeys(document);
  const value: unknown = document.toJS();
  if (isValueTooDeep(value)) throw new SyntaxError(TOO_DEEP);
  return withoutReservedKeys(value);
}

/** The value of YAML that is also JSON; clients often send it. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  requireModest(text);
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return parseJson(text);
}

function requireUniqueKeys(document: Document): void {
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) throw new SyntaxError(`Map keys must be unique: ${JSON.stringify(key.value)}`);
        seen.add(key.value);
      }
    },
  });
}
