import type { Finding, Path } from '../findings';
import { closest } from '../names';
import { schemas } from './generated/schemas';

/**
 * cloud-init's own schemas: an interpreter of the JSON Schema subset that they use. A message contains keys, types and
 * allowed values, and never the value itself: user data may contain secrets.
 *
 * Why no validators by ajv: those of these three schemas have 680 KB and load in 13 ms; this and its table have 50 KB and
 * load in 1 ms.
 */

/** Keywords that the generator keeps. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Document of cloud-init that has a schema. */
export type CloudInitDocument = keyof typeof schemas;

const parsed = new Map<CloudInitDocument, Readonly<Record<string, Schema>>>();
/** Parsed at first use. */
function definitionsOf(document: CloudInitDocument): Readonly<Record<string, Schema>> {
  const known = parsed.get(document);
  if (known) return known;
  const definitions = JSON.parse(schemas[document]) as Record<string, Schema>;
  parsed.set(document, definitions);
  return definitions;
}

/** Returns everything in the document that cloud-init's schema does not allow. */
export function validateDocument(document: CloudInitDocument, value: unknown, at: Path): Finding[] {
  const definitions = definitionsOf(document);
  const errors: Finding[] = [];
  new Interpreter(definitions, at).visit(definitions[''], value, errors);
  return errors;
}

/** Returns the keys that a document may have. */
export function keysOf(document: CloudInitDocument): string[] {
  return Object.keys(definitionsOf(document)[''].properties ?? {});
}

/** Limit of unknown keys to report, because each is compared with all known ones. */
const MOST_COMPARED = 100;

/**
 * Nearly all values are right. So it adds to one list instead of returning a list for each value, and makes a path only
 * for a finding.
 */
class Interpreter {
  /** Keys and indexes from the document to the value. */
  private readonly parts: (string | number)[] = [];

  constructor(
    private readonly definitions: Readonly<Record<string, Schema>>,
    private readonly document: Path,
  ) {}

  public visit(schema: Schema, value: unknown, errors: Finding[]): void {
    if (!fits(schema, value)) return void errors.push(wrongType(this.at, typesOf(schema), value));
    if (schema.$ref !== undefined) this.visit(this.definitions[schema.$ref], value, errors);
    this.scalar(schema, value, errors);
    if (Array.isArray(value)) this.list(schema, value, errors);
    else if (isObject(value)) this.object(schema, value, errors);
    if (schema.allOf) for (const part of schema.allOf) this.visit(part, value, errors);
    if (schema.anyOf) errors.push(...this.one(schema.anyOf, value, false));
    if (schema.oneOf) errors.push(...this.one(schema.oneOf, value, true));
  }

  private get at(): Path {
    return this.document.at(...this.parts);
  }

  private visitInside(part: string | number, schema: Schema, value: unknown, errors: Finding[]): void {
    this.parts.push(part);
    this.visit(schema, value, errors);
    this.parts.pop();
  }

  private scalar(schema: Schema, value: unknown, errors: Finding[]): void {
    const report = (message: string, remedy?: string): void => void errors.push(limit(this.at, message, remedy));
    if (schema.enum && !schema.enum.includes(value)) errors.push(notAllowed(this.at, schema.enum));
    if (typeof value === 'number') {
      const { minimum = -Infinity, maximum = Infinity } = schema;
      if (value < minimum) report(`is less than ${minimum}`);
      if (value > maximum) report(`is more than ${maximum}`);
    }
    if (typeof value === 'string') {
      const { pattern, format, maxLength } = schema;
      if (pattern !== undefined && !regexOf(pattern).test(value)) {
        report(`does not match ${pattern}`, 'write a value of this form');
      }
      if (maxLength !== undefined && [...value].length > maxLength) {
        report(`is longer than ${maxLength} characters`, 'shorten the text');
      }
      const rule = format === undefined ? undefined : formats[format];
      if (rule && !rule.test(value)) report(`is not a valid ${rule.name}`, rule.remedy);
    }
  }

  private list(schema: Schema, value: readonly unknown[], errors: Finding[]): void {
    const { items, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
    if (items) value.forEach((each, i) => this.visitInside(i, items, each, errors));
    if (value.length < minItems)
      errors.push(limit(this.at, `has ${value.length} items, but at least ${minItems} are required`));
    if (value.length > maxItems)
      errors.push(limit(this.at, `has ${value.length} items, but at most ${maxItems} are allowed`));
    if (uniqueItems) {
      const texts = value.map((each) => JSON.stringify(each));
      const twice = texts.findIndex((text, i) => texts.indexOf(text) !== i);
      if (twice >= 0) errors.push(limit(this.at.at(twice), 'is written twice', 'remove one of them'));
    }
  }

  private object(schema: Schema, value: Readonly<Record<string, unknown>>, errors: Finding[]): void {
    const { properties = {}, patternProperties, additionalProperties, required, minProperties = 0 } = schema;
    if (required) for (const key of required) if (value[key] === undefined) errors.push(missing(this.at.at(key), key));
    let count = 0;
    let unknown = 0;
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      count++;
      let isKnown = Object.hasOwn(properties, key);
      if (isKnown) this.visitInside(key, properties[key], inner, errors);
      for (const pattern in patternProperties) {
        if (!regexOf(pattern).test(key)) continue;
        isKnown = true;
        this.visitInside(key, patternProperties[pattern], inner, errors);
      }
      if (isKnown) continue;
      if (isObject(additionalProperties)) this.visitInside(key, additionalProperties, inner, errors);
      else if (additionalProperties === false && unknown++ < MOST_COMPARED) {
        errors.push(unknownKey(key, Object.keys(properties), this.at.at(key)));
      }
    }
    if (count < minProperties) errors.push(limit(this.at, 'is empty', 'add a key, or remove the map'));
  }

  /** Validates `anyOf`, or `oneOf`, of which only one may match. Reports the mistakes of the nearest alternative. */
  private one(schemas: readonly Schema[], value: unknown, exactly: boolean): readonly Finding[] {
    let matching = 0;
    const results = schemas.map((schema) => {
      const errors: Finding[] = [];
      this.visit(schema, value, errors);
      if (errors.length === 0) matching++;
      return { schema, errors };
    });
    if (matching === 1 || (matching > 1 && !exactly)) return [];
    if (matching > 1) return [limit(this.at, 'mixes two forms that exclude each other', 'keep the keys of one form')];
    return this.nearest(results, value, this.at);
  }

  private nearest(results: readonly { schema: Schema; errors: Finding[] }[], value: unknown, at: Path): Finding[] {
    const ofType = results.filter(({ schema }) => fits(this.resolved(schema), value));
    // no alternative accepts a value of this type: the finding lists all their types
    if (ofType.length === 0) {
      const types = results.flatMap(({ schema }) => typesOf(this.resolved(schema)));
      return [wrongType(at, [...new Set(types)], value)];
    }
    const enums = ofType.flatMap(({ schema }) => schema.enum ?? []);
    if (ofType.every(({ schema, errors }) => schema.enum && errors.length === 1)) return [notAllowed(at, enums)];
    const named = ofType.filter(({ schema }) => this.isNamedBy(schema, value));
    const depth = ({ errors }: { errors: Finding[] }): number => Math.max(...errors.map((e) => e.path.parts.length));
    // a list of words is less helpful than a pattern that most values match
    const vague = ({ schema }: { schema: Schema }): number => (schema.enum ? 1 : 0);
    const ranked = [...(named.length > 0 ? named : ofType)].sort(
      (a, b) => depth(b) - depth(a) || vague(a) - vague(b) || a.errors.length - b.errors.length,
    );
    if (named.length === 0) {
      const types = ofType.flatMap(({ schema }) => this.resolved(schema).properties?.type?.enum ?? []);
      if (isObject(value) && 'type' in value && types.length > 1) return [notAllowed(at.at('type'), types)];
    }
    return ranked[0].errors;
  }

  private resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : { ...this.definitions[schema.$ref], ...schema };
  }

  /** Returns the alternative that the value's `type` selects: `physical`, `bond`, … */
  private isNamedBy(schema: Schema, value: unknown): boolean {
    const names = this.resolved(schema).properties?.type?.enum;
    return isObject(value) && (names?.includes(value.type) ?? false);
  }
}

const regexes = new Map<string, RegExp>();

function regexOf(pattern: string): RegExp {
  let regex = regexes.get(pattern);
  if (!regex) regexes.set(pattern, (regex = new RegExp(pattern)));
  return regex;
}

/** Formats of JSON Schema. Python's checker accepts any host name when its `fqdn` module is not installed. */
const formats: Readonly<Record<string, { name: string; remedy: string; test: (text: string) => boolean }>> = {
  uri: {
    name: 'URI',
    remedy: 'write scheme and host, such as https://example.com/path',
    test: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/.test(text),
  },
  hostname: {
    name: 'host name',
    remedy: 'write a DNS name or an address',
    test: (text) => text.length <= 253 && /^[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?\.?$/.test(text),
  },
  date: {
    name: 'date',
    remedy: 'write year-month-day, such as 2030-12-31',
    test: (text) => {
      const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
      return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
    },
  },
};

function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** Whether the value has a type of the schema. */
function fits({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true;
  return typeof type === 'string' ? hasType(value, type) : type.some((each) => hasType(value, each));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const words: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  null: 'null',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'a text',
};

function wrongType(at: Path, types: readonly string[], value: unknown): Finding {
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const wanted = types.map((type) => words[type]).join(' or ');
  return {
    rule: 'cloud-init-type',
    path: at,
    cause: `must be ${wanted}, is ${words[found] ?? found}`,
    remedy: types.includes('string') && /boolean|number/.test(found) ? 'put it into quotes' : `write ${wanted}`,
  };
}

function notAllowed(at: Path, allowed: readonly unknown[]): Finding {
  return {
    rule: 'cloud-init-enum',
    type: 'FieldValueNotSupported',
    path: at,
    allowed: allowed.map(String),
    cause: 'is not one of the allowed values',
    remedy: 'use an allowed value',
  };
}

function limit(at: Path, message: string, remedy = 'change the value'): Finding {
  return { rule: 'cloud-init-limit', path: at, cause: message, remedy };
}

function missing(path: Path, key: string): Finding {
  const cause = 'is missing';
  return { rule: 'cloud-init-required', type: 'FieldValueRequired', path, cause, remedy: `add ${key}` };
}

function unknownKey(key: string, known: readonly string[], path: Path): Finding {
  const near = closest(key, known) ?? closest(key.replaceAll('-', '_'), known);
  const few = known.length > 0 && known.length <= 20;
  return {
    rule: 'cloud-init-unknown-key',
    type: 'FieldValueForbidden',
    path,
    ...(few ? { allowed: known } : {}),
    cause: 'is not a key of cloud-init',
    remedy: near ? `did you mean "${near}"?` : 'remove it',
  };
}
