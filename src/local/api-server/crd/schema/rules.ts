import { Cause, duplicate, forbidden, goValue, invalid, required } from '../../schema/cause';
import { CostLimitError, Evaluation, goMessage, Optional, PER_CALL_LIMIT, programOf, toCel } from '../../schema/cel';
import { correlate, correlateItem, Correlated } from './correlate';
import { JsonSchema, ValidationRule } from '../../schema/json-schema';
import { deepEqual, isMap, own as ownValue } from '../../json/values';

/** Maximum cost of all rules of one request, as in Kubernetes: about a second. */
const BUDGET = 10_000_000;

/** Findings of the rules, and what they may still cost. Negative: no further rule is run. */
interface Run {
  readonly causes: Cause[];
  budget: number;
}

/** The rules of a schema and of what lies below it. */
type Check = (value: unknown, path: string, place: StoredValue, run: Run) => void;

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
    const run: Run = { causes: [], budget: BUDGET };
    const place: StoredValue =
      old === undefined
        ? { old: undefined, unchanged: false }
        : { old: { value: old }, unchanged: deepEqual(obj, old) };
    check(obj, '', place, run);
    return run.causes;
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
      const type = ownValue(node.properties, key);
      const check = type && compileNode(part, type);
      return check ? [[key, check] as const] : [];
    }),
  );
  if (own.length + all.length + properties.size === 0 && !items && !rest) return undefined;

  return (value, path, place, run) => {
    if (value === null || value === undefined || run.budget < 0) return;
    for (const check of own) check(value, path, place, run);
    for (const check of all) check(value, path, { ...place, unchanged: false }, run);
    if (Array.isArray(value)) {
      if (items)
        value.forEach((v, i) => items(v, `${path}[${i}]`, below(place, v, correlateItem(place.old, v, node)), run));
    } else if (isMap(value)) {
      for (const [key, v] of Object.entries(value)) {
        if (run.budget < 0) return;
        const property = properties.get(key);
        const at = below(place, v, correlate(place.old, key));
        if (property) property(v, path === '' ? key : `${path}.${key}`, at, run);
        else if (rest && !ownValue(node.properties, key)) rest(v, `${path}[${key}]`, at, run);
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
  return (value, path, { old, unchanged }, run) => {
    if (run.budget < 0 || (usesOld && (!old || old.value === null) && !rule.optionalOldSelf)) return;
    const at = path === '' ? '<nil>' : path;
    const fail = (detail: string) => void run.causes.push(invalid(at, node.type ?? '', detail));
    const stop = (detail: string) => {
      run.budget = -1;
      fail(detail);
    };
    if (run.budget === 0) return stop(OUT_OF_BUDGET);
    const oldSelf = old && old.value !== null ? toCel(old.value, node) : undefined;
    const vars = {
      self: toCel(value, node),
      oldSelf: rule.optionalOldSelf ? (oldSelf === undefined ? Optional.none() : Optional.of(oldSelf)) : oldSelf,
    };
    const result = evaluate(rule.rule, vars);
    if (result.cost > run.budget) return stop(OUT_OF_BUDGET);
    run.budget -= result.cost;
    if (result.error instanceof CostLimitError)
      return stop(
        `'${result.error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
      );
    if (result.error) return fail(errorDetail(goMessage(result.error), text));
    if (result.value === true || (!usesOld && unchanged)) return;
    const detail = messageOf(rule, vars, run) ?? (rule.message ? rule.message.trim() : `failed rule: ${text}`);
    if (run.budget < 0) return stop(`messageExpression evaluation failed due to running out of cost budget`);
    const field = `${path}${rule.fieldPath ?? ''}`.replace(/^\./, '') || '<nil>';
    run.causes.push(causeFor(rule.reason, field, value, detail, node));
  };
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

const errorDetail = (message: string, rule: string): string =>
  message.startsWith('no such overload')
    ? `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
    : `${message} evaluating rule: ${rule}`;

/** Evaluates an expression. One that does not parse, which an old definition may have, is an error of its evaluation. */
function evaluate(expression: string, vars: Record<string, unknown>, limit = PER_CALL_LIMIT): Evaluation {
  try {
    return programOf(expression).evaluate(vars, limit);
  } catch (error) {
    return { error: error as Error, cost: 0 };
  }
}

function messageOf(rule: ValidationRule, vars: Record<string, unknown>, run: Run): string | undefined {
  if (!rule.messageExpression) return undefined;
  const { value, error, cost } = evaluate(rule.messageExpression, vars);
  run.budget -= cost;
  if (error) return undefined; // the rule's own message is used instead
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.includes('\n') || text.length > 5 * 1024 ? undefined : text;
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
