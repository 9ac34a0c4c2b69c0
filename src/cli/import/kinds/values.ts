/** Converts values of a manifest to types of properties; undefined if a value has another type. Pure. */
import { isFields } from '../difference';
import { call, type Expression, list, object, value } from '../expression';
import type { Surroundings } from './kind';

export type Fields = Readonly<Record<string, unknown>>;

/** Fields of an object; empty for other values. */
export const fieldsOf = (given: unknown): Fields => (isFields(given) ? given : {});
/** Items of a list, if all of them are objects. */
export const itemsOf = (given: unknown): readonly Fields[] | undefined =>
  Array.isArray(given) && given.every(isFields) ? given : undefined;

export const text = (given: unknown): Expression | undefined => (typeof given === 'string' ? value(given) : undefined);
export const number = (given: unknown): Expression | undefined =>
  typeof given === 'number' && Number.isFinite(given) ? value(given) : undefined;
export const flag = (given: unknown): Expression | undefined => (typeof given === 'boolean' ? value(given) : undefined);
export const texts = (given: unknown): Expression | undefined =>
  Array.isArray(given) && given.every((item) => typeof item === 'string') ? value(given) : undefined;
/** Object whose values are strings. */
export const textMap = (given: unknown): Expression | undefined =>
  isFields(given) && Object.values(given).every((item) => typeof item === 'string') ? value(given) : undefined;

const UNITS = ['kibibytes', 'mebibytes', 'gibibytes', 'tebibytes', 'pebibytes'];

/** Quantity that a `Size` renders identically: `2Gi`, but not `2048Mi` or `2G`. */
export function size(given: unknown): Expression | undefined {
  const [, digits, unit] = (typeof given === 'string' && /^([1-9]\d{0,14})([KMGTP])i$/.exec(given)) || [];
  if (digits === undefined || unit === undefined) return undefined;
  const index = 'KMGTP'.indexOf(unit);
  if (Number(digits) % 1024 === 0 && unit !== 'P') return undefined;
  return call(`Size.${UNITS[index]}`, value(Number(digits)));
}

/** Whole seconds as a duration in the largest unit without a fraction. */
export function seconds(given: unknown): Expression | undefined {
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0) return undefined;
  if (given > 0 && given % 3600 === 0) return call('Duration.hours', value(given / 3600));
  if (given > 0 && given % 60 === 0) return call('Duration.minutes', value(given / 60));
  return call('Duration.seconds', value(given));
}

/** Value of an enumeration. */
export const choice = (around: Surroundings, name: string, given: unknown): Expression | undefined =>
  typeof given === 'string' ? around.choice(name, given) : undefined;

export const choices = (around: Surroundings, name: string, given: unknown): Expression | undefined =>
  Array.isArray(given) && given.every((item) => typeof item === 'string')
    ? list(given.map((item) => around.choice(name, item)))
    : undefined;

/** Reference to an object of this kind by name. */
export const named = (
  around: Surroundings,
  kind: string | readonly string[],
  given: unknown,
  namespace?: string,
): Expression | undefined => (typeof given === 'string' ? around.reference(kind, given, namespace) : undefined);

/** Object with at least one property, or undefined. */
export function some(entries: Readonly<Record<string, Expression | undefined>>): Expression | undefined {
  const made = object(entries);
  return made.entries.length > 0 ? made : undefined;
}

/** Maps the items of a list; undefined if an item maps to undefined. */
export function each(
  given: unknown,
  make: (item: Fields, index: number) => Expression | undefined,
): Expression | undefined {
  const items = itemsOf(given)?.map(make);
  if (!items || items.length === 0) return undefined;
  return items.every((item): item is Expression => item !== undefined) ? list(items) : undefined;
}

/** Only key of an object. */
export function onlyKey(given: unknown): string | undefined {
  const keys = isFields(given) ? Object.keys(given) : [];
  return keys.length === 1 ? keys[0] : undefined;
}

/** Duration in the notation that constructs render: `90s`, but not `1m30s`. */
export function secondsText(given: unknown): Expression | undefined {
  const [, count] = (typeof given === 'string' && /^(0|[1-9]\d{0,9})s$/.exec(given)) || [];
  return count === undefined ? undefined : seconds(Number(count));
}

/** Duration in the largest unit without a fraction. */
export function milliseconds(given: unknown): Expression | undefined {
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0) return undefined;
  return given % 1000 === 0 ? seconds(given / 1000) : call('Duration.millis', value(given));
}

const MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Parses `5m`, `90s` or `36h`: one unit, the largest without a fraction. */
export function duration(given: unknown): Expression | undefined {
  if (given === '0s') return call('Duration.seconds', value(0));
  const [, count, unit] = (typeof given === 'string' && /^([1-9]\d{0,9})(h|m|s|ms)$/.exec(given)) || [];
  if (count === undefined || unit === undefined) return undefined;
  const total = Number(count) * MILLISECONDS[unit]!;
  const largest = Object.keys(MILLISECONDS).find((each) => total % MILLISECONDS[each]! === 0);
  return largest === unit ? milliseconds(total) : undefined;
}
