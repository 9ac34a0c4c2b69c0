/** Validates `x-kubernetes-validations` of a CRD's schema: texts, types and costs of its expressions. */
import { Cause, forbidden, invalid, notSupported, required } from '../../schema/cause';
import { checkCel } from '../../schema/cel';
import { typeOfJsonSchema } from '../../schema/cel/schema-types';
import { CelType, optionalOf, typeName } from '../../schema/cel/types';
import { JsonSchema, ValidationRule } from '../../schema/json-schema';
import { own } from '../../json/values';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Maximum estimated cost of an expression, and of all expressions of a schema. */
const RULE_LIMIT = 10_000_000;
const SCHEMA_LIMIT = 100_000_000;
/** Number of expressions that are named if the schema is too expensive, and the cost from which they are. */
const MOST_EXPENSIVE = 4;
const EXPENSIVE = SCHEMA_LIMIT / 100;

/** Validates the texts of a rule. */
export function ruleTexts(given: ValidationRule, schema: JsonSchema, at: string): Cause[] {
  const { rule = '', message = '', messageExpression, reason, fieldPath } = given;
  const causes: Cause[] = [];
  if (rule.trim() === '') causes.push(required(`${at}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '')
    causes.push(invalid(`${at}.message`, message, 'must be non-empty if specified'));
  else if (message.trim().includes('\n'))
    causes.push(invalid(`${at}.message`, message, 'must not contain line breaks'));
  else if (rule.trim().includes('\n') && message.trim() === '')
    causes.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
  if (messageExpression && messageExpression.trim() === '')
    causes.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !REASONS.includes(reason)) causes.push(notSupported(`${at}.reason`, reason, REASONS));
  if (fieldPath && fieldPath.trim() === '')
    causes.push(invalid(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified'));
  else if (fieldPath && !pathExists(fieldPath, schema))
    causes.push(invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path'));
  return causes;
}

/** Whether a path (`.a.b['c']`) leads to a property of the schema. Elements of lists have no path. */
function pathExists(path: string, schema: JsonSchema): boolean {
  const steps = [...path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)];
  if (steps.map(([text]) => text).join('') !== path) return false;
  let at: JsonSchema = schema;
  for (const [, field, key = ''] of steps) {
    const rest = at.additionalProperties;
    const name: string = field ?? key.replace(/\\(.)/g, '$1');
    const next: JsonSchema | undefined = own(at.properties, name) ?? (typeof rest === 'object' ? rest : undefined);
    if (!next) return false;
    at = next;
  }
  return true;
}

interface Place {
  /** Maximum number of values that the schema describes. */
  readonly count: number;
  /** Path of a list whose elements have no stored counterpart. */
  readonly uncorrelatable?: string;
}

/** Costs of all expressions, by path. */
interface Total {
  cost: number;
  readonly expensive: { readonly path: string; readonly cost: number }[];
}

/** Validates types and costs of all expressions of a valid schema. */
export function validateRules(schema: JsonSchema, path: string): Cause[] {
  const total: Total = { cost: 0, expensive: [] };
  const causes = walk(schema, path, { count: 1 }, total, true);
  if (total.cost <= SCHEMA_LIMIT) return causes;
  const named = total.expensive.sort((a, b) => b.cost - a.cost || 0).slice(0, MOST_EXPENSIVE);
  const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...causes,
    ...named.map((expression) => forbidden(expression.path, contributed)),
    forbidden(path, tooExpensive(what, total.cost, SCHEMA_LIMIT)),
  ];
}

function tooExpensive(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

function walk(schema: JsonSchema, path: string, place: Place, total: Total, root = false): Cause[] {
  const causes: Cause[] = [];
  const { additionalProperties: rest, items, maxItems = Infinity, maxProperties = Infinity } = schema;
  if (typeof rest === 'object') {
    const inside = { ...place, count: place.count * maxProperties };
    causes.push(...walk(rest, `${path}.additionalProperties`, inside, total));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    causes.push(...walk(property, `${path}.properties[${name}]`, place, total));
  if (items) {
    const found = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelatable = place.uncorrelatable ?? (found ? undefined : path);
    causes.push(...walk(items, `${path}.items`, { count: place.count * maxItems, uncorrelatable }, total));
  }
  const list = schema['x-kubernetes-validations'] ?? [];
  const self = list.length > 0 ? typeOfJsonSchema(schema, root) : undefined;
  if (!self) return causes;
  const own = list.flatMap((rule, i) =>
    validateRule(rule, self, `${path}.x-kubernetes-validations[${i}]`, place, total),
  );
  return [...own, ...causes];
}

function validateRule(given: ValidationRule, self: CelType, at: string, place: Place, total: Total): Cause[] {
  const { rule, messageExpression, optionalOldSelf } = given;
  const scope = new Map([
    ['self', self],
    ['oldSelf', optionalOldSelf ? optionalOf(self) : self],
  ]);
  const causes: Cause[] = [];
  const wrong = (field: string, why: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${ruleText(given)}: ${why}`,
    field: `${at}.${field}`,
  });
  const observe = (field: string, what: string, each: number) => {
    const cost = each * place.count;
    const path = `${at}.${field}`;
    if (cost > RULE_LIMIT) causes.push(forbidden(path, tooExpensive(`estimated ${what} cost`, cost, RULE_LIMIT)));
    total.cost += cost;
    if (cost >= EXPENSIVE) total.expensive.push({ path, cost });
  };
  const checked = checkCel(rule.trim(), scope);
  if ('error' in checked) causes.push(wrong('rule', checked.error));
  else if (typeName(checked.type) !== 'bool') causes.push(wrong('rule', 'cel expression must evaluate to a bool'));
  else observe('rule', 'rule', checked.cost);
  if (messageExpression && causes.length === 0) {
    const message = checkCel(messageExpression, scope);
    if ('error' in message) causes.push(wrong('messageExpression', `messageExpression ${message.error}`));
    else if (typeName(message.type) !== 'string')
      causes.push(wrong('messageExpression', 'messageExpression must evaluate to a string'));
    else observe('messageExpression', 'messageExpression', message.cost);
  }
  const usesOldSelf = /\boldSelf\b/.test(rule);
  const { uncorrelatable } = place;
  if (usesOldSelf && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    causes.push(invalid(`${at}.rule`, rule, why));
  }
  if (!usesOldSelf && optionalOldSelf !== undefined)
    causes.push(invalid(`${at}.optionalOldSelf`, optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
  return causes;
}

/** A rule as Go prints it. */
const ruleText = ({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): string =>
  JSON.stringify({
    Rule: rule,
    Message: message ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: fieldPath ?? '',
    OptionalOldSelf: optionalOldSelf ?? null,
  });
