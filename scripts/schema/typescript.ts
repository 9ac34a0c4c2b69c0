import { compile, type JSONSchema } from 'json-schema-to-typescript';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { format } from 'prettier/standalone';
import { printWidth, singleQuote } from '../../.prettierrc.json';
import { Schema, SchemaFile, target } from './schemas';

/*
 * json-schema-to-typescript prints each definition. The steps that it cannot do are here: it resolves references before
 * it prints, so every module would declare the types of the others again (and `Disk1` beside `Disk` where a `$ref` has
 * siblings); and it does not know Kubernetes' and our own keywords.
 */

/** Types that are written by hand in `src/api/meta.ts`. */
const handWritten = new Set(['meta_v1/ObjectMeta', 'meta_v1/OwnerReference', 'meta_v1/Condition']);

/** `kubevirt.io_v1` -> `kubevirt-v1`, `upload.cdi.kubevirt.io_v1beta1` -> `upload-cdi-v1beta1`. */
export function moduleName(file: string): string {
  const [group, version] = file.split('_');
  return `${group.replace(/(\.kubevirt)?\.io$/, '').replaceAll('.', '-')}-${version}`;
}

/** One module of types for one file of `api/schema`. */
export async function typesOf(file: SchemaFile): Promise<string> {
  const imports = new Imports(file);
  const declarations: string[] = [];
  for (const [name, schema] of Object.entries(file.definitions)) {
    if (handWritten.has(`${file.name}/${name}`)) continue;
    declarations.push(
      await compile(printable(schema, imports), name, {
        additionalProperties: true,
        bannerComment: '',
        declareExternallyReferenced: false,
        format: false,
        ignoreMinAndMaxItems: true,
      }),
    );
  }
  const banner = `// Generated from api/schema/${file.name}.json by scripts/generate.ts; edit that file.\n`;
  return format(`${banner}${imports.text()}\n${declarations.join('\n')}`, {
    printWidth,
    singleQuote,
    parser: 'typescript',
    plugins: [estree, typescript],
  });
}

/** The same schema in the keywords that json-schema-to-typescript knows. */
function printable(schema: Schema, imports: Imports): JSONSchema {
  const { description, nullable } = schema;
  if (schema.$ref) return { description, nullable, tsType: imports.nameOf(schema.$ref) };
  if (schema['x-kubernetes-int-or-string']) return { description, nullable, type: ['integer', 'string'] };
  const inner = (part: Schema): JSONSchema => printable(part, imports);
  const { type, required, additionalProperties } = schema;
  const values = schema.enum ?? schema['x-enum'];
  const kind = schema['x-kubernetes-kind'];
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([field]) => !kind || !['apiVersion', 'kind', 'metadata'].includes(field),
  );
  return {
    description,
    nullable,
    type,
    required: required?.filter((field) => properties.some(([name]) => name === field)),
    ...(values ? { enum: values } : {}),
    ...(schema.items ? { items: inner(schema.items) } : {}),
    ...(schema.properties
      ? { properties: Object.fromEntries(properties.map(([field, value]) => [field, inner(value)])) }
      : {}),
    additionalProperties: typeof additionalProperties === 'object' ? inner(additionalProperties) : !schema.properties,
    // the package's own types allow only the id of a schema
    ...(kind ? { extends: imports.kubeObject() as never } : {}),
  };
}

/** Imports of one module. */
class Imports {
  private readonly modules = new Map<string, Set<string>>();

  public constructor(private readonly file: SchemaFile) {}

  /** The name by which this module knows the type that a `$ref` leads to. */
  public nameOf(ref: string): string {
    const { file, definition } = target(ref, this.file.name);
    if (handWritten.has(`${file}/${definition}`)) return this.use('../meta', definition);
    return file === this.file.name ? definition : this.use(`./${moduleName(file)}`, definition);
  }

  /** Type that every kind extends. */
  public kubeObject(): JSONSchema {
    return { title: this.use('../meta', 'KubeObject'), type: 'object' };
  }

  public text(): string {
    return [...this.modules]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from '${from}';\n`)
      .join('');
  }

  private use(from: string, name: string): string {
    const alias = this.file.definitions[name] && !handWritten.has(`${this.file.name}/${name}`) ? `Other${name}` : name;
    const names = this.modules.get(from) ?? new Set();
    this.modules.set(from, names.add(alias === name ? name : `${name} as ${alias}`));
    return alias;
  }
}
