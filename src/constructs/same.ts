/** Comparison and copies of plain data, for what is kept from one object to the next. */
import { isBare } from './value-kinds';

/** Compares two values. */
export type Comparison = (one: unknown, other: unknown) => boolean;

/** Whether both hold the same data. Much faster than Node's own comparison, which supports every class. */
export const isSame: Comparison = (one, other) => {
  if (!Array.isArray(one) || !Array.isArray(other)) return compareFields(one, other, none);
  return one === other || (one.length === other.length && one.every((item, i) => isSame(item, other[i])));
};

/** Returns a comparison of objects that compares some fields in ways of their own. */
export const sameBut =
  (fields: Readonly<Record<string, Comparison>>): Comparison =>
  (one, other) =>
    compareFields(one, other, fields);

const none: Readonly<Record<string, Comparison>> = {};

/** Without lists of the fields: thousands of objects are compared. */
function compareFields(one: unknown, other: unknown, own: Readonly<Record<string, Comparison>>): boolean {
  if (Object.is(one, other)) return true;
  if (!isData(one) || !isData(other) || Array.isArray(one) || Array.isArray(other)) return false;
  let more = 0;
  for (const field in one) {
    const compare = Object.hasOwn(own, field) ? own[field] : isSame;
    if (!Object.hasOwn(other, field) || !compare(one[field], other[field])) return false;
    more += 1;
  }
  for (const _ in other) more -= 1;
  return more === 0;
}

const isData = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && isBare(value);

/** Returns a copy that later changes of the data do not reach. */
export function snapshot<T>(value: T): T {
  if (Array.isArray(value)) return value.map(snapshot) as T;
  if (!isData(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, snapshot(inner)])) as T;
}
