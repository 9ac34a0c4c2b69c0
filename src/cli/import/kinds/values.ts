/** Values of a manifest as the types of properties; undefined where a value is none of that type. Pure. */
import { isFields } from '../difference';
import { call, type Expression, list, object, value } from '../expression';
import type { Surroundings } from './kind';

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; of anything else none. */
export const fieldsOf = (given: unknown): Fields => (isFields(given) ? given : {});
/** The items of a list, when all of them are objects. */
export const itemsOf = (given: unknown): readonly Fields[] | undefined =>
  Array.isArray(given) && given.every(isFields) ? given : undefined;

export const text = (given: unknown): Expression | undefined => (typeof given === 'string' ? value(given) : undefined);
export const number = (given: unknown): Expression | undefined =>
  typeof given === 'number' && Number.isFinite(given) ? value(given) : undefined;
export const flag = (given: unknown): Expression | undefined => (typeof given === 'boolean' ? value(given) : undefined);
export const texts = (given: unknown): Expression | undefined =>
  Array.isArray(given) && given.every((item) => typeof item === 'string') ? value(given) : undefined;
/** An object whose values are texts. */
export const textMap = (given: unknown): Expression | undefined =>
  isFields(given) && Object.values(given).every((item) => typeof item === 'string') ? value(given) : undefined;

const UNITS = ['kibibytes', 'mebibytes', 'gibibytes', 'tebibytes', 'pebibytes'];

/** A quantity that a Size writes the same way: `2Gi`, and not `2048Mi` or `2G`. */
export function size(given: unknown): Expression | undefined {
  const [, digits, unit] = (typeof given === 'string' && /^([1-9]\d{0,14})([KMGTP])i$/.exec(given)) || [];
  if (digits === undefined || unit === undefined) return undefined;
  const index = 'KMGTP'.indexOf(unit);
  if (Number(digits) % 1024 === 0 && unit !== 'P') return undefined;
  return call(`Size.${UNITS[index]}`, value(Number(digits)));
}

/** Whole seconds, in the largest unit that needs no fraction. */
export function seconds(given: unknown): Expression | undefined {
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0) return undefined;
  if (given > 0 && given % 3600 === 0) return call('Duration.hours', value(given / 3600));
  if (given > 0 && given % 60 === 0) return call('Duration.minutes', value(given / 60));
  return call('Duration.seconds', value(given));
}

/** One of the values of a choice. */
export const choice = (around: Surroundings, name: string, given: unknown): Expression | undefined =>
  typeof given === 'string' ? around.choice(name, given) : undefined;

export const choices = (around: Surroundings, name: string, given: unknown): Expression | undefined =>
  Array.isArray(given) && given.every((item) => typeof item === 'string')
    ? list(given.map((item) => around.choice(name, item)))
    : undefined;

/** An object of this kind, by its name. */
export const named = (
  around: Surroundings,
  kind: string | readonly string[],
  given: unknown,
  namespace?: string,
): Expression | undefined => (typeof given === 'string' ? around.reference(kind, given, namespace) : undefined);

/** An object that has at least one property; else undefined. */
export function some(entries: Readonly<Record<string, Expression | undefined>>): Expression | undefined {
  const made = object(entries);
  return made.entries.length > 0 ? made : undefined;
}

/** A list of what each item becomes; undefined when an item becomes nothing. */
export function each(
  given: unknown,
  make: (item: Fields, index: number) => Expression | undefined,
): Expression | undefined {
  const items = itemsOf(given)?.map(make);
  if (!items || items.length === 0) return undefined;
  return items.every((item): item is Expression => item !== undefined) ? list(items) : undefined;
}

/** The only key of an object. */
export function onlyKey(given: unknown): string | undefined {
  const keys = isFields(given) ? Object.keys(given) : [];
  return keys.length === 1 ? keys[0] : undefined;
}

/** `90s`, as some durations are written by constructs; not `1m30s`. */
export function secondsText(given: unknown): Expression | undefined {
  const [, count] = (typeof given === 'string' && /^(0|[1-9]\d{0,9})s$/.exec(given)) || [];
  return count === undefined ? undefined : seconds(Number(count));
}

/** In the largest unit that needs no fraction. */
export function milliseconds(given: unknown): Expression | undefined {
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0) return undefined;
  return given % 1000 === 0 ? seconds(given / 1000) : call('Duration.millis', value(given));
}

const MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `5m`, `90s`, `36h`: one unit, and the largest that needs no fraction. */
export function duration(given: unknown): Expression | undefined {
  if (given === '0s') return call('Duration.seconds', value(0));
  const [, count, unit] = (typeof given === 'string' && /^([1-9]\d{0,9})(h|m|s|ms)$/.exec(given)) || [];
  if (count === undefined || unit === undefined) return undefined;
  const total = Number(count) * MILLISECONDS[unit]!;
  const largest = Object.keys(MILLISECONDS).find((each) => total % MILLISECONDS[each]! === 0);
  return largest === unit ? milliseconds(total) : undefined;
}
