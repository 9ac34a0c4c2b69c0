import type { IConstruct } from 'constructs';
import { clusterConfig, type CodeFinding, findingsOf, type KubeVirt, type RuleId, textOf } from '../api';
import { type Declared, lintObject, lintTogether, worldOf } from '../api/lint';
import { reportsOf } from '../constructs/reports';
import { isConstruct, objectsOf, type Testable, titleOf } from './objects';

/** Mistake that synth or admission rejects. */
export interface Mistake {
  /** Path of the construct, or name of the object. */
  readonly where: string;
  /** Description with field and remedy. */
  readonly text: string;
  /** Name of the rule, such as `disk-has-volume`. Undefined for a check of another library. */
  readonly rule?: RuleId;
  /** The finding as data. Undefined for a check of another library. */
  readonly finding?: CodeFinding;
}

/**
 * Returns every mistake that synth and admission would report for an app, a chart, a construct or objects. Referenced
 * objects that are not among these are assumed to exist in the cluster.
 */
export function mistakesOf(given: Testable): Mistake[] {
  return isConstruct(given) ? mistakesOfConstructs(given) : mistakesOfObjects(given);
}

function mistakesOfConstructs(scope: IConstruct): Mistake[] {
  const { root } = scope.node;
  // the root is validated first, which makes the others see the current state of the app
  const asRoot = scope === root ? [] : reportsOf([root]);
  return [...asRoot, ...reportsOf(scope.node.findAll())].map(({ construct: where, text, finding }) =>
    finding ? mistakeOf(where, { ...finding, subject: undefined }) : { where, text },
  );
}

function mistakesOfObjects(given: Testable): Mistake[] {
  const objects = objectsOf(given);
  const kubeVirt = objects.find(({ kind }) => kind === 'KubeVirt') as KubeVirt | undefined;
  const config = clusterConfig(kubeVirt);
  const world = worldOf(
    objects.map((object): Declared => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      name: object.metadata?.name ?? '',
      namespace: object.metadata?.namespace,
      where: titleOf(object),
      object: () => object,
    })),
  );
  return objects.flatMap((object) =>
    [...lintObject(object, config, world), ...lintTogether(object, config, world)].map((finding) =>
      mistakeOf(titleOf(object), finding),
    ),
  );
}

const mistakeOf = (where: string, finding: CodeFinding): Mistake => {
  return { where, text: textOf(finding), rule: finding.rule, finding };
};

/** @internal Formats mistakes, one below the other. */
export function formatMistakes(mistakes: readonly Mistake[]): string {
  return mistakes
    .map(({ where, text, rule }) => {
      const lines = text.replace(/\n\s*/g, '\n    ');
      return `  ${where ? `${where}: ` : ''}${lines}${rule ? ` [${rule}]` : ''}`;
    })
    .join('\n');
}

/** @throws Error that lists every mistake, if there are any */
export function expectValid(given: Testable): void {
  const mistakes = mistakesOf(given);
  if (mistakes.length === 0) return;
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  throw new Error(`expected no mistake, found ${count}:\n${formatMistakes(mistakes)}`);
}

/** Returns the mistakes of a program: those that constructs throw, and those that synth reports for its result. */
export function mistakesIn(program: () => unknown): Mistake[] {
  let made: unknown;
  try {
    made = program();
  } catch (error) {
    const findings = findingsOf(error);
    if (!findings) throw error;
    return findings.map((finding) => mistakeOf(finding.subject ?? '', { ...finding, subject: undefined }));
  }
  const isTestable = isConstruct(made) || (made !== undefined && made !== null);
  return isTestable ? mistakesOf(made as Testable) : [];
}
