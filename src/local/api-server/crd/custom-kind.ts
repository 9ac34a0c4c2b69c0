import { errors } from '../errors';
import { Cell, Column, Kind, Printer, ScalePaths, StrategyContext } from '../registry/kind';
import { JsonSchema } from '../schema';
import { compileCrdSchema, CrdSchema } from './schema/compile';
import { age } from '../table/format';
import { clone, deepEqual, isMap } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { subdomainName } from '../validation/names';
import { goType } from '../verbs/decode';
import { WebhookTransport } from '../network/webhook-transport';
import { ConversionWebhook, WebhookConversion } from './conversion';
import { scaleCauses } from './scale-validation';
import { evaluateJsonPath } from './json-path';

export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: ScalePaths };
  additionalPrinterColumns?: {
    name: string;
    type: Column['type'];
    format?: string;
    description?: string;
    priority?: number;
    jsonPath: string;
  }[];
  selectableFields?: { jsonPath: string }[];
}

export interface CrdSpec {
  conversion?: { strategy?: string; webhook?: ConversionWebhook };
  group: string;
  scope: 'Namespaced' | 'Cluster';
  names: {
    plural: string;
    singular?: string;
    kind: string;
    listKind?: string;
    shortNames?: string[];
    categories?: string[];
  };
  versions: CrdVersion[];
  preserveUnknownFields?: boolean;
}

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/**
 * Served version of a custom resource. Its schema is compiled on first use.
 * @param transport calls the conversion webhook
 * @param terminating whether the definition is being deleted
 */
export function customKind(spec: CrdSpec, version: CrdVersion, transport: WebhookTransport, terminating = false): Kind {
  const { group, names } = spec;
  const apiVersion = `${group}/${version.name}`;
  const openApiSchema = version.schema?.openAPIV3Schema ?? {};
  let compiled: CrdSchema | undefined;
  const schema = () => (compiled ??= compileCrdSchema(openApiSchema));
  const storageVersion = `${group}/${spec.versions.find((item) => item.storage)?.name ?? version.name}`;
  const webhook = spec.conversion?.strategy === 'Webhook' ? spec.conversion.webhook : undefined;
  const known = spec.versions.map(({ name }) => `${group}/${name}`);
  const conversion = webhook && new WebhookConversion(transport, webhook, known, storageVersion);
  const hasStatus = version.subresources?.status !== undefined;
  const selectable = (version.selectableFields ?? []).map((field) => field.jsonPath.replace(/^\./, ''));

  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind || `${names.kind}List`,
    plural: names.plural,
    singular: names.singular || names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    verbs: VERBS,
    storage: `${group}/${names.plural}`,
    nameRule: subdomainName,
    generation: true,
    deprecation: version.deprecated
      ? (version.deprecationWarning ?? `${apiVersion} ${names.kind} is deprecated`)
      : undefined,
    status: hasStatus,
    scale: version.subresources?.scale,
    custom: true,
    unconditionalUpdate: false,
    createOnUpdate: false,
    returnsDeleted: false,
    selectableFields: selectable,
    unsupportedField: (field) => `field label not supported: ${field}`,
    printer: printerOf(version),
    get schema() {
      return schema().typeSchema;
    },
    openApiSchema,

    empty: () => undefined,
    fields: (object) =>
      Object.fromEntries(selectable.map((path) => [path, String(evaluateJsonPath(`.${path}`, object)[0] ?? '')])),
    decode(object) {
      checkMetadata(object, names.kind, version.name);
      const unknown = schema().prune(object);
      schema().applyDefaults(object);
      return unknown;
    },
    verbatim: true,
    conversion,
    // With a webhook, only it changes the version.
    fromStorage: (object) => (conversion || object.apiVersion === apiVersion ? object : { ...object, apiVersion }),
    toStorage: (object) =>
      conversion || object.apiVersion === storageVersion ? object : { ...object, apiVersion: storageVersion },
    prepareForCreate(object) {
      if (terminating)
        throw errors.forbidden(
          { group, resource: names.plural },
          object.metadata.name ?? '',
          'create not allowed while custom resource definition is terminating',
        );
      if (hasStatus) delete object.status;
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old, context) {
      if (hasStatus) {
        if (old.status === undefined) delete object.status;
        else object.status = clone(old.status);
      }
      bumpGeneration(object, old, hasStatus, context);
    },
    prepareStatus(object, old) {
      const { status } = object;
      const { managedFields } = object.metadata;
      for (const key of Object.keys(object)) delete object[key];
      Object.assign(object, clone(old));
      if (managedFields) object.metadata.managedFields = managedFields;
      if (status === undefined) delete object.status;
      else object.status = status;
    },
    validate: (object, fields) => validateType(object, names.kind, apiVersion, fields),
    validateUpdate: (object, _old, fields) => validateType(object, names.kind, apiVersion, fields),
    validateStatus: (object, _old, fields) => validateType(object, names.kind, apiVersion, fields),
    schemaCauses: (object, old, subresource, earlier) =>
      schema().validate(object, old, subresource === 'status' ? 'status' : undefined, {
        earlier,
        scale: scaleCauses(object, version.subresources?.scale, subresource === 'status'),
      }),
    resetFields(subresource) {
      if (!hasStatus) return [];
      return subresource === 'status' ? ['spec', 'metadata'] : ['status'];
    },
  };
}

function bumpGeneration(object: AnyObject, old: AnyObject, hasStatus: boolean, _context: StrategyContext): void {
  const strip = ({ metadata: _metadata, status, ...rest }: AnyObject) => (hasStatus ? rest : { ...rest, status });
  if (!deepEqual(strip(object), strip(old))) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function validateType(object: AnyObject, kind: string, apiVersion: string, fields: Fields): void {
  if (object.kind !== kind) fields.child('kind').invalid(object.kind, `must be ${kind}`);
  if (object.apiVersion !== apiVersion) {
    fields.child('apiVersion').invalid(object.apiVersion, `must be ${apiVersion}`);
  }
}

/** Checks the types of labels and annotations before the schema validation. */
function checkMetadata(object: AnyObject, kind: string, version: string): void {
  for (const field of ['labels', 'annotations'] as const) {
    const map = object.metadata[field] as unknown;
    if (map === undefined) continue;
    if (map === null) {
      delete object.metadata[field];
      continue;
    }
    if (isMap(map)) for (const [key, value] of Object.entries(map)) if (value === null) map[key] = '';
    const wrong =
      typeof map === 'object' ? Object.values(map as object).find((value) => typeof value !== 'string') : map;
    if (wrong === undefined) continue;
    const type = wrong === map ? 'map[string]string' : 'string';
    throw errors.badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: json: cannot unmarshal ${goType(wrong)} into Go struct field ObjectMeta.${field} of type ${type}`,
    );
  }
}

function printerOf(version: CrdVersion): Printer {
  const given = version.additionalPrinterColumns ?? [
    { name: 'Age', type: 'date' as const, jsonPath: '.metadata.creationTimestamp' },
  ];
  return {
    columns: [
      { name: 'Name', type: 'string', format: 'name' },
      ...given.map(({ name, type, format, description, priority }) => ({
        name,
        type,
        format,
        description:
          description ||
          `Custom resource definition column (in JSONPath format): ${given.find((c) => c.name === name)!.jsonPath}`,
        priority,
      })),
    ],
    row: (object, now) => [
      object.metadata.name!,
      ...given.map(({ jsonPath, type }) => cell(evaluateJsonPath(jsonPath, object), type, now)),
    ],
  };
}

/** Formats the value of a column; values of other types are not shown. */
function cell(found: unknown[], type: Column['type'], now: number): Cell {
  if (!found.length || found[0] === undefined || found[0] === null) return null;
  const [value] = found;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (typeof value !== 'string') return null;
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : age(value, now);
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}
