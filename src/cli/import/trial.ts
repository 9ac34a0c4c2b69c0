/** Runs what is about to be written, and sees what it makes. */
import { keys } from '../../api/keys';
import type * as cdk8s from 'cdk8s';
import type * as virt8s from '../../constructs';
import { steps } from './difference';
import { call, evaluate, exported, type Expression, type Scope, type Statement, value, variable } from './expression';
import type { Surroundings } from './kinds/kind';

/** What the code of an app imports; loaded when an import runs, and not before. */
export interface Libraries {
  readonly cdk8s: typeof cdk8s;
  readonly virt8s: typeof virt8s;
}

/** Something that an earlier line of the program declares, as far as others look at it. */
export interface Stand {
  readonly name: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly namespace?: string };
}

/** What a run came to. */
export interface Outcome {
  /** As they would be written; undefined when the code throws. */
  readonly objects?: readonly unknown[];
  /** What was thrown, at construction or at synth. */
  readonly refusal?: string;
}

/** Name of the constant that holds the chart. */
export const CHART = 'chart';

/** Runs the lines for one object in a chart of their own. */
export function tryOut(
  libraries: Libraries,
  statements: readonly Statement[],
  stands: ReadonlyMap<string, Stand>,
  judge: boolean,
  gates: readonly string[] = [],
): Outcome {
  const { App, Chart, ApiObject } = libraries.cdk8s;
  try {
    const app = new App();
    switchOn(app, gates);
    const chart = new Chart(app, CHART, { disableResourceNameHashes: true });
    run(libraries, statements, new Map<string, unknown>([...stands, [CHART, chart]]));
    if (judge) return { objects: chart.toJson() as unknown[] };
    const made = chart.node.findAll().filter((each) => ApiObject.isApiObject(each)) as cdk8s.ApiObject[];
    return { objects: made.map((each) => each.toJson() as unknown) };
  } catch (thrown) {
    return { refusal: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Where the constructs find the configuration of the cluster that they are judged for. */
export const CONFIGURATION = keys.configurationContext;

/** A configuration of the KubeVirt object with these feature gates. */
export const withGates = (gates: readonly string[]): object => ({
  developerConfiguration: { featureGates: [...gates] },
});

/** The app is for a cluster with these feature gates. */
function switchOn(app: cdk8s.App, gates: readonly string[]): void {
  if (gates.length > 0) app.node.setContext(CONFIGURATION, withGates(gates));
}

/** The feature gates that a refusal asks for. */
export const gatesIn = (refusal: string): string[] => [
  ...new Set(
    [...refusal.matchAll(/add (\w+) to spec\.configuration\.developerConfiguration\.featureGates/g)].map(
      ([, gate]) => gate!,
    ),
  ),
];

/** Runs statements one after the other; their constants are added to the variables. */
export function run(libraries: Libraries, statements: readonly Statement[], variables: Map<string, unknown>): void {
  const scope: Scope = { libraries: libraries as unknown as Scope['libraries'], variables };
  for (const { declares, expression } of statements) {
    const made = evaluate(expression, scope);
    if (declares !== undefined) variables.set(declares, made);
  }
}

/** The chart, as the code names it. */
export const chartVariable: Expression = variable(CHART);

/** What mappings may ask of the libraries. */
export function helpers(
  libraries: Libraries,
  stands: ReadonlyMap<string, Stand>,
): Pick<Surroundings, 'choice' | 'exact' | 'distance'> {
  const exports = libraries.virt8s as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const scope: Scope = { libraries: libraries as unknown as Scope['libraries'], variables: stands };
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
