import { type Docs, type Method, OWN, type Reference, type Type, type Types, type Value } from './assembly';

/** Description of each room of src/constructs; files beside the rooms are `common`. */
const ROOMS: Readonly<Record<string, string>> = {
  compute: 'Virtual machines, instances, pools and replica sets; the CPU, memory, devices and firmware of a guest.',
  storage: 'Disks, where their data comes from, DataVolumes and the objects of CDI.',
  network: 'Network interfaces, bindings, attachments, Services and Ingresses.',
  'cloud-init': 'Users, files, packages, network and storage of a Linux guest at its first boot.',
  sysprep: 'Answer files for the unattended setup of Windows.',
  protection: 'Snapshots, restores, clones, exports, backups, migrations and disruption budgets.',
  platform: 'The platform itself: its components, configuration, images and access rules.',
  common: 'What the constructs of all rooms share.',
};

/** `API.md`, the index, and a page per room under `docs/api`, by path. */
export function apiPages(types: Types): Map<string, string> {
  const rooms = Map.groupBy(sorted(Object.values(types)), roomOf);
  const unknown = [...rooms.keys()].find((room) => !ROOMS[room]);
  if (unknown) throw new Error(`scripts/assembly/pages.ts: ROOMS has no description of the room "${unknown}"`);
  const known = Object.keys(ROOMS).flatMap((room) => {
    const members = rooms.get(room);
    return members ? [[room, members] as const] : [];
  });
  return new Map([
    ['API.md', indexPage(known, types)],
    ...known.map(([room, members]) => [`docs/api/${room}.md`, roomPage(room, members, types)] as const),
  ]);
}

function roomOf({ locationInModule: { filename } }: Type): string {
  return /^src\/constructs\/([\w-]+)\//.exec(filename)?.[1] ?? 'common';
}

interface Group {
  readonly title: string;
  readonly about: string;
  readonly members: readonly Type[];
  /** Whether its types are listed by name alone. */
  readonly brief?: boolean;
}

/** Order of the types on a page: those that a program names first, structs, whose names it rarely writes, last. */
function groupsOf(members: readonly Type[], types: Types): Group[] {
  const of = (want: string): Type[] => members.filter((type) => sortOf(type, types) === want);
  return [
    { title: 'Constructs', about: 'Each adds objects to a chart.', members: of('construct') },
    { title: 'Values', about: 'Made by their static methods, and passed to constructs.', members: of('value') },
    { title: 'Interfaces', about: 'What methods accept of any construct that offers it.', members: of('interface') },
    {
      title: 'Structs',
      about: 'Object literals that constructs and methods take.',
      members: of('struct'),
      brief: true,
    },
  ].filter(({ members: found }) => found.length > 0);
}

function sortOf(type: Type, types: Types): 'construct' | 'value' | 'interface' | 'struct' {
  if (type.kind === 'interface') return type.datatype ? 'struct' : 'interface';
  for (let base = type.base; base; base = types[base]?.base) {
    if (base === 'constructs.Construct' || base === 'cdk8s.ApiObject') return 'construct';
  }
  return 'value';
}

function indexPage(rooms: readonly (readonly [string, readonly Type[]])[], types: Types): string {
  const link = new Links(types, '');
  const parts = rooms.flatMap(([room, members]) => [
    `## [${room}](docs/api/${room}.md)`,
    ROOMS[room]!,
    ...groupsOf(members, types).map(({ title, members: found, brief }) =>
      brief ? `${title}: ${names(found, link)}` : table([title, ''], found.map(overview(link))),
    ),
  ]);
  return page('API.md', [
    '# API reference',
    'Every type that `virt8s` exports, with one page for each room of the library. Types that `virt8s/pulumi` adds are ' +
      'in the [Pulumi guide](docs/guides/pulumi.md). The raw kinds, with every field, are in ' +
      '[docs/reference](docs/reference/README.md); `cdk8s import` makes L1 classes of the files in `imports/`.',
    ...parts,
  ]);
}

function roomPage(room: string, members: readonly Type[], types: Types): string {
  const link = new Links(types, room);
  const groups = groupsOf(members, types);
  return page(`docs/api/${room}.md`, [
    `# ${room}`,
    `${ROOMS[room]} [All rooms](../../API.md).`,
    ...groups.map(({ title, members: found, brief }) =>
      brief
        ? `[${title}](#${anchor(title)}): ${names(found, link)}`
        : table([`[${title}](#${anchor(title)})`, ''], found.map(overview(link))),
    ),
    ...groups.flatMap(({ title, about, members: found }) => [
      `## ${title}`,
      about,
      ...found.flatMap((type) => section(type, link, types)),
    ]),
  ]);
}

function page(path: string, parts: readonly string[]): string {
  const banner = `<!-- ${path}: generated from the docstrings of src/constructs by scripts/generate.ts; edit those. -->`;
  return `${[banner, ...parts].join('\n\n')}\n`;
}

function section(type: Type, link: Links, types: Types): string[] {
  const { initializer, docs } = type;
  const visible = <T extends { readonly protected?: boolean }>(all: readonly T[] = []): T[] =>
    sorted(all.filter((each) => !each.protected) as (T & { name: string })[]);
  const properties = visible(type.properties);
  const methods = visible(type.methods);
  const bases = [...(type.base ? [type.base] : []), ...(type.interfaces ?? [])];
  const isStruct = type.kind === 'interface' && type.datatype;
  const made = type.kind === 'class' && initializer && !initializer.protected && !type.abstract;
  return [
    `### ${type.name}`,
    ...prose(docs, link),
    ...(bases.length > 0 ? [`${isStruct ? 'Also has the properties of' : 'Extends'} ${link.list(bases)}.`] : []),
    ...(made ? [`**new ${type.name}**(${parameters(initializer.parameters, link)})`] : []),
    ...memberTable(
      'Constant',
      properties.filter((each) => each.static),
      (each) => [code(each.name), link.text(sentence(each.docs))],
    ),
    ...memberTable(
      'Static method',
      methods.filter((each) => each.static),
      methodRow(link),
    ),
    ...memberTable(
      'Method',
      methods.filter((each) => !each.static),
      methodRow(link),
    ),
    ...(isStruct
      ? structTable(properties, link)
      : memberTable(
          'Property',
          properties.filter((each) => !each.static),
          (each) => [`${code(each.name)}: ${link.type(each.type)}`, link.text(sentence(each.docs))],
        )),
    ...inherited(type, link, types),
  ];
}

/** Properties and methods of the bases, by name: each is described where it is declared. */
function inherited(type: Type, link: Links, types: Types): string[] {
  const own = new Set([...(type.properties ?? []), ...(type.methods ?? [])].map(({ name }) => name));
  const bases = type.kind === 'class' ? [type.base] : (type.interfaces ?? []);
  return bases.flatMap((fqn) => {
    const base = fqn === undefined ? undefined : types[fqn];
    if (!base) return [];
    const found = sorted([...(base.properties ?? []), ...(base.methods ?? [])])
      .filter(({ name, protected: hidden, static: fixed }) => !hidden && !fixed && !own.has(name))
      .map(({ name }) => code(name));
    const rest = inherited(base, link, types);
    return found.length > 0 ? [`From ${link.of(base.fqn)}: ${found.join(', ')}.`, ...rest] : rest;
  });
}

function structTable(properties: readonly Value[], link: Links): string[] {
  if (properties.length === 0) return [];
  const rows = properties.map(({ name, type, optional, docs }) => [
    code(name) + (optional ? '' : ' **required**'),
    link.type(type),
    cell(docs?.default?.replace(/^- /, '') ?? ''),
    link.text(sentence(docs)),
  ]);
  return [table(['Property', 'Type', 'Default', 'Description'], rows)];
}

function memberTable<T>(head: string, members: readonly T[], row: (member: T) => string[]): string[] {
  return members.length > 0 ? [table([head, 'Description'], members.map(row))] : [];
}

const methodRow =
  (link: Links) =>
  ({ name, docs, parameters: given, returns }: Method): string[] => {
    const described = (given ?? []).filter((each) => each.docs?.summary);
    const returned = returns ? `: ${link.type(returns.type)}` : '';
    return [
      `**${name}**(${parameters(given, link)})${returned}`,
      [
        link.text(sentence(docs)),
        ...described.map((each) => `${code(each.name)}: ${link.text(sentence(each.docs))}`),
        ...(docs?.returns ? [`Returns ${cell(docs.returns)}`] : []),
      ].join('<br>'),
    ];
  };

function parameters(given: readonly Value[] | undefined, link: Links): string {
  const one = ({ name, type, optional, variadic }: Value): string =>
    `${variadic ? '...' : ''}${name}${optional && !variadic ? '?' : ''}: ${link.type(type)}${variadic ? '[]' : ''}`;
  return (given ?? []).map(one).join(', ');
}

const overview =
  (link: Links) =>
  ({ fqn, docs }: Type): string[] => [link.of(fqn), link.text(cell(docs?.summary ?? ''))];

function names(types: readonly Type[], link: Links): string {
  return `${types.map(({ fqn }) => link.of(fqn)).join(', ')}.`;
}

/** Links from one page to the descriptions of types. */
class Links {
  public constructor(
    private readonly types: Types,
    /** Room of the page; empty for the index. */
    private readonly room: string,
  ) {}

  public of(fqn: string): string {
    const type = this.types[fqn];
    // classes of cdk8s and its kin show where they come from
    if (!type) return code(fqn.replace(/^constructs\./, ''));
    const room = roomOf(type);
    const path = this.room === '' ? `docs/api/${room}.md` : room === this.room ? '' : `${room}.md`;
    return `[${type.name}](${path}#${anchor(type.name)})`;
  }

  /** A docstring with its `{@link …}`s. */
  public text(docstring: string): string {
    return docstring.replace(/\{@link\s+([\w.]+)\s*\}/g, (_, target: string) => {
      const [name] = target.split('.');
      return this.of(OWN + name).replace(/^\[\w+\]/, `[${target}]`);
    });
  }

  public list(fqns: readonly string[]): string {
    return fqns.map((fqn) => this.of(fqn)).join(', ');
  }

  public type(type: Reference): string {
    if ('primitive' in type) return type.primitive;
    if ('fqn' in type) return this.of(type.fqn);
    if ('union' in type) return type.union.types.map((each) => this.type(each)).join(' \\| ');
    const { kind, elementtype } = type.collection;
    const element = this.type(elementtype);
    return kind === 'array' ? `${'union' in elementtype ? `(${element})` : element}\\[]` : `map of ${element}`;
  }
}

/** A type's own docstring: whole paragraphs. */
function prose(docs: Docs = {}, link: Links): string[] {
  const { summary, remarks, example, see, deprecated } = docs;
  return [
    ...(deprecated ? [`Deprecated: ${deprecated}`] : []),
    ...(summary ? [link.text(summary)] : []),
    ...(remarks ? [link.text(remarks.trim())] : []),
    ...(see ? [`See ${see}.`] : []),
    ...(example ? [`\`\`\`ts\n${example.trim()}\n\`\`\``] : []),
  ];
}

/** A member's docstring in one cell. */
function sentence(docs: Docs = {}): string {
  const { summary, remarks, deprecated } = docs;
  return cell([deprecated ? `Deprecated: ${deprecated}` : '', summary, remarks].filter(Boolean).join(' '));
}

function cell(text: string): string {
  return text.trim().replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function sorted<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function anchor(title: string): string {
  return title.toLowerCase();
}

function code(text: string): string {
  return `\`${text}\``;
}
