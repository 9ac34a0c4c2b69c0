/**
 * Validates values against an `openAPIV3Schema`, in the order and with the messages of Kubernetes. On updates, an invalid
 * value that equals the stored one is accepted (ratcheting), so that stricter schemas do not lock objects.
 */
import {
  Cause,
  goNumber,
  goQuote,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from '../../schema/cause';
import { correlate, correlateItem, Correlated } from './correlate';
import { formatCheck } from '../../schema/formats';
import { JsonSchema } from '../../schema/json-schema';
import { pattern } from '../../schema/pattern';
import { deepEqual, isMap, type Json } from '../../json/values';

/** Mistakes and number of matches: the alternative with the most matches explains the mistake best. */
interface Result {
  causes: Cause[];
  matched: number;
}

/** Validates a whole object, or the part of it that is at `prefix`. */
export function validateValue(value: unknown, schema: JsonSchema, old: Correlated, prefix = ''): Cause[] {
  const { causes } = ratchet(value, schema, '', old);
  if (prefix === '') return causes;
  return causes.map((c) => (c.field === NO_FIELD ? { ...c, field: prefix } : { ...c, field: join(prefix, c.field) }));
}

/** Path that Kubernetes prints for a mistake without a path. */
const NO_FIELD = '<nil>';

const join = (prefix: string, path: string): string => (path === '' ? prefix : `${prefix}.${path}`);

/** Accepts mistakes in unchanged values. */
function ratchet(value: unknown, schema: JsonSchema, path: string, old: Correlated): Result {
  const result = validate(value, schema, path, old);
  if (old && result.causes.length > 0 && deepEqual(value, old.value)) return { causes: [], matched: 0 };
  return result;
}

function validate(value: unknown, schema: JsonSchema, path: string, old: Correlated): Result {
  const result: Result = { causes: [], matched: 0 };
  const types = typesOf(schema);
  const format = formatOf(schema, types);
  if (value === null || value === undefined) {
    if (types.length > 0 && !schema.nullable) add(result, wrongType(path, types.join(','), 'null'));
    else result.matched++;
    checkEnum(null, schema, path, result);
    return result;
  }
  if (types.length > 0 || format !== '') {
    checkType(value, types, format, path, result);
    result.matched++;
  }
  merge(result, validateAlternatives(value, schema, path, old));
  result.matched++;
  if (typeof value === 'string') {
    checkString(value, schema, path, result);
    result.matched++;
    const check = formatCheck(format);
    if (check) {
      if (!check(value)) add(result, wrongType(path, format, value));
      result.matched++;
    }
  }
  if (typeof value === 'number') {
    checkNumber(value, schema, types, format, path, result);
    result.matched += 2;
  }
  if (Array.isArray(value)) {
    checkItems(value, schema, path, old, result);
    result.matched += 2;
  }
  checkEnum(value, schema, path, result);
  result.matched++;
  if (isMap(value)) {
    checkProperties(value, schema, path, old, result);
    result.matched++;
  }
  result.matched++;
  return result;
}

function add(result: Result, cause: Cause): void {
  if (!result.causes.some((c) => c.message === cause.message && c.field === cause.field)) result.causes.push(cause);
}

function merge(result: Result, other: Result): void {
  for (const cause of other.causes) add(result, cause);
  result.matched += other.matched;
}

const typesOf = (schema: JsonSchema): string[] =>
  schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];

/** The format, when it means something for the type. */
function formatOf({ format = '' }: JsonSchema, types: readonly string[]): string {
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string') return formatCheck(format) ? format : '';
  if (type === 'integer') return ['int32', 'int64'].includes(format) ? format : '';
  if (type === 'number') return ['float', 'double'].includes(format) ? format : '';
  return '';
}

/** `spec.x` from `.spec.x`: where a mistake is. */
const fieldOf = (path: string): string => path.replace(/^\./, '') || NO_FIELD;

const wrongType = (path: string, type: string, got: string): Cause =>
  typeInvalid(fieldOf(path), got, `${path} in body must be of type ${type}: ${goQuote(got)}`);

/** First integer that Go's int64 cannot contain. */
const INT64_END = 2 ** 63;

/** JSON type and Go's width of it. Times in nanoseconds are integers, although numbers of JavaScript round them. */
function kindOf(value: unknown): readonly [type: string, format: string] {
  if (typeof value === 'number') {
    const fits = value >= -INT64_END && value < INT64_END;
    return Number.isInteger(value) && fits ? ['integer', 'int64'] : ['number', 'float64'];
  }
  if (Array.isArray(value)) return ['array', ''];
  return [isMap(value) ? 'object' : typeof value, ''];
}

function checkType(value: unknown, types: readonly string[], format: string, path: string, result: Result): void {
  const [type, width] = kindOf(value);
  const numeric = types.includes('number') || types.includes('integer');
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
  const text = typeof value === 'string' || Array.isArray(value);
  if (!text && format !== '' && !fits && width !== format) return add(result, wrongType(path, format, width));
  if (!numeric && format !== '' && text) return void result.matched++;
  if (!fits) return add(result, wrongType(path, types.join(','), type));
  result.matched++;
}

function checkEnum(value: unknown, schema: JsonSchema, path: string, result: Result): void {
  const allowed = schema.enum ?? [];
  if (allowed.length === 0 || allowed.some((v) => v !== null && deepEqual(v, value))) return;
  const names = allowed.map((v) => (typeof v === 'string' ? v : JSON.stringify(v)));
  add(result, notSupported(fieldOf(path), value, names));
}

function checkString(value: string, schema: JsonSchema, path: string, result: Result): void {
  const { maxLength, minLength, pattern: wanted } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength) return add(result, tooLong(fieldOf(path), maxLength));
  const fail = (text: string) => add(result, invalid(fieldOf(path), value, `${path} in body should ${text}`));
  if (minLength !== undefined && length < minLength) return fail(`be at least ${minLength} chars long`);
  if (!wanted) return;
  try {
    if (!pattern(wanted).test(value)) fail(`match '${wanted}'`);
  } catch (error) {
    fail(`match '${wanted}, but pattern is invalid: ${(error as Error).message}'`);
  }
}

function checkNumber(
  value: number,
  schema: JsonSchema,
  types: readonly string[],
  format: string,
  path: string,
  result: Result,
): void {
  const integer = types.length === 1 && types[0] === 'integer';
  const fail = (text: string) => add(result, invalid(fieldOf(path), value, `${path} in body should ${text}`));
  const outOfRange = integer && (!Number.isInteger(value) || (format === 'int32' && (value | 0) !== value));
  if (outOfRange) {
    const what = format === '' ? '(default format)' : `with format ${format}`;
    add(result, invalid(NO_FIELD, '', `Checked value must be of type integer ${what} in ${path}`));
  }
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = schema;
  // limits are doubles there, but compared as integers with integers
  const limit = (n: number) => (Number.isInteger(value) ? Math.trunc(n) : n);
  if (multipleOf !== undefined) {
    const factor = limit(multipleOf);
    const ratio = factor < 1 ? (1 / factor) * value : value / factor;
    // as in Kubernetes: 0.5 is not a factor of an integer
    if (factor <= 0)
      add(result, invalid(fieldOf(path), factor, `factor MultipleOf declared for ${path} must be positive: ${factor}`));
    else if (!Number.isInteger(ratio)) fail(`be a multiple of ${goNumber(factor)}`);
  }
  if (minimum !== undefined) {
    const min = limit(minimum);
    if (exclusiveMinimum ? value <= min : value < min)
      fail(`be greater than ${exclusiveMinimum ? '' : 'or equal to '}${goNumber(min)}`);
  }
  if (maximum !== undefined) {
    const max = limit(maximum);
    if (exclusiveMaximum ? value >= max : value > max)
      fail(`be less than ${exclusiveMaximum ? '' : 'or equal to '}${goNumber(max)}`);
  }
}

function checkItems(value: unknown[], schema: JsonSchema, path: string, old: Correlated, result: Result): void {
  const { items, minItems, maxItems, uniqueItems } = schema;
  if (items)
    value.forEach((item, i) => merge(result, ratchet(item, items, `${path}[${i}]`, correlateItem(old, item, schema))));
  if (minItems !== undefined && value.length < minItems)
    add(result, invalid(fieldOf(path), value.length, `${path} in body should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) add(result, tooMany(fieldOf(path), value.length, maxItems));
  if (uniqueItems && value.some((v, i) => value.slice(0, i).some((w) => deepEqual(v, w))))
    add(result, invalid(fieldOf(path), '', `${path} in body shouldn't contain duplicates`));
}

function checkProperties(value: Json, schema: JsonSchema, path: string, old: Correlated, result: Result): void {
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties)
    add(result, invalid(fieldOf(path), count, `${path} in body should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && count > maxProperties) add(result, tooMany(fieldOf(path), count, maxProperties));
  // mistakes in apiVersion and kind of the root are never accepted
  const child = (key: string) =>
    path === '' && (key === 'apiVersion' || key === 'kind') ? undefined : correlate(old, key);
  for (const [key, v] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) continue;
    if (additionalProperties === false)
      add(result, invalid(fieldOf(path), key, `${path}.${key} in body is a forbidden property`));
    else if (typeof additionalProperties === 'object')
      merge(result, ratchet(v, additionalProperties, `${path}.${key}`, child(key)));
  }
  for (const [key, property] of Object.entries(properties))
    if (Object.hasOwn(value, key))
      merge(result, ratchet(value[key], property, path === '' ? key : `${path}.${key}`, child(key)));
  for (const key of schema.required ?? [])
    if (!Object.hasOwn(value, key)) add(result, required(fieldOf(`${path}.${key}`)));
}

/** `anyOf`, `oneOf`, `allOf`, `not`. */
function validateAlternatives(value: unknown, schema: JsonSchema, path: string, old: Correlated): Result {
  const result: Result = { causes: [], matched: 1 };
  const fail = (text: string) => add(result, invalid(NO_FIELD, '', `${goQuote(path)} must ${text}`));
  if (schema.anyOf?.length) {
    const { best, valid, firstValid } = tryAll(value, schema.anyOf, path, old, true);
    if (valid === 0) fail('validate at least one schema (anyOf)');
    merge(result, firstValid ?? best ?? { causes: [], matched: 0 });
  }
  if (schema.oneOf?.length) {
    const { best, valid, firstValid } = tryAll(value, schema.oneOf, path, old, false);
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      fail(`validate one and only one schema (oneOf). ${found}`);
      if (valid === 0 && best) merge(result, best);
    } else if (firstValid) merge(result, firstValid);
  }
  if (schema.allOf?.length) {
    let valid = 0;
    for (const part of schema.allOf) {
      const one = validate(value, part, path, old);
      if (one.causes.length === 0) valid++;
      merge(result, one);
    }
    if (valid !== schema.allOf.length) fail(`validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  }
  if (schema.not && validate(value, schema.not, path, old).causes.length === 0) fail('not validate the schema (not)');
  return result;
}

function tryAll(
  value: unknown,
  schemas: readonly JsonSchema[],
  path: string,
  old: Correlated,
  firstIsEnough: boolean,
): { best?: Result; firstValid?: Result; valid: number } {
  let best: Result | undefined;
  let firstValid: Result | undefined;
  let valid = 0;
  for (const schema of schemas) {
    const one = validate(value, schema, path, old);
    if (one.causes.length === 0) {
      valid++;
      firstValid ??= one;
      if (firstIsEnough) break;
    } else if (!best || one.matched > best.matched) best = one;
  }
  return { best, firstValid, valid };
}
