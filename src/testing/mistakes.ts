import type { IConstruct } from 'constructs';
import { clusterConfig, describe, type KubeVirt } from '../api';
import { type Declared, lintObject, lintTogether, worldOf } from '../api/lint';
import { isConstruct, objectsOf, type Testable, titleOf } from './objects';

/** Something that synth, or admission, would refuse. */
export interface Mistake {
  /** Where: the construct's path, or the object. */
  readonly where: string;
  /** What is wrong, with field and remedy. */
  readonly text: string;
  /** Name of the rule: `disk-has-volume`. Undefined for a check that is not of virt8s. */
  readonly rule?: string;
}

/**
 * Everything that is wrong with an app, a chart, a construct, or objects: what synth would tell, and admission after it.
 * Objects that are named and are not among these are assumed to be in the cluster.
 */
export function mistakesOf(given: Testable): Mistake[] {
  return isConstruct(given) ? mistakesOfConstructs(given) : mistakesOfObjects(given);
}

function mistakesOfConstructs(scope: IConstruct): Mistake[] {
  const { root } = scope.node;
  // the root is asked first: it makes the others look at the app as it is now
  const asRoot = scope === root ? [] : root.node.validate().map((text) => mistakeOf('', text));
  return [
    ...asRoot,
    ...scope.node
      .findAll()
      .flatMap((construct) => construct.node.validate().map((text) => mistakeOf(construct.node.path, text))),
  ];
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
    [...lintObject(object, config, world), ...lintTogether(object, config, world)].map((error) => ({
      where: titleOf(object),
      text: `${error.path}: ${describe(error)}`,
      rule: error.rule,
    })),
  );
}

/** @internal The last word of a mistake is its rule in brackets. */
export function mistakeOf(where: string, text: string): Mistake {
  const rule = /\[([\w-]+)\]\s*$/.exec(text)?.[1];
  return { where, text: text.replace(/\s*\[[\w-]+\]\s*$/, ''), ...(rule === undefined ? {} : { rule }) };
}

/** @internal One below the other. */
export function formatMistakes(mistakes: readonly Mistake[]): string {
  return mistakes
    .map(({ where, text, rule }) => {
      const lines = text.replace(/\n\s*/g, '\n    ');
      return `  ${where ? `${where}: ` : ''}${lines}${rule ? ` [${rule}]` : ''}`;
    })
    .join('\n');
}

/** @throws Error that tells every mistake, when there is one */
export function expectValid(given: Testable): void {
  const mistakes = mistakesOf(given);
  if (mistakes.length === 0) return;
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  throw new Error(`expected no mistake, found ${count}:\n${formatMistakes(mistakes)}`);
}

/**
 * The mistakes of a program: those that it throws when a construct is made, and those that synth would tell of what it
 * returns.
 */
export function mistakesIn(program: () => unknown): Mistake[] {
  let made: unknown;
  try {
    made = program();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ValidationError') throw error;
    return thrown(error.message);
  }
  const isTestable = isConstruct(made) || (made !== undefined && made !== null);
  return isTestable ? mistakesOf(made as Testable) : [];
}

/** Each mistake of a message ends with its rule. */
function thrown(message: string): Mistake[] {
  const parts = message.match(/[^]*?\[[\w-]+\](?=\n|$)/g) ?? [message];
  return parts.map((part) => mistakeOf('', part.trim()));
}
