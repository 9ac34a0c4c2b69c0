import { Kind, Schema, SchemaFile, target } from './schemas';

/** A CustomResourceDefinition that a Kubernetes API server accepts: refs inlined, no descriptions, no closed objects. */
export function crdOf(files: SchemaFile[], file: SchemaFile, name: string, kind: Kind): object {
  const schema = structural(file.definitions[name], file.name, files);
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
        shortNames: kind.shortNames,
        ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
      },
      versions: kind.versions.map((version) => ({
        name: version.name,
        served: true,
        storage: version.storage,
        ...(version.deprecated
          ? {
              deprecated: true,
              deprecationWarning: `${group}/${version.name} is now deprecated and will be removed in a future release.`,
            }
          : {}),
        additionalPrinterColumns: kind.printerColumns,
        ...(Object.keys(kind.subresources).length > 0 ? { subresources: kind.subresources } : {}),
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

/** Keywords that mean something only to us. */
const ours = new Set(['$ref', 'description', 'x-enum', 'x-kubernetes-kind']);

function structural(schema: Schema, from: string, files: SchemaFile[]): Schema {
  const siblings = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => !ours.has(keyword) && !(keyword === 'additionalProperties' && value === false),
    ),
  ) as Schema;
  if (schema.$ref) {
    const { file, definition } = target(schema.$ref, from);
    const found = files.find((f) => f.name === file)?.definitions[definition];
    if (!found) throw new Error(`api/schema/${from}.json: ${schema.$ref} does not exist`);
    return { ...structural(found, file, files), ...siblings };
  }
  const out: Schema = { ...siblings };
  if (schema.properties) {
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([field, value]) => [field, structural(value, from, files)]),
    );
  }
  if (schema.items) out.items = structural(schema.items, from, files);
  if (typeof schema.additionalProperties === 'object') {
    out.additionalProperties = structural(schema.additionalProperties, from, files);
  }
  return out;
}
