import { Finding, Path, root, type RuleId } from './findings';
import { kinds } from './generated/kinds';
import { describedBy, schemas } from './generated/schemas';
import { closest } from './names';
import { quantityHint } from './quantity';
import { remedyForType, remedyForUnknown, type Step } from './schema-remedies';

/**
 * Validation by schema: shapes, types, required and unknown fields. Only the API server evaluates rules in CEL, as
 * with KubeVirt, whose webhooks do not evaluate them.
 *
 * Interprets a subset of JSON Schema instead of compiling ajv validators: it knows each object's fields, so it can
 * suggest names, and the schemas are data, 140 KB for all kinds, of which a process parses only those that it uses (all: 1.5 ms and
 * 1.5 MB). A test compares its verdicts with ajv's.
 */

/** Keywords that `api/schema` uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

const files = new Map<string, Readonly<Record<string, Schema>>>();
/** File of `api/schema`; parsed at first use. */
function definitionsOf(file: string): Readonly<Record<string, Schema>> {
  const known = files.get(file);
  if (known) return known;
  const parsed = JSON.parse(schemas[file]) as Record<string, Schema>;
  files.set(file, parsed);
  return parsed;
}

const targets = new Map<string, Schema>();
/** Resolves a `$ref`: `core_v1/Affinity`. */
function targetOf(ref: string): Schema {
  const known = targets.get(ref);
  if (known) return known;
  const [file, name] = ref.split('/');
  const found = definitionsOf(file)[name];
  targets.set(ref, found);
  return found;
}

/** Whether there is a schema for this kind: `hasSchema('kubevirt.io/v1', 'VirtualMachine')`. */
export function hasSchema(apiVersion: string, kind: string): boolean {
  // the files also define the parts of kinds, such as Disk
  return Object.hasOwn(kinds, kind) && rootOf(apiVersion, kind) !== undefined;
}

/** Limit of findings about a shape: nobody reads more, and each takes time to describe. */
export const MOST_SCHEMA_ERRORS = 100;

/**
 * Returns everything in the object that its schema does not allow; an empty list for kinds without a schema. After
 * `MOST_SCHEMA_ERRORS` findings, the last one is `schema-more`, and the rest of the object is not validated.
 *
 * @param counts filter of the findings: others are left out, and do not count towards the limit
 * @param ignored rules to skip
 */
export function validateSchema(
  object: { apiVersion?: unknown; kind?: unknown },
  counts: (error: Finding) => boolean = () => true,
  ignored: ReadonlySet<string> = new Set(),
): Finding[] {
  const schema = rootOf(String(object.apiVersion), String(object.kind));
  if (!schema) return [];
  const errors = new Findings({ schema, object, at: root }, counts, ignored);
  visit(schema, object, root, errors);
  return errors.all;
}

/** Collects findings, up to the limit. */
class Findings {
  public readonly all: Finding[] = [];

  public constructor(
    /** Whole value that is validated. */
    public readonly origin: { readonly schema: Schema; readonly object: unknown; readonly at: Path },
    private readonly counts: (error: Finding) => boolean,
    private readonly ignored: ReadonlySet<string>,
  ) {}

  public checks(rule: RuleId): boolean {
    return !this.isFull && !this.ignored.has(rule);
  }

  public get isFull(): boolean {
    return this.all.length > MOST_SCHEMA_ERRORS;
  }

  public push(error: Finding): void {
    if (this.isFull || !this.counts(error)) return;
    this.all.push(this.all.length < MOST_SCHEMA_ERRORS ? error : schemaMore(error.path));
  }
}

/** Returns the finding at which validation stopped. */
export const schemaMore = (path: Path): Finding => ({
  rule: 'schema-more',
  path,
  cause: `the object has more than ${MOST_SCHEMA_ERRORS} mistakes; the rest was not validated`,
  remedy: 'correct these mistakes first',
});

/** Validates a part of an object: `validateDefinition('kubevirt.io/v1', 'VirtualMachineInstanceSpec', spec, root.at('spec'))`. */
export function validateDefinition(apiVersion: string, definition: string, value: unknown, at: Path): Finding[] {
  const schema = rootOf(apiVersion, definition);
  if (!schema) throw new Error(`api/schema has no ${apiVersion} ${definition}`);
  const errors = new Findings({ schema, object: value, at }, () => true, new Set());
  visit(schema, value, at, errors);
  return errors.all;
}

/** Validates an object by a schema that is not in `api/schema`. */
export function validateWith(schema: Schema, object: object): Finding[] {
  const errors = new Findings({ schema, object, at: root }, () => true, new Set());
  visit(schema, object, root, errors);
  return errors.all;
}

/** Returns a copy without null fields, which mean absence; the value itself when it has none. Items of lists stay. */
export function withoutNulls<T>(value: T): T {
  return hasNulls(value) ? copyWithoutNulls(value) : value;
}

/** Whether the value contains a field that is null. */
function hasNulls(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (hasNulls(item)) return true;
    return false;
  }
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === null || inner === undefined || hasNulls(inner)) return true;
  }
  return false;
}

function copyWithoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyWithoutNulls) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, copyWithoutNulls(inner)])) as T;
}

/** Name of the file that describes all served versions of a group: `kubevirt.io/v1alpha3` by that of v1. */
function rootOf(apiVersion: string, name: string): Schema | undefined {
  if (!Object.hasOwn(describedBy, apiVersion)) return undefined;
  const definitions = definitionsOf(describedBy[apiVersion]);
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

function visit(schema: Schema, value: unknown, at: Path, errors: Findings): void {
  if (errors.isFull) return;
  if (value === null && schema.nullable) return;
  // also where a CRD keeps unknown fields: the webhook rejects them in every object that it has a type for
  if (schema.$ref) return visit(targetOf(schema.$ref), value, at, errors);
  if (schema['x-kubernetes-int-or-string']) return visitIntOrString(schema, value, at, errors);
  if (!schema.type) return;
  if (!hasType(value, schema.type)) {
    errors.push({
      rule: 'schema-type',
      path: at,
      value: value,
      cause: `must be of type ${schema.type}, not ${typeName(value)}`,
      remedy: remedyForType(schema, value, at.parts[at.parts.length - 1], resolved),
    });
    return;
  }
  if (!visitLimits(schema, value, at, errors)) return;
  if (schema.type === 'array' && schema.items) {
    const items = schema.items;
    (value as unknown[]).forEach((item, i) => visit(items, item, at.at(i), errors));
  } else if (schema.type === 'object') {
    visitObject(schema, value as Record<string, unknown>, at, errors);
  }
}

function visitObject(schema: Schema, value: Record<string, unknown>, at: Path, errors: Findings): void {
  for (const field of (errors.checks('schema-required') && schema.required) || []) {
    if (value[field] === undefined || value[field] === null) {
      errors.push({
        rule: 'schema-required',
        type: 'FieldValueRequired',
        path: at.at(field),
        cause: `Required value: ${field} is missing`,
        remedy: `add ${field}`,
      });
    }
  }
  const known = schema.properties;
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const others = schema.additionalProperties;
    const own = known && Object.hasOwn(known, field) ? known[field] : typeof others === 'object' ? others : undefined;
    if (!own) {
      if (others === false && errors.checks('schema-unknown-field'))
        errors.push(unknownField(field, inner, Object.keys(known ?? {}), at, errors));
    } else if (inner !== null) {
      // null means absence, as for the API server
      visit(own, inner, at.at(field), errors);
    }
  }
}

function unknownField(field: string, value: unknown, known: string[], at: Path, { origin }: Findings): Finding {
  const { schema, object, at: from } = origin;
  const parts = at.parts.slice(from.parts.length);
  const others = (fields: readonly string[]): string[] => kindsWith(fields, object);
  return {
    rule: 'schema-unknown-field',
    type: 'FieldValueForbidden',
    path: at.at(field),
    value: field,
    allowed: known,
    cause: `unknown field "${field}"`,
    remedy: remedyForUnknown(field, value, wayTo(parts, schema, object), resolved, others),
  };
}

/** Follows the `$ref` of a schema. */
const resolved = (schema: Schema): Schema => (schema.$ref ? resolved(targetOf(schema.$ref)) : schema);

/** Returns the schemas and values on the way to a part of the object. */
function wayTo(parts: readonly (string | number)[], schema: Schema, object: unknown): Step[] {
  const way: Step[] = [{ schema: resolved(schema), value: object }];
  for (const part of parts) {
    const { schema: parent, value } = way[way.length - 1];
    const others = typeof parent.additionalProperties === 'object' ? parent.additionalProperties : undefined;
    const inner =
      typeof part === 'number'
        ? parent.items
        : parent.properties && Object.hasOwn(parent.properties, part)
          ? parent.properties[part]
          : others;
    way.push({ schema: inner ? resolved(inner) : {}, value: (value as Record<string | number, unknown>)[part], part });
  }
  return way;
}

/** Returns the kinds of the object's group whose spec has all of these fields. */
function kindsWith(fields: readonly string[], object: unknown): string[] {
  const { apiVersion, kind } = object as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (typeof apiVersion !== 'string' || !Object.hasOwn(describedBy, apiVersion)) return [];
  return Object.entries(definitionsOf(describedBy[apiVersion])).flatMap(([name, schema]) => {
    const spec = name !== kind && Object.hasOwn(kinds, name) ? schema.properties?.spec : undefined;
    const known = spec && resolved(spec).properties;
    return known && fields.every((field) => Object.hasOwn(known, field)) ? [name] : [];
  });
}

function visitIntOrString(schema: Schema, value: unknown, at: Path, errors: Findings): void {
  const fits = typeof value === 'string' || Number.isInteger(value);
  if (fits && !(schema.pattern && typeof value === 'string' && !matches(schema.pattern, value))) return;
  const quantity = schema.pattern !== undefined;
  errors.push({
    rule: quantity ? 'schema-quantity' : 'schema-type',
    path: at,
    value: value,
    cause: quantity ? `${show(value)} is not a quantity` : `must be an integer or a string, not ${typeName(value)}`,
    remedy: quantity ? `write ${quantityHint}` : 'write a number or a name',
  });
}

/** Keywords that most schemas lack. */
const LIMITS = ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const;
const unlimited = new WeakMap<Schema, boolean>();

function isUnlimited(schema: Schema): boolean {
  let is = unlimited.get(schema);
  if (is === undefined) unlimited.set(schema, (is = LIMITS.every((keyword) => !(keyword in schema))));
  return is;
}

/** Whether to validate the content of the value: not for a list that is too long. */
function visitLimits(schema: Schema, value: unknown, at: Path, errors: Findings): boolean {
  if (isUnlimited(schema)) return true;
  if (schema.enum && !schema.enum.includes(value as string)) {
    const near = typeof value === 'string' ? closest(value, schema.enum) : undefined;
    errors.push(
      limit(
        at,
        value,
        `Unsupported value: ${show(value)}`,
        near ? `did you mean "${near}"?` : 'use one of the allowed values',
        {
          rule: 'schema-enum',
          type: 'FieldValueNotSupported',
          allowed: schema.enum,
        },
      ),
    );
  }
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) {
      errors.push(
        limit(at, value, `must be at least ${schema.minimum}, not ${value}`, `use ${schema.minimum} or more`),
      );
    }
    if (schema.maximum !== undefined && value > schema.maximum) {
      errors.push(limit(at, value, `must be at most ${schema.maximum}, not ${value}`, `use ${schema.maximum} or less`));
    }
  }
  if (typeof value === 'string') {
    if (schema.minLength !== undefined && !hasCharacters(value, schema.minLength)) {
      errors.push(limit(at, value, 'must not be empty', 'write a value'));
    }
    if (schema.maxLength !== undefined && hasCharacters(value, schema.maxLength + 1)) {
      errors.push(
        limit(at, value, `is longer than ${schema.maxLength} characters`, 'shorten the text', {
          type: 'FieldValueTooLong',
        }),
      );
    }
    if (schema.pattern && !matches(schema.pattern, value))
      errors.push(limit(at, value, `must match ${schema.pattern}`, 'correct the text'));
  }
  if (Array.isArray(value) && schema.minItems !== undefined && value.length < schema.minItems) {
    errors.push(limit(at, value, `must have at least ${schema.minItems} items, not ${value.length}`, 'add items'));
  }
  if (!Array.isArray(value) || schema.maxItems === undefined || value.length <= schema.maxItems) return true;
  errors.push(
    limit(at, value, `must have at most ${schema.maxItems} items, not ${value.length}`, 'remove items', {
      rule: 'schema-items',
      type: 'FieldValueTooLong',
      value: value.length,
    }),
  );
  return false;
}

const limit = (path: Path, got: unknown, message: string, remedy: string, more: Partial<Finding> = {}): Finding => ({
  rule: 'schema-limit',
  path,
  value: got,
  cause: message,
  remedy,
  ...more,
});

/** Whether the text has at least this many characters, instead of UTF-16 units. Counts no further than necessary. */
export function hasCharacters(text: string, least: number): boolean {
  if (text.length < least) return false;
  if (text.length >= 2 * least) return true;
  return [...text].length >= least;
}

const patterns = new Map<string, RegExp>();
function matches(pattern: string, value: string): boolean {
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, compiled);
  return compiled.test(value);
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
