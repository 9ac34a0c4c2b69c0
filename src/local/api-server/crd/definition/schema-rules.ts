/** Validates a CRD's schema apart from its structure: allowed keywords, list and map types, defaults, CEL rules. */
import { Cause, forbidden, invalid, notSupported, required } from '../../schema/cause';
import { ruleTexts, validateRules } from './expression-rules';
import { prune } from '../schema/prune';
import { validateValue } from '../schema/values';
import { JsonSchema } from '../../schema/json-schema';
import { clone, deepEqual, own } from '../../json/values';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META = ['metadata', 'kind', 'apiVersion'];
const UNSUPPORTED = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

interface Context {
  /** Reason why defaults are not allowed. */
  readonly noDefaults?: string;
  readonly inMeta: boolean;
  readonly root: boolean;
}

/** Validates a schema at `path`. */
export function validateSchemaRules(schema: JsonSchema, path: string): Cause[] {
  const causes = rules(schema, path, { inMeta: false, root: true });
  // expressions have types only if the schema is valid
  return causes.length > 0 ? causes : validateRules(schema, path);
}

function rules(s: JsonSchema, path: string, context: Context): Cause[] {
  const inside: Context = { ...context, root: false };
  const causes = [...supported(s, path, context)];
  if (s.additionalProperties !== undefined) {
    if (Object.keys(s.properties ?? {}).length > 0 && s.additionalProperties !== true)
      causes.push(
        forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
      );
    const noDefaults = context.inMeta ? 'inside additionalProperties applying to object metadata' : context.noDefaults;
    if (typeof s.additionalProperties === 'object')
      causes.push(...rules(s.additionalProperties, `${path}.additionalProperties`, { ...inside, noDefaults }));
  }
  for (const [name, property] of Object.entries(s.properties ?? {})) {
    const meta = (context.root || s['x-kubernetes-embedded-resource']) && META.includes(name);
    const noDefaults = meta && context.root ? `in top-level ${name}` : context.noDefaults;
    const at = `${path}.properties[${name}]`;
    causes.push(...rules(property, at, { ...inside, inMeta: context.inMeta || Boolean(meta), noDefaults }));
  }
  if (s.not) causes.push(...rules(s.not, `${path}.not`, inside));
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const)
    s[name]?.forEach((part, i) => causes.push(...rules(part, `${path}.${name}[${i}]`, inside)));
  if (s.items) causes.push(...rules(s.items, `${path}.items`, inside));
  causes.push(
    ...typeExtensions(s, path),
    ...listRules(s, path),
    ...(s['x-kubernetes-validations'] ?? []).flatMap((rule, n) =>
      ruleTexts(rule, s, `${path}.x-kubernetes-validations[${n}]`),
    ),
  );
  return causes;
}

function supported(s: JsonSchema, path: string, { noDefaults, inMeta }: Context): Cause[] {
  const causes: Cause[] = [];
  if (s.type && !TYPES.includes(s.type)) causes.push(notSupported(`${path}.type`, s.type, TYPES));
  if (s.default !== undefined && s.default !== null && noDefaults !== undefined)
    causes.push(forbidden(`${path}.default`, `must not be set ${noDefaults}`));
  for (const name of UNSUPPORTED)
    if (s[name] !== undefined && s[name] !== '') causes.push(forbidden(`${path}.${name}`, `${name} is not supported`));
  if (s.type === 'null')
    causes.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  if (inMeta && s['x-kubernetes-embedded-resource'])
    causes.push(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  if (s.uniqueItems)
    causes.push(
      forbidden(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  return causes;
}

/** Validates `x-kubernetes-preserve-unknown-fields`, `-map-type` and `-list-type`. */
function typeExtensions(s: JsonSchema, path: string): Cause[] {
  const causes: Cause[] = [];
  const requireType = (type: string, extension: string) => {
    const why = `must be ${type} if ${extension} is specified`;
    if (s.type !== type) causes.push(s.type ? invalid(`${path}.type`, s.type, why) : required(`${path}.type`, why));
  };
  const { 'x-kubernetes-map-type': mapType, 'x-kubernetes-list-type': listType } = s;
  if (s['x-kubernetes-preserve-unknown-fields'] === false)
    causes.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  if (mapType !== undefined) {
    requireType('object', 'x-kubernetes-map-type');
    if (!['atomic', 'granular'].includes(mapType))
      causes.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  if (listType !== undefined) {
    requireType('array', 'x-kubernetes-list-type');
    if (!['atomic', 'set', 'map'].includes(listType))
      causes.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
  }
  return causes;
}

/** Lists of type set and map. */
function listRules(s: JsonSchema, path: string): Cause[] {
  const { items, 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] } = s;
  const causes: Cause[] = [];
  const must = (what: string) => `must be atomic as item of a list with x-kubernetes-list-type=${what}`;
  if (type === 'set' && s.type === 'array' && items) {
    const itemList = items['x-kubernetes-list-type'];
    if (items.type === 'array' && itemList !== undefined && itemList !== 'atomic')
      causes.push(invalid(`${path}.items.x-kubernetes-list-type`, itemList, must('set')));
    if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
      causes.push(invalid(`${path}.items.x-kubernetes-map-type`, itemList ?? null, must('set')));
  }
  const mustBeMap = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (keys.length > 0 && type === undefined) causes.push(required(`${path}.x-kubernetes-list-type`, mustBeMap));
  else if (keys.length > 0 && type !== 'map') causes.push(invalid(`${path}.x-kubernetes-list-type`, type, mustBeMap));
  if (type === 'map') causes.push(...mapListRules(items, keys, path));
  if (items?.nullable && (type === 'set' || type === 'map'))
    causes.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${type}`));
  return causes;
}

function mapListRules(items: JsonSchema | undefined, keys: readonly string[], path: string): Cause[] {
  const causes: Cause[] = [];
  if (keys.length === 0)
    causes.push(required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'));
  if (!items) return [...causes, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  if (items.type !== 'object')
    return [
      ...causes,
      invalid(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"),
    ];
  const seen = new Set<string>();
  for (const key of keys) {
    const property = own(items.properties, key);
    const at = `${path}.items.properties[${key}]`;
    if (!property)
      causes.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object')
      causes.push(
        invalid(`${at}.type`, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"),
      );
    if (seen.has(key))
      causes.push(invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'must not contain duplicate entries'));
    seen.add(key);
    if (property && property.default === undefined && !items.required?.includes(key))
      causes.push(
        required(
          `${at}.default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      );
    if (property?.nullable)
      causes.push(
        forbidden(`${at}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'),
      );
  }
  return causes;
}

/** Validates defaults by their own schema: they must have no unknown fields. */
export function validateDefaults(s: JsonSchema, path: string, root = true): Cause[] {
  const below = (child: JsonSchema, at: string) => validateDefaults(child, at, false);
  return [
    ...(s.default === undefined || s.default === null || root ? [] : defaultRules(s, `${path}.default`)),
    ...(s.items ? below(s.items, `${path}.items`) : []),
    ...Object.entries(s.properties ?? {}).flatMap(([name, property]) => below(property, `${path}.properties[${name}]`)),
    ...(typeof s.additionalProperties === 'object'
      ? below(s.additionalProperties, `${path}.additionalProperties`)
      : []),
  ];
}

function defaultRules(s: JsonSchema, at: string): Cause[] {
  const pruned = { value: clone(s.default) };
  prune(pruned, { type: 'object', properties: { value: s } });
  const unknown = deepEqual(pruned.value, s.default) ? [] : [invalid(at, s.default, 'must not have unknown fields')];
  return [...unknown, ...validateValue(s.default, s, undefined, at)];
}
