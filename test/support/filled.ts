/** A CRD's schema, as far as filling it needs. */
export interface StructuralSchema {
  type?: string;
  format?: string;
  properties?: Record<string, StructuralSchema>;
  items?: StructuralSchema;
  required?: string[];
  additionalProperties?: boolean | StructuralSchema;
  enum?: unknown[];
  default?: unknown;
  pattern?: string;
  minimum?: number;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
}

export interface Crd {
  metadata: { name: string };
  spec: {
    group: string;
    scope: string;
    names: { kind: string; plural: string; singular: string; shortNames?: string[]; categories?: string[] };
    versions: {
      name: string;
      served: boolean;
      storage: boolean;
      deprecated?: boolean;
      deprecationWarning?: string;
      subresources?: object;
      schema: { openAPIV3Schema: StructuralSchema };
    }[];
  };
}

/** An object with every field of the schema, each with a value that it allows. */
export function filledObject(crd: Crd, version: Crd['spec']['versions'][number]): Record<string, unknown> {
  const filled = value(version.schema.openAPIV3Schema) as { spec: Record<string, unknown> };
  // what only a CEL rule demands
  if (crd.spec.group === 'backup.kubevirt.io') {
    filled.spec.source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'x' };
  }
  return {
    ...filled,
    apiVersion: `${crd.spec.group}/${version.name}`,
    kind: crd.spec.names.kind,
    metadata: { name: 'filled', ...(crd.spec.scope === 'Namespaced' ? { namespace: 'default' } : {}) },
  };
}

/** Values for patterns of our schemas that plain text does not match. */
const byPattern: [RegExp, string][] = [
  [/\[numkMGTPE\]/, '1Gi'],
  [/\(\?:\\\./, '0.06'],
  [/a-zA-Z0-9\\-/, '[a-z]{8}'],
];

/** Values that CEL rules require for fields with these names. */
const byName: Record<string, string> = { path: '/x', accessModes: 'ReadWriteOnce' };

function value(schema: StructuralSchema, name = ''): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string']) return schema.pattern ? '1Gi' : 80;
  switch (schema.type) {
    case 'array':
      return [value(schema.items ?? {}, name)];
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, value(inner, field)]);
      if (typeof schema.additionalProperties === 'object') fields.push(['key', value(schema.additionalProperties)]);
      const open = schema['x-kubernetes-preserve-unknown-fields'] && !schema.properties && name !== 'metadata';
      if (open) fields.push(['kept', 'x']);
      return Object.fromEntries(fields);
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      if (schema.format === 'date-time') return '2026-01-02T03:04:05Z';
      if (schema.format === 'byte') return 'eA==';
      return byPattern.find(([pattern]) => schema.pattern && pattern.test(schema.pattern))?.[1] ?? byName[name] ?? 'x';
  }
}
