/** All objects -> the program that declares them. */
import { cleaned } from './clean';
import { declare, type Declared, raw } from './convert';
import { equal } from './difference';
import { construct, type Expression, method, object, partsOf, type Statement, value, variable } from './expression';
import type { Manifest, Surroundings } from './kinds/kind';
import { Names } from './names';
import { oneLine, printStatement } from './print';
import { CHART, CONFIGURATION, helpers, type Libraries, run, type Stand, switchOn, withGates } from './trial';

/** The objects of one file. */
export interface Source {
  /** As the user named it; `-` is standard input. */
  readonly file: string;
  readonly objects: readonly Manifest[];
  /** Said before the object of this place in the code. */
  readonly comments?: ReadonlyMap<number, readonly string[]>;
}

export interface ProgramOptions {
  /** How the command was called, for the comment at the top. */
  readonly command: string;
  /** The module is an ES module: it has no `__dirname`. */
  readonly esm?: boolean;
}

/** What became of one object. */
export interface Told extends Declared {
  readonly object: Manifest;
  readonly file: string;
  readonly stripped: readonly string[];
}

export interface Program {
  readonly text: string;
  readonly told: readonly Told[];
}

interface Item {
  readonly object: Manifest;
  readonly file: string;
  readonly stripped: readonly string[];
  readonly chart: number;
  readonly id: string;
  readonly comment?: readonly string[];
  declared: Declared;
  /** Names of what it refers to. */
  readonly around: Surroundings;
  readonly stands: ReadonlyMap<string, Stand>;
}

/** Writes the program. It was run before it is answered: it makes these objects, in this order. */
export function programOf(libraries: Libraries, sources: readonly Source[], options: ProgramOptions): Program {
  const names = new Names();
  const charts = chartsOf(sources, names);
  const items = itemsOf(libraries, sources, names);
  settle(libraries, items, charts);
  const told = items.map(({ object: given, file, stripped, declared }) => ({
    ...declared,
    object: given,
    file,
    stripped,
  }));
  return { text: textOf(items, charts, names, options), told };
}

interface ChartOf {
  /** Its constant. */
  readonly name: string;
  /** Its id, and so the name of its file in dist/. */
  readonly id: string;
}

function chartsOf(sources: readonly Source[], names: Names): ChartOf[] {
  const ids = new Names();
  if (sources.length === 1) return [{ name: names.identifier(CHART), id: chartId(sources[0]!.file) }];
  return sources.map(({ file }) => {
    const id = ids.text(chartId(file));
    return { id, name: names.identifier(`${id}-chart`) };
  });
}

/** `manifests/my_vm.yaml` -> `my-vm`: a chart's id becomes a file name. */
function chartId(file: string): string {
  const base =
    file === '-'
      ? 'app'
      : file
          .replace(/\/+$/, '')
          .replace(/^.*\//, '')
          .replace(/\.(ya?ml|json|xml)$/i, '');
  const label = base
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return label === '' ? 'app' : label;
}

function itemsOf(libraries: Libraries, sources: readonly Source[], names: Names): Item[] {
  const constants = new Map<string, string>();
  const stands = new Map<string, Stand>();
  const help = helpers(libraries, stands);
  const configured = sources.some(({ objects }) => objects.some(({ kind }) => kind === 'KubeVirt'));
  return sources.flatMap((source, chart) => {
    const ids = new Names();
    return source.objects.map((given, place): Item => {
      const { object: kept, stripped } = cleaned(given);
      const object = kept as Manifest;
      const { kind, apiVersion, metadata } = object;
      const called = String(metadata.name ?? metadata.generateName ?? kind).replace(/-+$/, '');
      const name = names.identifier(called, kind);
      const id = ids.text(idOf(called), idOf(`${called}-${kind.toLowerCase()}`));
      const namespace = typeof metadata.namespace === 'string' ? metadata.namespace : undefined;
      const around: Surroundings = {
        ...help,
        name,
        object: { name: String(metadata.name), namespace },
        reference: (kinds, wanted, inNamespace = namespace) => {
          const keys = [kinds].flat().map((each) => keyOf(each, inNamespace, wanted));
          const found = keys.map((key) => constants.get(key)).find((constant) => constant !== undefined);
          return found === undefined ? objectNamed(wanted) : variable(found);
        },
      };
      const declared = declare(libraries, object, { id, around, stands, configured });
      if (typeof metadata.name === 'string') {
        constants.set(keyOf(kind, namespace, metadata.name), name);
        stands.set(name, { name: metadata.name, kind, apiVersion, metadata: { namespace } });
      }
      const comment = source.comments?.get(place);
      return { object, file: source.file, stripped, chart, id, declared, around, stands, comment };
    });
  });
}

const keyOf = (kind: string, namespace: string | undefined, name: string): string =>
  `${kind}/${namespace ?? ''}/${name}`;

const objectNamed = (name: string): Expression => object({ name: value(name) });

/** A construct's id: `/` parts a path. */
const idOf = (name: string): string => name.replaceAll('/', '.') || 'object';

/** Feature gates that some object needs. */
const gatesOf = (items: readonly Item[]): string[] =>
  [...new Set(items.flatMap(({ declared }) => declared.gates ?? []))].sort();

/** Runs everything together, and declares raw what would not hold in the company of the others. */
function settle(libraries: Libraries, items: Item[], charts: readonly ChartOf[]): void {
  const { App, Chart, ApiObject } = libraries.cdk8s;
  for (let round = 0; round <= items.length; round++) {
    const app = new App();
    switchOn(app, gatesOf(items));
    const variables = new Map<string, unknown>();
    const made = charts.map(({ name, id }) => {
      const chart = new Chart(app, id, { disableResourceNameHashes: true });
      variables.set(name, chart);
      return chart;
    });
    const refused = new Map<Item, string>();
    const used = usedIn(items);
    const roots = items.map((item) => {
      const chart = made[item.chart]!;
      try {
        run(libraries, inChart(declaring(item, used), charts[item.chart]!.name), variables);
      } catch (thrown) {
        refused.set(item, thrown instanceof Error ? thrown.message : String(thrown));
      }
      return chart.node.tryFindChild(item.id);
    });
    if (refused.size === 0) {
      // the root is asked first: what rules find out about the whole app is found anew
      app.node.validate();
      roots.forEach((root, i) => {
        const mistakes = root?.node.findAll().flatMap((each) => each.node.validate()) ?? [];
        if (mistakes.length > 0) refused.set(items[i]!, mistakes.join('\n'));
        else if (!root) refused.set(items[i]!, 'it was not made');
        else {
          const objects = root.node.findAll().filter((each) => ApiObject.isApiObject(each));
          const made = objects.map((each) => (each as { toJson(): unknown }).toJson());
          if (made.length !== 1 || !equal(made[0], items[i]!.object)) refused.set(items[i]!, 'it makes another object');
        }
      });
    }
    if (refused.size === 0) return;
    for (const [item, refusal] of refused) {
      if (item.declared.refusal !== undefined && item.declared.idiomatic === 0 && round > 0) throw new Error(refusal);
      item.declared = raw(libraries, item.object, item, refusal);
    }
  }
}

/** The lines of an item; its constant is declared when a line of any item needs it. */
function declaring({ declared, around: { name } }: Item, needed: ReadonlySet<string>): Statement[] {
  const [first, ...rest] = declared.statements;
  const { declares: _, ...anonymous } = first!;
  return [{ ...anonymous, ...(needed.has(name) ? { declares: name } : {}) }, ...rest];
}

/** Constants that some line uses. */
function usedIn(items: readonly Item[]): Set<string> {
  const used = new Set<string>();
  for (const { expression } of items.flatMap((item) => item.declared.statements)) {
    for (const part of partsOf(expression)) if (part.type === 'variable') used.add(part.name);
  }
  return used;
}

/** The same lines, with the name that their chart has in the program. */
function inChart(statements: readonly Statement[], chart: string): Statement[] {
  return statements.map((statement) => ({ ...statement, expression: renamed(statement.expression, chart) }));
}

const renamed = (expression: Expression, chart: string): Expression =>
  expression.type === 'new'
    ? {
        ...expression,
        args: expression.args.map((arg) => (arg.type === 'variable' && arg.name === CHART ? variable(chart) : arg)),
      }
    : expression;

function textOf(
  items: readonly Item[],
  charts: readonly ChartOf[],
  names: Names,
  { command, esm }: ProgramOptions,
): string {
  const chartLines = charts.map(({ name, id }): Statement => ({
    declares: name,
    expression: construct('Chart', variable('app'), value(id), object({ disableResourceNameHashes: value(true) })),
  }));
  const used = usedIn(items);
  const blocks = charts.map((chart, i) => {
    const own = items.filter((item) => item.chart === i);
    return [
      printStatement(chartLines[i]!),
      ...own.map((item) => {
        const lines = inChart(declaring(item, used), chart.name);
        const comment = [...(item.comment ?? []), ...(lines[0]!.comment ?? [])];
        return withConstants([{ ...lines[0]!, comment }, ...lines.slice(1)], names)
          .map(printStatement)
          .join('');
      }),
    ];
  });
  const gates = gatesOf(items);
  const context: Statement = {
    comment: ['the constructs are judged for a cluster whose KubeVirt object switches these feature gates on'],
    expression: method(variable('app'), 'node.setContext', value(CONFIGURATION), value(withGates(gates))),
  };
  const expressions = [...chartLines, ...items.flatMap((item) => item.declared.statements)].map(
    (each) => each.expression,
  );
  const folder = esm ? 'import.meta.dirname' : '__dirname';
  const outdir = `process.env.CDK8S_OUTDIR ?? join(${folder}, 'dist')`;
  return [
    `// ${oneLine(`written by: ${command}`)}\n`,
    `import { join } from 'node:path';\n`,
    importsOf(expressions),
    '\n',
    `// the manifests go to dist/ beside this file\nconst app = new App({ outdir: ${outdir} });\n`,
    gates.length > 0 ? printStatement(context) : '',
    ...(blocks.length === 1 ? [blocks[0]!.join('\n')] : blocks.map((block) => `\n${block.join('\n')}`)),
    '\napp.synth();\n',
  ].join('');
}

function importsOf(expressions: readonly Expression[]): string {
  const used = { cdk8s: new Set(['App']), virt8s: new Set<string>() };
  for (const expression of expressions) {
    for (const part of partsOf(expression)) if (part.type === 'exported') used[part.library].add(part.path[0]!);
  }
  return (['cdk8s', 'virt8s'] as const)
    .filter((library) => used[library].size > 0)
    .map((library) => importOf([...used[library]].sort(), library))
    .join('');
}

function importOf(names: readonly string[], library: string): string {
  const line = `import { ${names.join(', ')} } from '${library}';\n`;
  return line.length <= 121 ? line : `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${library}';\n`;
}

/** Long texts become constants before the statement that uses them. */
function withConstants(statements: readonly Statement[], names: Names): Statement[] {
  return statements.flatMap((statement, i) => {
    const constants: Statement[] = [];
    const expression = hoisted(statement.expression, (text, hint) => {
      const name = names.identifier(hint);
      constants.push({ declares: name, expression: { type: 'text', name, value: text } });
      return name;
    });
    if (constants.length === 0) return [statement];
    const [first, ...rest] = constants;
    return [
      { ...first!, comment: i === 0 ? statement.comment : undefined },
      ...rest,
      { ...statement, comment: i === 0 ? undefined : statement.comment, expression },
    ];
  });
}

function hoisted(expression: Expression, constant: (text: string, hint: string) => string): Expression {
  const again = (inner: Expression): Expression => hoisted(inner, constant);
  switch (expression.type) {
    case 'text':
      return { ...expression, name: constant(expression.value, expression.name) };
    case 'object':
      return { ...expression, entries: expression.entries.map(([key, inner]) => [key, again(inner)] as const) };
    case 'list':
      return { ...expression, items: expression.items.map(again) };
    case 'call':
    case 'new':
      return { ...expression, args: expression.args.map(again) };
    default:
      return expression;
  }
}
