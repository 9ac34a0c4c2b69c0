import type { KubeObject } from '../api';
import { type ExpectedObject, findObjects, missing } from './find';
import { formatMistakes, type Mistake, mistakesIn, mistakesOf } from './mistakes';
import { isConstruct, objectsOf, type Testable, titleOf } from './objects';

/** Result of a matcher, as jest and vitest expect it. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

const result = (pass: boolean, failed: () => string, passed: () => string): MatcherResult => ({
  pass,
  message: () => (pass ? passed() : failed()),
});

/** Matchers for `expect.extend(matchers)` of jest and vitest. */
export const matchers = {
  /** Passes if the app, chart, construct or list has an object with these fields. */
  toHaveObject(received: unknown, expected: ExpectedObject): MatcherResult {
    const found = findObjects(received as Testable, expected);
    return result(
      found.length > 0,
      () => missing(objectsOf(received), expected),
      () => `expected no such object, found ${found.map(titleOf).join(', ')}`,
    );
  },

  /** Passes if neither synth nor admission would report a mistake. */
  toBeValid(received: unknown): MatcherResult {
    return valid(mistakesOf(received as Testable));
  },

  /** Passes if there is at least one virtual machine, and none has a mistake. */
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
   * Passes if the app, chart, construct or objects have a mistake of this rule or with this text. A function is called:
   * it may throw the mistake, or return what contains it.
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
 * Types of {@link matchers}. Importing this module adds them to jest's `expect`; for vitest, add
 * `declare module 'vitest' { interface Matchers<T> extends Virt8sMatchers<T> {} }`.
 */
export interface Virt8sMatchers<R> {
  /** Passes if there is an object with these fields. */
  toHaveObject(expected: ExpectedObject): R;
  /** Passes if neither synth nor admission would report a mistake. */
  toBeValid(): R;
  /** Passes if there is at least one virtual machine, and none has a mistake. */
  toBeValidVirtualMachine(): R;
  /** Passes if there is a mistake of this rule or with this text. */
  toReportMistake(rule: string | RegExp): R;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- jest declares its matchers in a namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- as jest has it
    interface Matchers<R, T = {}> extends Virt8sMatchers<R> {}
  }
}
