import { Cause, duplicate, forbidden, invalid, notSupported, required } from '../../schema/cause';
import { validateDefaults, validateSchemaRules } from './schema-rules';
import { JsonSchema } from '../../schema/json-schema';
import { ClientConfig, clientRules, reviewVersionRules } from './conversion-rules';
import { dns1035Label, dns1123Subdomain } from '../../schema/names';
import { validateStructural } from './structural';
import { deepEqual, isMap, own } from '../../json/values';

interface Column {
  name?: string;
  type?: string;
  format?: string;
  jsonPath?: string;
}

interface Version {
  name: string;
  served?: boolean;
  storage?: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: Record<string, string | undefined> };
  additionalPrinterColumns?: Column[];
  selectableFields?: { jsonPath?: string }[];
}

interface Names {
  plural?: string;
  singular?: string;
  kind?: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface Conversion {
  strategy?: string;
  webhook?: { clientConfig?: ClientConfig; conversionReviewVersions?: string[] };
}

interface Definition {
  metadata?: { name?: string; generateName?: string; annotations?: Record<string, string> };
  spec?: {
    group?: string;
    scope?: string;
    names?: Names;
    versions?: Version[];
    preserveUnknownFields?: boolean;
    conversion?: Conversion;
  };
  status?: { conditions?: { type?: string; status?: string }[]; storedVersions?: string[] };
}

const NAME_RULE = 'must be spec.names.plural+"."+spec.group';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/**
 * Validates a CustomResourceDefinition, with the messages of apiextensions. `old` is the stored definition of an
 * update. CEL rules are parsed; their cost is not estimated.
 */
export function validateCrd(crd: unknown, old?: unknown): Cause[] {
  const { metadata = {}, spec = {} } = crd as Definition;
  const { versions = [], group = '' } = spec;
  const names = withDefaults(spec.names ?? {});
  const causes: Cause[] = [];
  const { name = '' } = metadata;
  const wrongName = [
    ...(name === '' ? [] : dns1123Subdomain(name)),
    ...(name === `${names.plural ?? ''}.${group}` ? [] : [NAME_RULE]),
  ];
  if (metadata.generateName && old === undefined)
    causes.push(invalid('metadata.generateName', metadata.generateName, NAME_RULE));
  if (name === '') causes.push(required('metadata.name', 'name or generateName is required'));
  else if (old === undefined) causes.push(...wrongName.map((why) => invalid('metadata.name', name, why)));
  causes.push(...groupRules(group), ...enumeration('spec.scope', spec.scope, ['Cluster', 'Namespaced']));
  causes.push(...versionRules(spec.versions), ...nameRules(names), ...conversionRules(spec.conversion));
  if (spec.preserveUnknownFields)
    causes.push(
      invalid(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  if (old !== undefined) causes.push(...immutable(spec, old as Definition));
  causes.push(...storedVersionRules((crd as Definition).status?.storedVersions ?? [], versions));
  causes.push(...approvalRules(crd as Definition, old as Definition | undefined));
  return causes;
}

const withDefaults = (names: Names): Names => ({
  ...names,
  singular: names.singular || names.kind?.toLowerCase(),
  listKind: names.listKind || (names.kind && `${names.kind}List`),
});

function groupRules(group: string): Cause[] {
  if (group === '') return [required('spec.group')];
  const wrong = dns1123Subdomain(group);
  if (wrong.length > 0) return [invalid('spec.group', group, wrong.join(','))];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function enumeration(path: string, value: string | undefined, allowed: readonly string[]): Cause[] {
  if (!value) return [required(path)];
  return allowed.includes(value) ? [] : [notSupported(path, value, allowed)];
}

/** Reports mistakes that all versions share at the top level, as the internal form of a CRD does. */
function hoisted<K extends keyof Version>(versions: readonly Version[], key: K): Version[K] | undefined {
  const [first, ...rest] = versions;
  return first && rest.every((v) => deepEqual(v[key], first[key])) ? first[key] : undefined;
}

function versionRules(given: readonly Version[] | undefined): Cause[] {
  const versions = given ?? [];
  const causes: Cause[] = [];
  const shared = {
    schema: hoisted(versions, 'schema'),
    subresources: hoisted(versions, 'subresources'),
    additionalPrinterColumns: hoisted(versions, 'additionalPrinterColumns'),
    selectableFields: hoisted(versions, 'selectableFields'),
  };
  versions.forEach((version, i) => {
    const at = `spec.versions[${i}]`;
    if (!version.schema?.openAPIV3Schema && !shared.schema?.openAPIV3Schema)
      causes.push(required(`${at}.schema.openAPIV3Schema`));
    const { name } = version;
    const wrong = dns1035Label(name);
    if (wrong.length > 0) causes.push(invalid(`${at}.name`, name, wrong.join(',')));
    // An empty name is not repeated in the field of the first version.
    if (wrong.length > 0 && i === 0 && name) causes.push(invalid('spec.version', name, wrong.join(',')));
    causes.push(...deprecationRules(version, at));
    const status = version.subresources?.status !== undefined;
    if (!shared.schema) causes.push(...schemaRules(version.schema?.openAPIV3Schema, status, `${at}.schema`));
    if (!shared.subresources) causes.push(...scaleRules(version.subresources, `${at}.subresources`));
    if (!shared.additionalPrinterColumns)
      causes.push(...columnRules(version.additionalPrinterColumns, `${at}.additionalPrinterColumns`));
    if (!shared.selectableFields)
      causes.push(...selectableRules(version.selectableFields, version.schema, `${at}.selectableFields`));
  });
  const wrongList = (why: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${given ? internal(versions, shared) : 'null'}: ${why}`,
    field: 'spec.versions',
  });
  if (new Set(versions.map((v) => v.name)).size !== versions.length)
    causes.push(wrongList('must contain unique version names'));
  const stored = versions.filter((v) => v.storage).length;
  if (stored !== 1) causes.push(wrongList('must have exactly one version marked as storage version'));
  const anyStatus = versions.some((v) => v.subresources?.status !== undefined);
  causes.push(...schemaRules(shared.schema?.openAPIV3Schema, anyStatus, 'spec.validation'));
  causes.push(...scaleRules(shared.subresources, 'spec.subresources'));
  causes.push(...columnRules(shared.additionalPrinterColumns, 'spec.additionalPrinterColumns'));
  causes.push(...selectableRules(shared.selectableFields, shared.schema, 'spec.selectableFields'));
  return causes;
}

/** Versions as Go's internal type prints them. */
function internal(versions: readonly Version[], shared: Partial<Version>): string {
  const list = versions.map((v) => ({
    Name: v.name,
    Served: v.served ?? false,
    Storage: v.storage ?? false,
    Deprecated: v.deprecated ?? false,
    DeprecationWarning: v.deprecationWarning ?? null,
    Schema: shared.schema ? null : (v.schema ?? null),
    Subresources: shared.subresources ? null : (v.subresources ?? null),
    AdditionalPrinterColumns: shared.additionalPrinterColumns ? null : (v.additionalPrinterColumns ?? null),
    SelectableFields: shared.selectableFields ? null : (v.selectableFields ?? null),
  }));
  return JSON.stringify(list);
}

function deprecationRules({ deprecated, deprecationWarning: text }: Version, at: string): Cause[] {
  if (text === undefined) return [];
  const path = `${at}.deprecationWarning`;
  if (!deprecated) return [invalid(path, text, 'can only be set for deprecated versions')];
  if (text === '') return [invalid(path, text, 'must not be an empty string')];
  return text.length > 256 ? [invalid(path, text, 'must be <= 256 characters long')] : [];
}

/** Validates the root of a schema with a status subresource. */
const NOT_AT_ROOT = ['allOf', 'anyOf', 'oneOf', 'not', 'enum', 'default', 'additionalProperties', 'nullable'] as const;

function schemaRules(schema: JsonSchema | undefined, status: boolean, at: string): Cause[] {
  if (!schema) return [];
  const path = `${at}.openAPIV3Schema`;
  const causes: Cause[] = [];
  if (status && schema.type !== 'object')
    causes.push(
      invalid(
        `${path}.type`,
        schema.type ?? '',
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    );
  else if (status && NOT_AT_ROOT.some((name) => schema[name] !== undefined))
    causes.push(
      invalid(
        path,
        schema,
        'only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled',
      ),
    );
  if (schema.nullable) causes.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  const rules = validateSchemaRules(schema, path);
  // a schema with unsupported keywords has no structure
  if (rules.some(({ message }) => message.endsWith('is not supported'))) return [...causes, ...rules];
  const structural = validateStructural(schema, path);
  return [...causes, ...(structural.length > 0 ? structural : validateDefaults(schema, path)), ...rules];
}

function scaleRules(subresources: Version['subresources'], at: string): Cause[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const causes: Cause[] = [];
  for (const [name, prefix] of Object.entries({ specReplicasPath: '.spec.', statusReplicasPath: '.status.' })) {
    const path = scale[name];
    if (!path) causes.push(required(`${at}.scale.${name}`));
    else if (!path.startsWith('.'))
      causes.push(invalid(`${at}.scale.${name}`, path, 'must be a simple json path starting with .'));
    else if (!path.startsWith(prefix))
      causes.push(invalid(`${at}.scale.${name}`, path, `should be a json path under ${prefix.slice(0, -1)}`));
  }
  const selector = scale.labelSelectorPath;
  const selectorAt = `${at}.scale.labelSelectorPath`;
  if (selector && !selector.startsWith('.'))
    causes.push(invalid(selectorAt, selector, 'must be a simple json path starting with .'));
  else if (selector && !/^\.(spec|status)\./.test(selector))
    causes.push(invalid(selectorAt, selector, 'should be a json path under either .spec or .status'));
  return causes;
}

function columnRules(columns: readonly Column[] | undefined, at: string): Cause[] {
  return (columns ?? []).flatMap(({ name, type, format, jsonPath }, i): Cause[] => {
    const path = `${at}[${i}]`;
    const types = `must be one of ${COLUMN_TYPES.join(',')}`;
    return [
      ...(name ? [] : [required(`${path}.name`)]),
      ...(type ? [] : [required(`${path}.type`, types)]),
      ...(type && !COLUMN_TYPES.includes(type) ? [invalid(`${path}.type`, type, types)] : []),
      ...(format && !COLUMN_FORMATS.includes(format)
        ? [invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`)]
        : []),
      ...(jsonPath ? [] : [required(`${path}.JSONPath`)]),
      ...(jsonPath && !jsonPath.startsWith('.')
        ? [invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .')]
        : []),
    ];
  });
}

const MAX_SELECTABLE_FIELDS = 8;

function selectableRules(fields: Version['selectableFields'], schema: Version['schema'], at: string): Cause[] {
  const seen = new Set<string>();
  const causes = (fields ?? []).flatMap(({ jsonPath }, i): Cause[] => {
    const path = `${at}[${i}].jsonPath`;
    if (!jsonPath) return [required(path)];
    const steps = jsonPath.replace(/^\./, '').split('.');
    let type: JsonSchema | undefined = schema?.openAPIV3Schema;
    for (const step of steps) type = own(type?.properties, step);
    if (!jsonPath.startsWith('.'))
      return [invalid(path, jsonPath, `is an invalid path: expected [ or . but got: ${steps[0]}`)];
    if (!type) return [invalid(path, jsonPath, 'is an invalid path: does not refer to a valid field')];
    const again = seen.has(jsonPath);
    seen.add(jsonPath);
    return [
      ...(steps[0] === 'metadata' ? [invalid(path, jsonPath, 'must not point to fields in metadata')] : []),
      ...(['string', 'boolean', 'integer'].includes(type.type ?? '')
        ? []
        : [
            invalid(
              path,
              jsonPath,
              'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
            ),
          ]),
      ...(again ? [duplicate(path, jsonPath)] : []),
    ];
  });
  if (seen.size > MAX_SELECTABLE_FIELDS)
    causes.push({
      reason: 'FieldValueTooMany',
      message: `Too many: ${seen.size}: must have at most ${MAX_SELECTABLE_FIELDS} items`,
      field: at,
    });
  return causes;
}

function nameRules(names: Names): Cause[] {
  const causes: Cause[] = [];
  for (const key of ['plural', 'singular', 'kind', 'listKind'] as const)
    if (!names[key]) causes.push(required(`spec.names.${key}`));
  const mixed = (why: string[]) => `may have mixed case, but should otherwise match: ${why.join(',')}`;
  for (const key of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const name = names[key];
    const isKind = key === 'kind' || key === 'listKind';
    const wrong = name ? dns1035Label(isKind ? name.toLowerCase() : name) : [];
    if (wrong.length > 0) causes.push(invalid(`spec.names.${key}`, name, isKind ? mixed(wrong) : wrong.join(',')));
  }
  for (const key of ['shortNames', 'categories'] as const)
    (names[key] ?? []).forEach((name, i) => {
      const wrong = dns1035Label(name);
      if (wrong.length > 0) causes.push(invalid(`spec.names.${key}[${i}]`, name, wrong.join(',')));
    });
  if (names.kind && names.kind === names.listKind)
    causes.push(invalid('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'));
  return causes;
}

function conversionRules(conversion: NonNullable<Definition['spec']>['conversion']): Cause[] {
  if (!conversion) return [];
  const at = 'spec.conversion';
  const { strategy = 'None', webhook } = conversion;
  const causes = enumeration(`${at}.strategy`, strategy, ['None', 'Webhook']);
  if (strategy === 'Webhook') {
    if (!webhook?.clientConfig)
      causes.push(required(`${at}.webhookClientConfig`, 'required when strategy is set to Webhook'));
    else causes.push(...clientRules(webhook.clientConfig, `${at}.webhookClientConfig`));
    causes.push(...reviewVersionRules(webhook?.conversionReviewVersions ?? [], `${at}.conversionReviewVersions`));
  } else if (webhook && isMap(webhook)) {
    const why = 'should not be set when strategy is not set to Webhook';
    if (webhook.clientConfig) causes.push(forbidden(`${at}.webhookClientConfig`, why));
    if (webhook.conversionReviewVersions?.length) causes.push(forbidden(`${at}.conversionReviewVersions`, why));
  }
  return causes;
}

/** Objects may be stored in any of these versions. */
function storedVersionRules(stored: readonly string[], versions: readonly Version[]): Cause[] {
  const at = 'status.storedVersions';
  if (stored.length === 0) return [invalid(at, null, 'must have at least one stored version')];
  return [
    ...versions
      .filter(({ name, storage }) => storage && !stored.includes(name))
      .map(({ name }) => invalid(at, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, i) =>
      versions.some((version) => version.name === name)
        ? []
        : [
            invalid(
              `${at}[${i}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}

const APPROVED = 'api-approved.kubernetes.io';

/** Groups of Kubernetes itself require an annotation. */
function approvalRules({ metadata, spec }: Definition, old: Definition | undefined): Cause[] {
  const { group = '' } = spec ?? {};
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const state = (definition: Definition | undefined) => {
    const text = own(definition?.metadata?.annotations, APPROVED) ?? '';
    if (text === '') return 'missing';
    return text.startsWith('unapproved') || (URL.canParse(text) && new URL(text).host !== '') ? 'valid' : 'invalid';
  };
  const now = state({ metadata });
  if (now === 'valid' || (old !== undefined && state(old) === now)) return [];
  const at = `metadata.annotations[${APPROVED}]`;
  const link = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const must = `protected groups must have approval annotation "${APPROVED}"`;
  if (now === 'missing') return [required(at, `${must}, ${link}`)];
  const why = `${must} with either a URL or a reason starting with "unapproved", ${link}`;
  return [invalid(at, metadata?.annotations?.[APPROVED], why)];
}

/** Objects are stored below these names. */
function immutable(spec: NonNullable<Definition['spec']>, old: Definition): Cause[] {
  const established = old.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True');
  const before = old.spec ?? {};
  const pairs: [string, unknown, unknown][] = [
    ...(established
      ? ([
          ['spec.scope', spec.scope, before.scope],
          ['spec.names.kind', spec.names?.kind, before.names?.kind],
        ] as [string, unknown, unknown][])
      : []),
    ['spec.group', spec.group, before.group],
    ['spec.names.plural', spec.names?.plural, before.names?.plural],
  ];
  return pairs.filter(([, a, b]) => a !== b).map(([path, value]) => invalid(path, value ?? '', 'field is immutable'));
}
