import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../generated-files';

/** The subset of JSON Schema that `api/schema` uses. */
export interface Schema {
  $ref?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  required?: string[];
  anyOf?: Schema[];
  /** Closed: the CRD enforces it too. */
  enum?: string[];
  /** Known values: a union in TypeScript; an admission rule enforces it, with its own wording. */
  'x-enum'?: string[];
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-kind'?: Kind;
  [keyword: string]: unknown;
}

/** How a kind is served. */
export interface Kind {
  plural: string;
  shortNames: string[];
  categories: string[];
  scope: 'Namespaced' | 'Cluster';
  subresources: Record<string, object>;
  labels: Record<string, string>;
  printerColumns: { name: string; jsonPath: string; type: string; priority?: number }[];
  /** The schema of the one file serves all versions; `warning` is sent to clients of a deprecated one. */
  versions: { name: string; storage: boolean; deprecated?: boolean; warning?: string }[];
  /** Served by an aggregated API: there is no CRD. */
  aggregated?: boolean;
}

/** One file of `api/schema`. */
export interface SchemaFile {
  /** `kubevirt.io_v1` */
  name: string;
  title: string;
  description: string;
  'x-group': string;
  'x-version': string;
  definitions: Record<string, Schema>;
}

const folder = join(checkout, 'api', 'schema');

export function loadSchemas(): SchemaFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ ...JSON.parse(readFileSync(join(folder, file), 'utf8')), name: file.slice(0, -'.json'.length) }));
}

/** Target of a `$ref` of `from`: `#/definitions/Disk` or `core_v1.json#/definitions/Affinity`. */
export function target(ref: string, from: string): { file: string; definition: string } {
  const match = /^(?:(.+)\.json)?#\/definitions\/(\w+)$/.exec(ref);
  if (!match)
    throw new Error(`api/schema/${from}.json: $ref ${JSON.stringify(ref)} is not FILE.json#/definitions/NAME`);
  return { file: match[1] ?? from, definition: match[2] };
}

export interface KindIn {
  file: SchemaFile;
  name: string;
  kind: Kind;
}

/** Every kind, with the file that defines it. */
export function kinds(files: SchemaFile[]): KindIn[] {
  return files.flatMap((file) =>
    Object.entries(file.definitions).flatMap(([name, schema]) => {
      const kind = schema['x-kubernetes-kind'];
      return kind ? [{ file, name, kind }] : [];
    }),
  );
}

/** Every kind that has a CRD. */
export function stored(files: SchemaFile[]): KindIn[] {
  return kinds(files).filter(({ kind }) => !kind.aggregated);
}
