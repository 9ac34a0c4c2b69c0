import { Schema, SchemaFile, target } from './schemas';

/*
 * Our own 100 lines instead of json-schema-to-typescript: it puts all groups into one module, where names
 * of different groups clash (DataVolumeSource, Condition), and knows neither x-enum nor int-or-string.
 */

/** Types that are written by hand in `src/api/meta.ts`. */
const handWritten = new Set(['meta_v1/ObjectMeta', 'meta_v1/OwnerReference', 'meta_v1/Condition']);

/** `kubevirt.io_v1` -> `kubevirt-v1`, `upload.cdi.kubevirt.io_v1beta1` -> `upload-cdi-v1beta1`. */
export function moduleName(file: string): string {
  const [group, version] = file.split('_');
  return `${group.replace(/(\.kubevirt)?\.io$/, '').replaceAll('.', '-')}-${version}`;
}

/** One module of interfaces for one file of `api/schema`. */
export function typesOf(file: SchemaFile): string {
  const imports = new Map<string, Set<string>>();
  const body = Object.keys(file.definitions)
    .filter((name) => !handWritten.has(`${file.name}/${name}`))
    .map((name) => declaration(name, file.definitions[name], new Printer(file, imports)))
    .join('\n');
  const importLines = [...imports]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from '${from}';\n`)
    .join('');
  return `// Generated from api/schema/${file.name}.json by scripts/generate.ts; edit that file.\n${importLines}\n${body}`;
}

function declaration(name: string, schema: Schema, printer: Printer): string {
  const doc = comment(schema, '');
  const kind = schema['x-kubernetes-kind'];
  if (schema.type !== 'object' || !schema.properties) {
    return `${doc}export type ${name} = ${printer.type(schema)};\n`;
  }
  const own = Object.entries(schema.properties).filter(
    ([field]) => !kind || !['apiVersion', 'kind', 'metadata'].includes(field),
  );
  const fields = own.map(([field, value]) => {
    const optional = schema.required?.includes(field) ? '' : '?';
    return `${comment(value, '  ')}  ${key(field)}${optional}: ${printer.type(value)};\n`;
  });
  const base = kind ? ` extends ${printer.use('../meta', 'KubeObject')}` : '';
  return `${doc}export interface ${name}${base} {\n${fields.join('')}}\n`;
}

class Printer {
  constructor(
    private readonly file: SchemaFile,
    private readonly imports: Map<string, Set<string>>,
  ) {}

  /** The name by which this module knows a type of another one. */
  public use(from: string, name: string): string {
    const alias = this.file.definitions[name] && !handWritten.has(`${this.file.name}/${name}`) ? `Other${name}` : name;
    const names = this.imports.get(from) ?? new Set();
    this.imports.set(from, names.add(alias === name ? name : `${name} as ${alias}`));
    return alias;
  }

  public type(schema: Schema): string {
    return schema.nullable ? `${this.present(schema)} | null` : this.present(schema);
  }

  private present(schema: Schema): string {
    if (schema.$ref) {
      const { file, definition } = target(schema.$ref, this.file.name);
      if (handWritten.has(`${file}/${definition}`)) return this.use('../meta', definition);
      return file === this.file.name ? definition : this.use(`./${moduleName(file)}`, definition);
    }
    if (schema['x-kubernetes-int-or-string']) return 'number | string';
    const values = schema.enum ?? schema['x-enum'];
    if (values) return values.map((value) => `'${value}'`).join(' | ');
    switch (schema.type) {
      case 'array': {
        const item = this.type(schema.items ?? {});
        return item.includes('|') ? `(${item})[]` : `${item}[]`;
      }
      case 'object':
        if (typeof schema.additionalProperties === 'object') {
          return `Record<string, ${this.type(schema.additionalProperties)}>`;
        }
        return 'Record<string, unknown>';
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
        return schema.type;
      default:
        return 'unknown';
    }
  }
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function comment({ description }: Schema, indent: string): string {
  return description ? `${indent}/** ${description} */\n` : '';
}
