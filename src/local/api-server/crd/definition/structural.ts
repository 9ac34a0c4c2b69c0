/** Rules on a CRD's schema: it must be structural, so that pruning, defaulting and apply know every field. */
import { Cause, forbidden, invalid, required } from '../../schema/cause';
import { JsonSchema } from '../../schema/json-schema';
import { pattern } from '../../schema/pattern';
import { deepEqual, own } from '../../json/values';

const NO_TYPE = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
} as const;

type Level = keyof typeof NO_TYPE;

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Validates that the schema at `path` is structural. */
export function validateStructural(schema: JsonSchema, path: string): Cause[] {
  const causes = [...invariants(schema, 'root', path), ...complete(schema, schema, path, path)];
  return causes.sort((a, b) => (`${a.field}: ${a.message}` < `${b.field}: ${b.message}` ? -1 : 1));
}

function invariants(s: JsonSchema, level: Level, path: string): Cause[] {
  const causes: Cause[] = [];
  if (s.type === 'array' && !s.items) causes.push(required(`${path}.items`, 'must be specified'));
  if (s.items) causes.push(...invariants(s.items, 'item', `${path}.items`));
  for (const [name, property] of Object.entries(s.properties ?? {}))
    causes.push(...invariants(property, 'field', `${path}.properties[${name}]`));
  if (s.additionalProperties !== undefined) {
    if (level === 'root') causes.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
    if (typeof s.additionalProperties === 'object')
      causes.push(...invariants(s.additionalProperties, 'field', `${path}.additionalProperties`));
  }
  causes.push(
    ...extensions(s, path),
    ...valueRules(s, path, isIntOrString(s.anyOf), isIntOrString(s.allOf?.[0]?.anyOf)),
  );
  causes.push(...typeRules(s, level, path), ...metaRules(s, level, path));
  return causes;
}

function extensions(s: JsonSchema, path: string): Cause[] {
  if (!s['x-kubernetes-int-or-string']) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((name) => s[name])
    .map((name) => invalid(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

function typeRules(s: JsonSchema, level: Level, path: string): Cause[] {
  const causes: Cause[] = [];
  const { type = '' } = s;
  const embedded = s['x-kubernetes-embedded-resource'] === true;
  const preserves = s['x-kubernetes-preserve-unknown-fields'] === true;
  const mustBeObject = 'must be object if x-kubernetes-embedded-resource is true';
  if (embedded && type !== 'object')
    causes.push(type === '' ? required(`${path}.type`, mustBeObject) : invalid(`${path}.type`, type, mustBeObject));
  else if (type === '' && !s['x-kubernetes-int-or-string'] && !preserves)
    causes.push(required(`${path}.type`, NO_TYPE[level]));
  if (embedded && s.additionalProperties !== undefined)
    causes.push(forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'));
  if (level === 'root' && type !== '' && type !== 'object')
    causes.push(invalid(`${path}.type`, type, 'must be object at the root'));
  if (embedded && !preserves && Object.keys(s.properties ?? {}).length === 0)
    causes.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  return causes;
}

/** apiVersion, kind and metadata are Kubernetes' own. */
function metaRules({ properties = {}, ...s }: JsonSchema, level: Level, path: string): Cause[] {
  const causes: Cause[] = [];
  const isObject = level === 'root' || s['x-kubernetes-embedded-resource'] === true;
  for (const name of ['kind', 'apiVersion'])
    if (isObject && properties[name] && properties[name].type !== 'string')
      causes.push(invalid(`${path}.properties[${name}].type`, properties[name].type ?? '', 'must be string'));
  const { metadata } = properties;
  if (!metadata) return causes;
  const at = `${path}.properties[metadata]`;
  if (isObject && metadata.type !== 'object') causes.push(invalid(`${at}.type`, metadata.type ?? '', 'must be object'));
  if (level !== 'root') return causes;
  const { type: _t, default: _d, properties: fields = {}, ...rest } = metadata;
  const others = Object.keys(fields).filter((name) => name !== 'name' && name !== 'generateName');
  if (others.length > 0 || Object.keys(rest).length > 0)
    causes.push(
      forbidden(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified'),
    );
  return causes;
}

const isIntOrString = (anyOf: JsonSchema[] | undefined): boolean => deepEqual(anyOf, INT_OR_STRING);

function valueRules(s: JsonSchema, path: string, skipAnyOf: boolean, skipFirstAllOf: boolean): Cause[] {
  const nested = (list: JsonSchema[] | undefined, name: string) =>
    (list ?? []).flatMap((part, i) =>
      nestedRules(part, `${path}.${name}[${i}]`, name === 'allOf' && i === 0 && skipFirstAllOf),
    );
  return [
    ...(skipAnyOf ? [] : nested(s.anyOf, 'anyOf')),
    ...nested(s.allOf, 'allOf'),
    ...nested(s.oneOf, 'oneOf'),
    ...(s.not ? nestedRules(s.not, `${path}.not`, false) : []),
    ...patternRule(s.pattern, path),
  ];
}

function patternRule(text: string | undefined, path: string): Cause[] {
  if (!text) return [];
  try {
    pattern(text);
    return [];
  } catch (error) {
    const why = `must be a valid regular expression, but isn't: ${(error as Error).message}`;
    return [invalid(`${path}.pattern`, text, why)];
  }
}

/** Keywords that are forbidden inside anyOf, allOf, oneOf and not, because they shape the value. */
const SHAPING: readonly (readonly [keyof JsonSchema & string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedRules(s: JsonSchema, path: string, skipAnyOf: boolean): Cause[] {
  const causes = valueRules(s, path, skipAnyOf, false);
  if (s.items) causes.push(...nestedRules(s.items, `${path}.items`, false));
  for (const [name, property] of Object.entries(s.properties ?? {}))
    causes.push(...nestedRules(property, `${path}.properties[${name}]`, false));
  for (const [name, why] of SHAPING) {
    const value = s[name];
    if (value !== undefined && value !== false && value !== '') causes.push(forbidden(`${path}.${name}`, why));
  }
  if (s.properties?.metadata)
    causes.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  return causes;
}

/** Requires fields of alternatives to be declared outside of them. */
function complete(value: JsonSchema, s: JsonSchema | undefined, sPath: string, vPath: string): Cause[] {
  if (!s) return [required(sPath, `because it is defined in ${vPath}`)];
  const parts: [JsonSchema, string][] = [
    ...(value.not ? ([[value.not, `${vPath}.not`]] as [JsonSchema, string][]) : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (value[name] ?? []).map((part, i): [JsonSchema, string] => [part, `${vPath}.${name}[${i}]`]),
    ),
  ];
  return parts.flatMap(([part, path]) => completeNested(part, s, sPath, path));
}

function completeNested(value: JsonSchema, s: JsonSchema | undefined, sPath: string, vPath: string): Cause[] {
  const causes = complete(value, s, sPath, vPath);
  if (!s) return causes;
  if (value.items) causes.push(...completeNested(value.items, s.items, `${sPath}.items`, `${vPath}.items`));
  for (const [name, part] of Object.entries(value.properties ?? {}))
    causes.push(
      ...completeNested(part, own(s.properties, name), `${sPath}.properties[${name}]`, `${vPath}.properties[${name}]`),
    );
  return causes;
}
