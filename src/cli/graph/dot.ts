/** A graph in Graphviz' language. Pure. */
import type { Graph, Node } from './model';

/** Fill colour by the role of an object for a guest. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^VirtualMachine(Instance|InstanceReplicaSet|Pool)?$/, '#cfe3ff'],
  [/^(DataVolume|DataSource|DataImportCron|PersistentVolume(Claim)?|Storage\w+|Volume\w+)$/, '#d9f0d3'],
  [/^(Service|Ingress|NetworkAttachmentDefinition|NetworkPolicy)$/, '#ffe2c2'],
  [/^(Secret|ConfigMap|ServiceAccount)$/, '#f6d5d5'],
  [/(Instancetype|Preference|PriorityClass|MigrationPolicy)$/, '#e6dcf5'],
  [/^VirtualMachine\w+$/, '#fff3b8'],
];
const OTHER = '#eeeeee';

/** Longer texts are cut: they would make unreadably wide boxes. */
const MAX_TEXT = 60;

/** Graph in the DOT language. The same graph always gives the same text. */
export function dotOf({ nodes, edges }: Graph): string {
  const names = titlesOf(nodes);
  const namespaces = [...new Set(nodes.map(({ namespace }) => namespace))].filter((each) => each !== undefined);
  const grouped = namespaces.length > 1;
  const draw = (node: Node): string => `${quote(names.get(node.id)!)} [${attributes(node)}];`;
  return [
    'digraph virt8s {',
    '  graph [rankdir=LR, fontname="Arial", fontsize=11, nodesep=0.25, ranksep=0.9];',
    '  node [fontname="Arial", fontsize=11, shape=plain];',
    '  edge [fontname="Arial", fontsize=9, color="#555555", fontcolor="#555555", arrowsize=0.7];',
    ...nodes.filter(({ namespace }) => !grouped || namespace === undefined).map((node) => `  ${draw(node)}`),
    ...(grouped
      ? namespaces.flatMap((namespace, i) => [
          `  subgraph cluster_${i} {`,
          `    label=<${html(`namespace ${namespace}`)}>; style=rounded; color="#bbbbbb";`,
          ...nodes.filter((node) => node.namespace === namespace).map((node) => `    ${draw(node)}`),
          '  }',
        ])
      : []),
    ...edges.map(({ from, row, to, role }) => {
      const start = `${quote(names.get(from)!)}${row ? `:${row}:e` : ''}`;
      const label = role ? ` [label=<${html(role)}>${role === 'selects' ? ', color="#c06a00"' : ''}]` : '';
      return `  ${start} -> ${quote(names.get(to)!)}${label};`;
    }),
    '}',
    '',
  ].join('\n');
}

function attributes({ kind, name, summary, rows, presence }: Node): string {
  const colour = COLOURS.find(([pattern]) => pattern.test(kind))?.[1] ?? OTHER;
  const fill = presence === 'elsewhere' ? '#ffffff' : colour;
  const lines = [
    `<B>${roomy(name)}</B>`,
    `<FONT POINT-SIZE="9" COLOR="#444444">${roomy(kind)}</FONT>`,
    ...(summary ? [`<FONT POINT-SIZE="9">${roomy(summary)}</FONT>`] : []),
  ];
  const style = presence === 'elsewhere' ? ' STYLE="DASHED"' : ' STYLE="ROUNDED"';
  const cells = rows.map(
    (row) =>
      `<TR><TD ALIGN="LEFT" PORT="${row.id}"><FONT POINT-SIZE="9">${html(short(row.text))}${space(row.text)}</FONT></TD></TR>`,
  );
  const head = `<TR><TD>${lines.join('<BR/>')}</TD></TR>`;
  const table = `<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="1" CELLPADDING="4" COLOR="#555555" BGCOLOR="${fill}"${style}>`;
  return `class="${presence}", label=<${table}${head}${rows.length > 0 ? '<HR/>' : ''}${cells.join('')}</TABLE>>`;
}

/** Padding: boxes are measured in Arial, and the font of a viewer (such as DejaVu) may be a fifth wider. */
const space = (text: string): string => '&#160;'.repeat(Math.ceil(Math.min(text.length, MAX_TEXT) / 5));
const roomy = (text: string): string => {
  const side = '&#160;'.repeat(Math.ceil(Math.min(text.length, MAX_TEXT) / 9));
  return `${side}${html(short(text))}${side}`;
};

const short = (text: string): string => {
  const characters = [...text];
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT - 1).join('')}…` : text;
};

/** Escapes text for XML; characters that XML does not allow become `?`. Never empty: Graphviz rejects empty labels. */
function html(text: string): string {
  return clean(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`) || ' ';
}

const clean = (text: string): string => text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu, '?');

/** Removes characters that Graphviz cannot write in the titles that it derives from node names. */
function titlesOf(nodes: readonly Node[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ id }, i) => {
      const plain = clean(id).replace(/["\\]/g, '_');
      const title = taken.has(plain) ? `${plain}~${i}` : plain;
      taken.add(title);
      return [id, title];
    }),
  );
}

const quote = (name: string): string => `"${name}"`;
