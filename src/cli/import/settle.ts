/** Whether what holds for each object alone holds for all together. */
import { type Declared, raw } from './convert';
import { equal } from './difference';
import { construct, type Expression, method, object, partsOf, type Statement, value, variable } from './expression';
import type { Manifest, Surroundings } from './kinds/kind';
import type { Names } from './names';
import { CHART, CONFIGURATION, type Libraries, run, type Stand, withGates } from './trial';

/** A chart of the program. */
export interface ChartOf {
  /** Its constant. */
  readonly name: string;
  /** Its id, and so the name of its file in dist/. */
  readonly id: string;
}

/** An object of the program. */
export interface Item {
  readonly object: Manifest;
  readonly file: string;
  readonly stripped: readonly string[];
  readonly chart: number;
  readonly id: string;
  readonly comment?: readonly string[];
  declared: Declared;
  /** Why it cannot be in one app with the others, and the constants of its own app and chart. */
  apart?: { readonly reason: string; readonly app: string; readonly chart: ChartOf };
  /** Nothing else can be tried. */
  isLast?: boolean;
  /** Names of what it refers to. */
  readonly around: Surroundings;
  readonly stands: ReadonlyMap<string, Stand>;
}

/** Feature gates that some object of the app needs. */
export const gatesOf = (items: readonly Item[]): string[] =>
  [...new Set(items.flatMap(({ apart, declared }) => (apart === undefined ? (declared.gates ?? []) : [])))].sort();

/**
 * Runs everything together. What is refused beside the others, although not alone, gets an app of its own: its cluster
 * may hold what would make it right.
 */
export function settle(libraries: Libraries, items: readonly Item[], charts: readonly ChartOf[], names: Names): void {
  for (;;) {
    const refused = [...refusedOf(libraries, items, charts)];
    if (refused.length === 0) return;
    // of two that exclude each other, one may stay
    for (const [item, refusal] of refused.length > MANY ? refused : refused.slice(-1)) {
      if (refusal !== undefined && item.apart === undefined) item.apart = apartFor(item, refusal, items, charts, names);
      else if (item.isLast) throw new Error(`${item.object.kind} ${item.id} cannot be declared: ${refusal ?? ''}`);
      else {
        item.isLast = true;
        item.declared = raw(libraries, item.object, item, refusal);
      }
    }
  }
}

/** More than this are not tried one by one. */
const MANY = 20;

function apartFor(
  { around, chart, id }: Item,
  reason: string,
  items: readonly Item[],
  charts: readonly ChartOf[],
  names: Names,
): Item['apart'] {
  const isOnly = items.filter((item) => item.chart === chart).length === 1;
  const file = isOnly ? charts[chart]!.id : chartId(`${charts[chart]!.id}-${id}`);
  const [app, own] = ['app', 'chart'].map((what) => names.identifier(`${around.name} ${what}`)) as [string, string];
  return { reason, app, chart: { name: own, id: file } };
}

/** A text as the id of a chart, which becomes the name of its file. */
export function chartId(text: string): string {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return label === '' ? 'app' : label;
}

/** Charts that hold something of their own. */
export const chartsIn = (items: readonly Item[], charts: readonly ChartOf[]): ChartOf[] =>
  charts.filter((_, i) => items.some((item) => item.chart === i && item.apart === undefined));

/** Who is refused, and why; without a reason, who becomes another object than alone. */
function refusedOf(
  libraries: Libraries,
  items: readonly Item[],
  charts: readonly ChartOf[],
): Map<Item, string | undefined> {
  const { ApiObject } = libraries.cdk8s;
  const variables = new Map<string, unknown>();
  run(libraries, opening(items, charts), variables);
  const refused = new Map<Item, string | undefined>();
  const used = usedIn(items);
  for (const item of items) {
    try {
      run(libraries, [...apartOpening(item), ...declaring(item, used, charts)], variables);
    } catch (thrown) {
      refused.set(item, thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  if (refused.size > 0) return refused;
  type Node = {
    node: { validate(): string[]; findAll(): Node[]; tryFindChild(id: string): Node | undefined; root: Node };
  };
  const roots = items.map((item) => variables.get(chartNameOf(item, charts)) as Node);
  // the roots are asked first: what rules find out about a whole app is found anew
  for (const app of new Set(roots.map((chart) => chart.node.root))) app.node.validate();
  items.forEach((item, i) => {
    const nodes = roots[i]!.node.tryFindChild(item.id)?.node.findAll() ?? [];
    const mistakes = nodes.flatMap((each) => each.node.validate());
    const made = nodes
      .filter((each) => ApiObject.isApiObject(each))
      .map((each) => (each as never as { toJson(): unknown }).toJson());
    if (mistakes.length > 0) refused.set(item, mistakes.join('\n'));
    else if (made.length !== 1 || !equal(made[0], item.object)) refused.set(item, undefined);
  });
  return refused;
}

/** Constants that some line uses. */
export function usedIn(items: readonly Item[]): Set<string> {
  const used = new Set<string>();
  for (const { expression } of items.flatMap((item) => item.declared.statements)) {
    for (const part of partsOf(expression)) if (part.type === 'variable') used.add(part.name);
  }
  return used;
}

const isHashless = object({ disableResourceNameHashes: value(true) });

/** `const chart = new Chart(app, 'web', …)` */
export const chartStatement = ({ name, id }: ChartOf, app = 'app'): Statement => ({
  declares: name,
  expression: construct('Chart', variable(app), value(id), isHashless),
});

/** The app itself, and its charts. */
function opening(items: readonly Item[], charts: readonly ChartOf[]): Statement[] {
  const app: Statement = { declares: 'app', expression: construct('App') };
  return [app, ...contextOf('app', gatesOf(items)), ...chartsIn(items, charts).map((chart) => chartStatement(chart))];
}

/** The feature gates of an app's cluster. */
export function contextOf(app: string, gates: readonly string[]): Statement[] {
  if (gates.length === 0) return [];
  const comment = ['the constructs are judged for a cluster whose KubeVirt object switches these feature gates on'];
  const expression = method(variable(app), 'node.setContext', value(CONFIGURATION), value(withGates(gates)));
  return [{ comment, expression }];
}

const chartNameOf = (item: Item, charts: readonly ChartOf[]): string => (item.apart?.chart ?? charts[item.chart]!).name;

/** What stands before an object that is not in one app with the others. */
export function apartOpening({ apart, declared }: Item): Statement[] {
  if (!apart) return [];
  const outdir: Expression = { type: 'member', of: variable('app'), name: 'outdir' };
  return [
    {
      declares: apart.app,
      comment: ['In an app of its own, since beside the others it would be refused:', ...reasons(apart.reason)],
      expression: construct('App', object({ outdir })),
    },
    ...contextOf(apart.app, declared.gates ?? []),
    chartStatement(apart.chart, apart.app),
  ];
}

/** What stands behind it. */
export const apartEnd = (item: Item): Statement[] =>
  item.apart ? [{ expression: method(variable(item.apart.app), 'synth') }] : [];

/** Lines of a refusal, for a comment. */
const reasons = (refusal: string): string[] => refusal.split('\n').map((line) => `  ${line.trim()}`);

/** The lines of an item; its constant is declared when a line of any item needs it. */
export function declaring(item: Item, needed: ReadonlySet<string>, charts: readonly ChartOf[]): Statement[] {
  const { declared, around } = item;
  const [first, ...rest] = declared.statements;
  const { declares: _, ...anonymous } = first!;
  const chart = chartNameOf(item, charts);
  const lines = [{ ...anonymous, ...(needed.has(around.name) ? { declares: around.name } : {}) }, ...rest];
  return lines.map((statement) => ({ ...statement, expression: renamed(statement.expression, chart) }));
}

/** The same, with the name that its chart has in the program. */
const renamed = (expression: Expression, chart: string): Expression =>
  expression.type === 'new'
    ? {
        ...expression,
        args: expression.args.map((arg) => (arg.type === 'variable' && arg.name === CHART ? variable(chart) : arg)),
      }
    : expression;
