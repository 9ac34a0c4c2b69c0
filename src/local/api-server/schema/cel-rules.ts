import { Cause, duplicate, forbidden, goValue, invalid, required } from './cause';
import { compileCel, Optional } from './cel';
import { toCel } from './cel/values';
import { correlate, correlateItem, Correlated } from './correlate';
import { JsonSchema, ValidationRule } from './json-schema';
import { deepEqual, isMap } from './values';

/** The rules of a schema and of what lies below it. */
type Check = (value: unknown, path: string, place: StoredValue, causes: Cause[]) => void;

/** Stored counterpart of a value. */
interface StoredValue {
  /** Value of `oldSelf`. */
  readonly old: Correlated;
  /** Whether this value, or its nearest stored parent, is unchanged. Mistakes in unchanged values are accepted. */
  readonly unchanged: boolean;
}

/** Compiles `x-kubernetes-validations`; undefined when there are none. */
export function compileRules(schema: JsonSchema): ((obj: unknown, old?: unknown) => Cause[]) | undefined {
  const check = compileNode(schema, schema);
  if (!check) return undefined;
  return (obj, old) => {
    const causes: Cause[] = [];
    const place: StoredValue =
      old === undefined
        ? { old: undefined, unchanged: false }
        : { old: { value: old }, unchanged: deepEqual(obj, old) };
    check(obj, '', place, causes);
    return causes;
  };
}

/** `rules` has the schema with the rules, `node` the schema of the values; they differ inside `allOf`. */
function compileNode(rules: JsonSchema, node: JsonSchema): Check | undefined {
  const own = (rules['x-kubernetes-validations'] ?? []).map((rule) => compileRule(rule, node));
  const all = (rules.allOf ?? []).flatMap((part) => compileNode(part, node) ?? []);
  const items = rules.items && node.items ? compileNode(rules.items, node.items) : undefined;
  const rest =
    typeof rules.additionalProperties === 'object' && typeof node.additionalProperties === 'object'
      ? compileNode(rules.additionalProperties, node.additionalProperties)
      : undefined;
  const properties = new Map(
    Object.entries(rules.properties ?? {}).flatMap(([key, part]) => {
      const type = node.properties?.[key];
      const check = type && compileNode(part, type);
      return check ? [[key, check] as const] : [];
    }),
  );
  if (own.length + all.length + properties.size === 0 && !items && !rest) return undefined;

  return (value, path, place, causes) => {
    if (value === null || value === undefined) return;
    for (const check of own) check(value, path, place, causes);
    for (const check of all) check(value, path, { ...place, unchanged: false }, causes);
    if (Array.isArray(value)) {
      if (items)
        value.forEach((v, i) => items(v, `${path}[${i}]`, below(place, v, correlateItem(place.old, v, node)), causes));
    } else if (isMap(value)) {
      for (const [key, v] of Object.entries(value)) {
        const property = properties.get(key);
        const at = below(place, v, correlate(place.old, key));
        if (property) property(v, path === '' ? key : `${path}.${key}`, at, causes);
        else if (rest && !node.properties?.[key]) rest(v, `${path}[${key}]`, at, causes);
      }
    }
  };
}

const below = (place: StoredValue, value: unknown, old: Correlated): StoredValue => ({
  old,
  unchanged: old ? deepEqual(value, old.value) : place.unchanged,
});

function compileRule(rule: ValidationRule, node: JsonSchema): Check {
  const usesOld = /\boldSelf\b/.test(rule.rule);
  const text = (rule.message || rule.rule).trim();
  return (value, path, { old, unchanged }, causes) => {
    if (usesOld && (!old || old.value === null) && !rule.optionalOldSelf) return;
    const at = path === '' ? '<nil>' : path;
    const oldSelf = old && old.value !== null ? toCel(old.value, node) : undefined;
    const vars = {
      self: toCel(value, node),
      oldSelf: rule.optionalOldSelf ? (oldSelf === undefined ? Optional.none() : Optional.of(oldSelf)) : oldSelf,
    };
    let passed: unknown;
    try {
      passed = compileCel(rule.rule)(vars);
    } catch (error) {
      causes.push(invalid(at, node.type ?? '', `${celMessage(error)} evaluating rule: ${text}`));
      return;
    }
    if (passed === true || (!usesOld && unchanged)) return;
    const detail = messageOf(rule, vars) ?? (rule.message ? rule.message.trim() : `failed rule: ${text}`);
    const field = `${path}${rule.fieldPath ?? ''}`.replace(/^\./, '') || '<nil>';
    causes.push(causeFor(rule.reason, field, value, detail, node));
  };
}

function messageOf(rule: ValidationRule, vars: Record<string, unknown>): string | undefined {
  if (!rule.messageExpression) return undefined;
  try {
    const message: unknown = compileCel(rule.messageExpression)(vars);
    const text = typeof message === 'string' ? message.trim() : '';
    return text === '' || text.includes('\n') || text.length > 5 * 1024 ? undefined : text;
  } catch {
    return undefined; // use the rule's own message instead
  }
}

function causeFor(
  reason: string | undefined,
  field: string,
  value: unknown,
  detail: string,
  { type }: JsonSchema,
): Cause {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return isComposite(type) ? { reason, message: 'Duplicate value', field } : duplicate(field, value);
    default: {
      const message = isComposite(type) ? `Invalid value: ${detail}` : `Invalid value: ${goValue(value)}: ${detail}`;
      return { reason: 'FieldValueInvalid', message, field };
    }
  }
}

/** Objects and lists are not repeated in messages. */
const isComposite = (type: string | undefined): boolean => type === 'object' || type === 'array';

/** First line of the library's message, in Kubernetes' wording. */
function celMessage(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n');
  const [, index] = /index out of bounds, index (-?\d+)/.exec(line) ?? [];
  if (index !== undefined) return `index out of bounds: ${index}`;
  if (line.startsWith('integer overflow')) return 'integer overflow';
  return line.charAt(0).toLowerCase() + line.slice(1);
}
