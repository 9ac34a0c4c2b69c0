import type { KubeObject } from '../api';
import { type ExpectedObject, findObjects, missing } from './find';
import { formatMistakes, type Mistake, mistakesIn, mistakesOf } from './mistakes';
import { isConstruct, objectsOf, type Testable, titleOf } from './objects';

/** What a matcher answers to jest or vitest. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

const result = (pass: boolean, failed: () => string, passed: () => string): MatcherResult => ({
  pass,
  message: () => (pass ? passed() : failed()),
});

/** For `expect.extend(matchers)` of jest and vitest. */
export const matchers = {
  /** The app, chart, construct or list has an object that is like this. */
  toHaveObject(received: unknown, expected: ExpectedObject): MatcherResult {
    const found = findObjects(received as Testable, expected);
    return result(
      found.length > 0,
      () => missing(objectsOf(received), expected),
      () => `expected no such object, found ${found.map(titleOf).join(', ')}`,
    );
  },

  /** Synth, and admission after it, would find nothing wrong. */
  toBeValid(received: unknown): MatcherResult {
    return valid(mistakesOf(received as Testable));
  },

  /** It is, or makes, virtual machines, and none of them has a mistake. */
  toBeValidVirtualMachine(received: unknown): MatcherResult {
    const objects = objectsOf(received);
    const machines = objects.filter(({ kind }) => kind === 'VirtualMachine');
    if (machines.length === 0) {
      const kinds = objects.map((object: KubeObject) => object.kind).join(', ');
      return result(false, () => `expected a VirtualMachine, found ${kinds || 'no object'}`, String);
    }
    return valid(isConstruct(received) ? mistakesOf(received) : mistakesOf(machines));
  },

  /**
   * The app, chart, construct or objects have a mistake by this rule, or with this text; a function makes it, or returns
   * what has it.
   */
  toReportMistake(received: unknown, expected: string | RegExp): MatcherResult {
    const mistakes =
      typeof received === 'function' ? mistakesIn(received as () => unknown) : mistakesOf(received as Testable);
    const isIt = ({ rule, text }: Mistake): boolean =>
      typeof expected === 'string' ? rule === expected : expected.test(text);
    const found = mistakes.filter(isIt);
    return result(
      found.length > 0,
      () =>
        `expected the mistake ${String(expected)}, found ${mistakes.length === 0 ? 'none' : `others:\n${formatMistakes(mistakes)}`}`,
      () => `expected no mistake ${String(expected)}, found:\n${formatMistakes(found)}`,
    );
  },
};

const valid = (mistakes: readonly Mistake[]): MatcherResult =>
  result(
    mistakes.length === 0,
    () => `expected no mistake, found:\n${formatMistakes(mistakes)}`,
    () => 'expected a mistake, found none',
  );

/**
 * The types of {@link matchers}. jest's `expect` has them when this module is imported; for vitest, add
 * `declare module 'vitest' { interface Matchers<T> extends Virt8sMatchers<T> {} }`.
 */
export interface Virt8sMatchers<R> {
  /** There is an object that is like this: each field that is given. */
  toHaveObject(expected: ExpectedObject): R;
  /** Synth, and admission after it, would find nothing wrong. */
  toBeValid(): R;
  /** It is, or makes, virtual machines, and none of them has a mistake. */
  toBeValidVirtualMachine(): R;
  /** There is a mistake by this rule, or with this text. */
  toReportMistake(rule: string | RegExp): R;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- it is jest's
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- as jest has it
    interface Matchers<R, T = {}> extends Virt8sMatchers<R> {}
  }
}
