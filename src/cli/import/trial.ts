/** Runs the code before it is written and compares the objects that it renders. */
import { errorText } from '../../api/error-text';
import { keys } from '../../api/keys';
import type * as cdk8s from 'cdk8s';
import type { FeatureGate } from '../../api/feature-gates';
import { findingsOf } from '../../api/findings';
import type * as virt8s from '../../constructs';
import { reportsOf } from '../../constructs/reports';
import { steps } from './difference';
import { call, evaluate, exported, type Expression, type Scope, type Statement, value, variable } from './expression';
import type { Surroundings } from './kinds/kind';

/** Libraries that the code imports; loaded only when an import runs. */
export interface Libraries {
  readonly cdk8s: typeof cdk8s;
  readonly virt8s: typeof virt8s;
}

/** Constant that an earlier line of the program declares. */
export interface Constant {
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly namespace?: string };
}

/** Result of a run. */
export interface Outcome {
  /** Rendered objects; undefined if the code throws. */
  readonly objects?: readonly unknown[];
  /** Undefined if construction and synth succeed. */
  readonly rejection?: Rejection;
}

/** Error of construction or synth. */
export interface Rejection {
  /** Lines of its text. */
  readonly lines: readonly string[];
  /** Feature gates that permit what the findings report. */
  readonly gates: readonly FeatureGate[];
}

/** Returns why code failed: the error of a construct, or the reports of the constructs that synth validated. */
export function rejectionOf(thrown: unknown, app?: cdk8s.App): Rejection {
  const reports = findingsOf(thrown) || !app ? [] : reportsOf(app.node.findAll());
  const findings = findingsOf(thrown) ?? reports.flatMap(({ finding }) => finding ?? []);
  const text = errorText(thrown);
  return {
    lines: reports.length > 0 ? reports.flatMap((report) => linesOf(report.text)) : linesOf(text),
    gates: [...new Set(findings.flatMap(({ gates = [] }) => gates.slice(0, 1)))],
  };
}

/** Lines of a text, without indentation. */
export const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim());

/** Name of the chart's constant. */
export const CHART = 'chart';

/** Runs the lines for one object in a separate chart. */
export function tryOut(
  libraries: Libraries,
  statements: readonly Statement[],
  constants: ReadonlyMap<string, Constant>,
  synthesize: boolean,
  gates: readonly string[] = [],
): Outcome {
  const { App, Chart, ApiObject } = libraries.cdk8s;
  const app = new App();
  try {
    switchOn(app, gates);
    const chart = new Chart(app, CHART, { disableResourceNameHashes: true });
    run(libraries, statements, new Map<string, unknown>([...constants, [CHART, chart]]));
    if (synthesize) return { objects: chart.toJson() as unknown[] };
    const made = chart.node.findAll().filter((each) => ApiObject.isApiObject(each)) as cdk8s.ApiObject[];
    return { objects: made.map((each) => each.toJson() as unknown) };
  } catch (thrown) {
    return { rejection: rejectionOf(thrown, app) };
  }
}

/** Context key of the cluster configuration against which constructs are validated. */
export const CONFIGURATION = keys.configurationContext;

/** Configuration of the KubeVirt object with these feature gates. */
export const withGates = (gates: readonly string[]): object => ({
  developerConfiguration: { featureGates: [...gates] },
});

/** Validates the app for a cluster with these feature gates. */
function switchOn(app: cdk8s.App, gates: readonly string[]): void {
  if (gates.length > 0) app.node.setContext(CONFIGURATION, withGates(gates));
}

/** Runs statements in order and adds their constants to the variables. */
export function run(libraries: Libraries, statements: readonly Statement[], variables: Map<string, unknown>): void {
  const scope: Scope = { libraries: libraries as unknown as Scope['libraries'], variables };
  for (const { declares, expression } of statements) {
    const made = evaluate(expression, scope);
    if (declares !== undefined) variables.set(declares, made);
  }
}

/** Reference to the chart's constant. */
export const chartVariable: Expression = variable(CHART);

/** Functions for mappings, with these libraries. */
export function helpers(
  libraries: Libraries,
  constants: ReadonlyMap<string, Constant>,
): Pick<Surroundings, 'choice' | 'exact' | 'distance'> {
  const exports = libraries.virt8s as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const scope: Scope = { libraries: libraries as unknown as Scope['libraries'], variables: constants };
  const distance: Surroundings['distance'] = (expression, wanted, render) => {
    try {
      return steps(render(evaluate(expression, scope) as never), wanted).length;
    } catch {
      return Infinity;
    }
  };
  return {
    choice: (name, given) => {
      const known = Object.entries(exports[name] ?? {}).find(
        ([key, each]) => /^[A-Z0-9_]+$/.test(key) && (each as { value?: unknown } | undefined)?.value === given,
      );
      return known ? exported(`${name}.${known[0]}`) : call(`${name}.of`, value(given));
    },
    exact: (expression, wanted, render) => (distance(expression, wanted, render) === 0 ? expression : undefined),
    distance,
  };
}
