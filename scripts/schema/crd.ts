import { Kind, Schema, SchemaFile, target } from './schemas';

/** A CustomResourceDefinition that a Kubernetes API server accepts: refs inlined, no closed objects. */
export function crdOf(
  files: SchemaFile[],
  file: SchemaFile,
  name: string,
  kind: Kind,
  audience: Audience = 'server',
): object {
  const schema = structural(file.definitions[name], file.name, files, audience);
  // an import would make one class per version: it gets the one that is meant for new manifests
  const versions =
    audience === 'server'
      ? kind.versions
      : kind.versions
          .filter((version) => version.name === file['x-version'])
          .map((version) => ({ ...version, storage: true }));
  const group = file['x-group'];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${group}`, labels: kind.labels },
    spec: {
      group,
      scope: kind.scope,
      names: {
        kind: name,
        listKind: `${name}List`,
        plural: kind.plural,
        singular: name.toLowerCase(),
        ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
        ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
      },
      versions: versions.map((version) => ({
        name: version.name,
        served: true,
        storage: version.storage,
        ...(version.deprecated ? { deprecated: true } : {}),
        ...(version.warning ? { deprecationWarning: version.warning } : {}),
        ...(kind.printerColumns.length > 0 ? { additionalPrinterColumns: kind.printerColumns } : {}),
        ...(Object.keys(kind.subresources).length > 0 ? { subresources: kind.subresources } : {}),
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

/**
 * For whom a CRD is: the API server gets it compact and without the values that admission rules check in their own
 * words; `cdk8s import` gets descriptions and enums, so that the L1 classes are documented and typed.
 */
export type Audience = 'server' | 'import';

/** Keywords that mean something only to us. */
const ours = new Set(['$ref', 'description', 'x-enum', 'x-kubernetes-kind']);

function structural(schema: Schema, from: string, files: SchemaFile[], audience: Audience): Schema {
  const siblings = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => !ours.has(keyword) && !(keyword === 'additionalProperties' && value === false),
    ),
  ) as Schema;
  if (audience === 'import') {
    if (schema.description) siblings.description = schema.description;
    if (schema['x-enum']) siblings.enum = schema['x-enum'];
  }
  if (schema.$ref) {
    const { file, definition } = target(schema.$ref, from);
    // the API server knows it itself, and takes no other word
    if (definition === 'ObjectMeta') return { type: 'object', ...siblings };
    const found = files.find((f) => f.name === file)?.definitions[definition];
    if (!found) throw new Error(`api/schema/${from}.json: ${schema.$ref} does not exist`);
    return { ...structural(found, file, files, audience), ...siblings };
  }
  const out: Schema = { ...siblings };
  if (schema.properties) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, value]) => [field, structural(value, from, files, audience)]),
    );
  }
  if (schema.items) out.items = structural(schema.items, from, files, audience);
  if (typeof schema.additionalProperties === 'object') {
    out.additionalProperties = structural(schema.additionalProperties, from, files, audience);
  }
  return out;
}
