/** Validates all objects together, after each was validated alone. */
import { type Declared, raw } from './convert';
import { equal } from './difference';
import { construct, type Expression, method, object, partsOf, type Statement, value, variable } from './expression';
import type { Manifest, Surroundings } from './kinds/kind';
import type { Names } from './names';
import {
  CHART,
  CONFIGURATION,
  type Libraries,
  linesOf,
  type Rejection,
  rejectionOf,
  run,
  type Constant,
  withGates,
} from './trial';

/** Chart of the program. */
export interface ChartOf {
  /** Name of its constant. */
  readonly name: string;
  /** Id, and name of its file in dist/. */
  readonly id: string;
}

/** Object of the program. */
export interface Item {
  readonly object: Manifest;
  readonly file: string;
  readonly stripped: readonly string[];
  readonly chart: number;
  readonly id: string;
  readonly comment?: readonly string[];
  declared: Declared;
  /** Reason for a separate app, and the constants of that app and chart. */
  apart?: { readonly reason: readonly string[]; readonly app: string; readonly chart: ChartOf };
  /** Whether all alternatives were tried. */
  isLast?: boolean;
  /** Names of the constants to which it refers. */
  readonly around: Surroundings;
  readonly constants: ReadonlyMap<string, Constant>;
}

/** Feature gates that objects of the app require. */
export const gatesOf = (items: readonly Item[]): string[] =>
  [...new Set(items.flatMap(({ apart, declared }) => (apart === undefined ? (declared.gates ?? []) : [])))].sort();

/**
 * Runs everything together. An object that is valid alone but rejected together with the others gets a separate app:
 * its cluster may contain what it needs.
 */
export function settle(libraries: Libraries, items: readonly Item[], charts: readonly ChartOf[], names: Names): void {
  for (;;) {
    const rejected = [...rejectedOf(libraries, items, charts)];
    if (rejected.length === 0) return;
    // of two conflicting objects, one can stay
    for (const [item, rejection] of rejected.length > MANY ? rejected : rejected.slice(-1)) {
      if (rejection !== undefined && item.apart === undefined)
        item.apart = apartFor(item, rejection.lines, items, charts, names);
      else if (item.isLast)
        throw new Error(`${item.object.kind} ${item.id} cannot be declared: ${rejection?.lines.join('\n') ?? ''}`);
      else {
        item.isLast = true;
        item.declared = raw(libraries, item.object, item, rejection);
      }
    }
  }
}

/** Above this number, objects are not tried one by one. */
const MANY = 20;

function apartFor(
  { around, chart, id }: Item,
  reason: readonly string[],
  items: readonly Item[],
  charts: readonly ChartOf[],
  names: Names,
): Item['apart'] {
  const isOnly = items.filter((item) => item.chart === chart).length === 1;
  const file = isOnly ? charts[chart]!.id : chartId(`${charts[chart]!.id}-${id}`);
  const [app, own] = ['app', 'chart'].map((what) => names.identifier(`${around.name} ${what}`)) as [string, string];
  return { reason, app, chart: { name: own, id: file } };
}

/** Converts a text to the id of a chart, which names its file. */
export function chartId(text: string): string {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return label === '' ? 'app' : label;
}

/** Charts that contain objects. */
export const chartsIn = (items: readonly Item[], charts: readonly ChartOf[]): ChartOf[] =>
  charts.filter((_, i) => items.some((item) => item.chart === i && item.apart === undefined));

/** Objects that are rejected, with the reason, or that render differently than alone, without a reason. */
function rejectedOf(
  libraries: Libraries,
  items: readonly Item[],
  charts: readonly ChartOf[],
): Map<Item, Rejection | undefined> {
  const { ApiObject } = libraries.cdk8s;
  const variables = new Map<string, unknown>();
  run(libraries, opening(items, charts), variables);
  const rejected = new Map<Item, Rejection | undefined>();
  const used = usedIn(items);
  for (const item of items) {
    try {
      run(libraries, [...apartOpening(item), ...declaring(item, used, charts)], variables);
    } catch (thrown) {
      rejected.set(item, rejectionOf(thrown));
    }
  }
  if (rejected.size > 0) return rejected;
  type Node = {
    node: { validate(): string[]; findAll(): Node[]; tryFindChild(id: string): Node | undefined; root: Node };
  };
  const roots = items.map((item) => variables.get(chartNameOf(item, charts)) as Node);
  // collect findings from each root, so that rules about the whole app run again
  for (const app of new Set(roots.map((chart) => chart.node.root))) app.node.validate();
  items.forEach((item, i) => {
    const nodes = roots[i]!.node.tryFindChild(item.id)?.node.findAll() ?? [];
    const mistakes = nodes.flatMap((each) => each.node.validate());
    const made = nodes
      .filter((each) => ApiObject.isApiObject(each))
      .map((each) => (each as never as { toJson(): unknown }).toJson());
    if (mistakes.length > 0) rejected.set(item, { lines: mistakes.flatMap(linesOf), gates: [] });
    else if (made.length !== 1 || !equal(made[0], item.object)) rejected.set(item, undefined);
  });
  return rejected;
}

/** Constants that a line uses. */
export function usedIn(items: readonly Item[]): Set<string> {
  const used = new Set<string>();
  for (const { expression } of items.flatMap((item) => item.declared.statements)) {
    for (const part of partsOf(expression)) if (part.type === 'variable') used.add(part.name);
  }
  return used;
}

const isHashless = object({ disableResourceNameHashes: value(true) });

/** Statement `const chart = new Chart(app, 'web', …)`. */
export const chartStatement = ({ name, id }: ChartOf, app = 'app'): Statement => ({
  declares: name,
  expression: construct('Chart', variable(app), value(id), isHashless),
});

/** Statements for the app and its charts. */
function opening(items: readonly Item[], charts: readonly ChartOf[]): Statement[] {
  const app: Statement = { declares: 'app', expression: construct('App') };
  return [app, ...contextOf('app', gatesOf(items)), ...chartsIn(items, charts).map((chart) => chartStatement(chart))];
}

/** Statement that sets the feature gates of an app's cluster. */
export function contextOf(app: string, gates: readonly string[]): Statement[] {
  if (gates.length === 0) return [];
  const comment = ['the constructs are validated for a cluster whose KubeVirt object enables these feature gates'];
  const expression = method(variable(app), 'node.setContext', value(CONFIGURATION), value(withGates(gates)));
  return [{ comment, expression }];
}

const chartNameOf = (item: Item, charts: readonly ChartOf[]): string => (item.apart?.chart ?? charts[item.chart]!).name;

/** Comment and statements before an object in a separate app. */
export function apartOpening({ apart, declared }: Item): Statement[] {
  if (!apart) return [];
  const outdir: Expression = { type: 'member', of: variable('app'), name: 'outdir' };
  return [
    {
      declares: apart.app,
      comment: [
        'In a separate app, because it would be rejected together with the others:',
        ...apart.reason.map((line) => `  ${line}`),
      ],
      expression: construct('App', object({ outdir })),
    },
    ...contextOf(apart.app, declared.gates ?? []),
    chartStatement(apart.chart, apart.app),
  ];
}

/** Statements after it. */
export const apartEnd = (item: Item): Statement[] =>
  item.apart ? [{ expression: method(variable(item.apart.app), 'synth') }] : [];

/** Lines of an item; its constant is declared only if a line uses it. */
export function declaring(item: Item, needed: ReadonlySet<string>, charts: readonly ChartOf[]): Statement[] {
  const { declared, around } = item;
  const [first, ...rest] = declared.statements;
  const { declares: _, ...anonymous } = first!;
  const chart = chartNameOf(item, charts);
  const lines = [{ ...anonymous, ...(needed.has(around.name) ? { declares: around.name } : {}) }, ...rest];
  return lines.map((statement) => ({ ...statement, expression: renamed(statement.expression, chart) }));
}

/** Item with the constant of its chart in the program. */
const renamed = (expression: Expression, chart: string): Expression =>
  expression.type === 'new'
    ? {
        ...expression,
        args: expression.args.map((arg) => (arg.type === 'variable' && arg.name === CHART ? variable(chart) : arg)),
      }
    : expression;
