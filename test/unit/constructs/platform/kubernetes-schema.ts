import { builtinSchema, type TypeSchema } from '../../../../src/local/api-server/schema';

/* The types of Kubernetes itself, generated from the Go sources in Debian's packages. */

type Manifest = { apiVersion: string; kind: string };

/** Everything that Kubernetes' own type of an object does not have, lacks or holds otherwise; undefined for other kinds. */
export function problemsOf(object: Manifest): string[] | undefined {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const schema = builtinSchema(group!, version!, object.kind);
  return schema && problemsAt(object, schema, '');
}

function problemsAt(value: unknown, schema: TypeSchema, at: string): string[] {
  if (schema.kind === 'any') return [];
  if (schema.kind === 'list') {
    if (!Array.isArray(value)) return [`${at}: is not a list`];
    return value.flatMap((item, i) => problemsAt(item, schema.items!, `${at}[${i}]`));
  }
  if (schema.kind === 'scalar') return isScalar(value, schema) ? [] : [`${at}: ${typeof value} is no ${schema.scalar}`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at}: is not an object`];
  const missing = (schema.required ?? []).filter((field) => !(field in value));
  return [
    ...missing.map((field) => `${at}.${field}: is missing`),
    ...Object.entries(value).flatMap(([field, inside]) => {
      const type = schema.fields?.[field] ?? schema.values;
      if (type) return problemsAt(inside, type, `${at}.${field}`);
      return schema.preserveUnknown ? [] : [`${at}.${field}: is unknown`];
    }),
  ];
}

function isScalar(value: unknown, { scalar, format }: TypeSchema): boolean {
  switch (scalar) {
    case 'string':
      return typeof value === 'string' && (format !== 'byte' || /^[A-Za-z0-9+/]*=*$/.test(value));
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'int-or-string':
      return typeof value === 'string' || Number.isInteger(value);
    case 'quantity':
      return typeof value === 'number' || /^\d+(\.\d+)?(m|[KMGTPE]i?|k)?$/.test(`${value as string}`);
    default:
      return true;
  }
}
