import { Kind, kinds, Schema, SchemaFile, target } from './schemas';

/** `docs/reference`: by path, one page per API group, and one for what Kubernetes itself defines. */
export function referenceOf(files: SchemaFile[]): Map<string, string> {
  const groups = Map.groupBy(files, (file) => file['x-group']);
  return new Map(
    [...groups].map(([group, members]) => [`docs/reference/${pageName(group)}`, page(group, members)] as const),
  );
}

/** The rows of the overview: `| [kind](page) | versions | … |`. */
export function overview(files: SchemaFile[]): string {
  const rows = kinds(files).map(({ file, name, kind }) => {
    const page = pageName(file['x-group']);
    return row([
      `[${name}](${page}#${anchor(name)})`,
      file['x-group'],
      versions(kind, file),
      kind.scope === 'Cluster' ? 'cluster' : 'namespace',
      kind.shortNames.join(', '),
      firstSentence(file.definitions[name].description ?? ''),
    ]);
  });
  return table(['Kind', 'Group', 'Versions', 'Belongs to', 'Short names', 'What it is'], rows);
}

function pageName(group: string): string {
  return `${group || 'kubernetes'}.md`;
}

function page(group: string, files: SchemaFile[]): string {
  const own = kinds(files);
  const isKind = new Set(own.map(({ file, name }) => `${file.name}/${name}`));
  const parts = files.flatMap((file) =>
    Object.keys(file.definitions)
      .filter((name) => !isKind.has(`${file.name}/${name}`))
      .map((name) => typeSection(file, name)),
  );
  return [
    '<!-- Generated from api/schema by scripts/generate.ts; edit those files. -->',
    `# ${group || 'Parts of Kubernetes'}`,
    ...files.map((file) => file.description).filter(Boolean),
    'How to read the tables: [README](README.md#how-to-read-the-tables).',
    ...own.map(({ file, name, kind }) => kindSection(file, name, kind)),
    '## Types',
    ...parts,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function kindSection(file: SchemaFile, name: string, kind: Kind): string {
  const schema = file.definitions[name];
  const facts = [
    `- Versions: ${versions(kind, file)}`,
    `- Belongs to: ${kind.scope === 'Cluster' ? 'the cluster' : 'a namespace'}`,
    `- Names: ${[kind.plural, name.toLowerCase(), ...kind.shortNames].map(code).join(', ')}`,
    ...(kind.categories.length > 0
      ? [`- Listed by: ${kind.categories.map((c) => code(`kubectl get ${c}`)).join(', ')}`]
      : []),
    ...(Object.keys(kind.subresources).length > 0
      ? [`- Subresources: ${Object.keys(kind.subresources).map(code).join(', ')}`]
      : []),
    ...(kind.printerColumns.length > 0
      ? [
          `- Columns: ${kind.printerColumns.map((c) => `${c.name} (${code(c.jsonPath)}${c.priority ? ', wide' : ''})`).join(', ')}`,
        ]
      : []),
    ...(kind.aggregated ? ['- Served by an aggregated API; nothing is stored.'] : []),
  ];
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([field]) => !['apiVersion', 'kind', 'metadata'].includes(field),
  );
  return [`## ${name}`, ...intro(schema), facts.join('\n'), fields(file, schema, properties), ...rules(schema)].join(
    '\n\n',
  );
}

function typeSection(file: SchemaFile, name: string): string {
  const schema = file.definitions[name];
  const properties = Object.entries(schema.properties ?? {});
  const body = properties.length > 0 ? fields(file, schema, properties) : plain(schema, file);
  return [`### ${name}`, ...intro(schema), body, ...rules(schema)].join('\n\n');
}

function intro({ description }: Schema): string[] {
  return description ? [description] : [];
}

function plain(schema: Schema, file: SchemaFile): string {
  if (schema.type === 'object' && schema.additionalProperties === false) return 'Has no fields.';
  return `Type: ${typeName(schema, file)}${schema.pattern ? `, matching ${code(String(schema.pattern))}` : ''}.`;
}

function fields(file: SchemaFile, schema: Schema, properties: [string, Schema][]): string {
  const rows = properties.map(([field, value]) => {
    const required = schema.required?.includes(field) ?? false;
    const { text, standard } = splitDefault(value.description ?? '');
    return row([
      code(field) + (required ? ' **required**' : ''),
      typeName(value, file),
      value.default === undefined ? standard : code(JSON.stringify(value.default)),
      allowed(value),
      text,
      source(value, required),
    ]);
  });
  return table(['Field', 'Type', 'Default', 'Allowed', 'Description', 'Rule from'], rows);
}

/** "Cores of each socket. Default: 1." -> the prose, and what is left out stands for. */
function splitDefault(description: string): { text: string; standard: string } {
  const match = /(?:^|\s)Default: (.*?)\.(?=\s|$)/s.exec(description);
  if (!match) return { text: description, standard: '' };
  const rest = description.slice(0, match.index) + description.slice(match.index + match[0].length);
  return { text: rest.trim(), standard: match[1] };
}

function typeName(schema: Schema, file: SchemaFile): string {
  if (schema.$ref) {
    const { file: other, definition } = target(schema.$ref, file.name);
    const group = other === file.name ? file['x-group'] : groupOf(other);
    const page = group === file['x-group'] ? '' : pageName(group);
    return `[${definition}](${page}#${anchor(definition)})`;
  }
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {}, file)}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `map of ${typeName(schema.additionalProperties, file)}`;
  }
  return schema.type ?? 'any';
}

function groupOf(file: string): string {
  const [group] = file.split('_');
  return group.includes('.') ? group : '';
}

function allowed(schema: Schema): string {
  const values = schema.enum ?? schema['x-enum'] ?? schema.items?.enum ?? schema.items?.['x-enum'];
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema as Record<string, number>;
  return [
    ...(values ? [values.map(code).join(', ')] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(pattern ? [code(String(pattern))] : []),
  ].join('; ');
}

function range(low: number | undefined, high: number | undefined, unit: string): string[] {
  if (low === undefined && high === undefined) return [];
  if (low === undefined) return [`at most ${high}${unit}`];
  return high === undefined ? [`at least ${low}${unit}`] : [`${low} to ${high}${unit}`];
}

/** Component that rejects forbidden values: the API server by the CRD, or the webhook. */
function source(schema: Schema, required: boolean): string {
  const closed = ['enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];
  const byServer = required || schema.items?.enum || closed.some((keyword) => schema[keyword] !== undefined);
  const byWebhook = schema['x-enum'] ?? schema.items?.['x-enum'];
  return [...(byServer ? ['CRD'] : []), ...(byWebhook ? ['webhook'] : [])].join(', ');
}

function rules(schema: Schema): string[] {
  const found = (schema['x-kubernetes-validations'] ?? []) as { rule: string; message?: string }[];
  if (found.length === 0) return [];
  return ['Rules (CRD):', found.map(({ rule, message }) => `- ${message ?? ''}: ${code(rule)}`).join('\n')];
}

function versions(kind: Kind, file: SchemaFile): string {
  return kind.versions
    .map(({ name, storage, deprecated }) => {
      const notes = [...(storage ? ['stored'] : []), ...(deprecated ? ['deprecated'] : [])];
      const shown = name === file['x-version'] ? `**${name}**` : name;
      return notes.length > 0 ? `${shown} (${notes.join(', ')})` : shown;
    })
    .join(', ');
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

function anchor(name: string): string {
  return name.toLowerCase();
}

function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function table(head: string[], rows: string[]): string {
  return [row(head), row(head.map(() => '---')), ...rows].join('\n');
}
