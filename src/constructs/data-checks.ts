/** Checks of data that is written to YAML. */
import { allOf, brief, broken, right, type Wrong, wrong } from './type-mistakes';
import { isBare, isRecord, isToken } from './value-kinds';

/** Checks that the value can be written to YAML: no class instances other than numbers and strings, and no cycles. */
export function dataCheck(value: unknown, at: string, within: readonly unknown[]): readonly Wrong[] {
  if (value === null || WRITTEN.has(typeof value) || isToken(value) || isUnion(value)) return right;
  if (typeof value !== 'object' || !isData(value) || within.includes(value)) {
    return wrong(
      at,
      value,
      'data that YAML can represent',
      'use strings, numbers, true and false, in lists and objects',
    );
  }
  const unbound = outOfBounds(value, at, within.length);
  if (unbound) return unbound;
  return allOf(Object.entries(value), ([key, each]) =>
    dataCheck(each, Array.isArray(value) ? `${at}[${key}]` : `${at}.${brief(key)}`, [...within, value]),
  );
}

/** Limits depth and length, so that no code recurses too deeply. Cycles are reported elsewhere. */
export function boundCheck(value: unknown, at: string, depth: number, seen: Set<unknown>): readonly Wrong[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return right;
  seen.add(value);
  return (
    outOfBounds(value, at, depth) ??
    allOf(Object.values(value) as unknown[], (each) => boundCheck(each, at, depth + 1, seen))
  );
}

function outOfBounds(value: object, at: string, depth: number): readonly Wrong[] | undefined {
  if (depth > MOST_LEVELS) return broken(at, `at most ${MOST_LEVELS} levels deep`, 'make it flat');
  return Array.isArray(value) ? tooLong(value, at) : undefined;
}

export function tooLong(list: readonly unknown[], at: string): readonly Wrong[] | undefined {
  if (list.length <= MOST_ITEMS) return undefined;
  return broken(at, `a list of at most ${MOST_ITEMS} items`, 'check the code that builds it');
}

const MOST_LEVELS = 100;
const MOST_ITEMS = 10_000;

const WRITTEN: ReadonlySet<string> = new Set(['undefined', 'string', 'number', 'boolean']);
/** YAML can represent a Date. cdk8s identifies an object's class by its field `constructor`, so data must not have one. */
const isData = (value: object): boolean =>
  Array.isArray(value) ||
  (value instanceof Date && !Number.isNaN(value.getTime())) ||
  (Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, 'constructor'));
/** Recognizes `IntOrString` and `Quantity` of cdk8s-plus. */
const isUnion = (value: unknown): boolean =>
  isRecord(value) && !isBare(value) && ['string', 'number'].includes(typeof value.value);
