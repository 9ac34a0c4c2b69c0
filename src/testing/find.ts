import type { KubeObject } from '../api';
import { formatMismatch, mismatches } from './contains';
import { objectsOf, type Testable, type TestedObject, titleOf } from './objects';

/** Fields that an object must have. Objects may have additional fields; lists must have the same length. */
export interface ExpectedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Any other field of the manifest: `data`, `rules`, `webhooks` … */
  readonly [field: string]: unknown;
}

function manifestOf({ name, namespace, labels, annotations, ...rest }: ExpectedObject): object {
  const metadata = Object.fromEntries(
    Object.entries({ name, namespace, labels, annotations }).filter(([, value]) => value !== undefined),
  );
  return { ...rest, metadata: { ...(rest.metadata as object | undefined), ...metadata } };
}

/** Returns the objects that match. */
export function findObjects(given: Testable, expected: ExpectedObject): TestedObject[] {
  const wanted = manifestOf(expected);
  return objectsOf(given).filter((object) => mismatches(object, wanted).length === 0);
}

/**
 * Returns the one object that matches.
 *
 * @throws Error that shows how the nearest objects differ, or that several objects match
 */
export function theObject(given: Testable, expected: ExpectedObject): TestedObject {
  const found = findObjects(given, expected);
  if (found.length === 1) return found[0];
  if (found.length > 1) {
    throw new Error(`expected one object, found ${found.length}: ${found.map(titleOf).join(', ')}; give its name`);
  }
  throw new Error(missing(objectsOf(given), expected));
}

const MAX_SHOWN = 3;

/** @internal Describes the nearest objects and how they differ from the expectation. */
export function missing(objects: readonly KubeObject[], expected: ExpectedObject): string {
  const { kind, name } = expected;
  const head = `expected ${kind}${name === undefined ? '' : ` ${name}`}`;
  const same = objects.filter((object) => object.kind === kind);
  if (same.length === 0) {
    const kinds = [...new Set(objects.map((object) => object.kind))].sort();
    return `${head}; there is no object of this kind, only ${kinds.join(', ') || 'nothing'}`;
  }
  const wanted = manifestOf(expected);
  const near = same
    .map((object) => ({ object, wrong: mismatches(object, wanted) }))
    .sort((a, b) => a.wrong.length - b.wrong.length)
    .slice(0, MAX_SHOWN);
  return [
    `${head}; the nearest:`,
    ...near.flatMap(({ object, wrong }) => [
      `  ${titleOf(object)}`,
      ...wrong.map((mismatch) => `    ${formatMismatch(mismatch)}`),
    ]),
  ].join('\n');
}
