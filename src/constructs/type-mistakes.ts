/** Mistakes in the types of values. Their messages never contain a value: it may be a secret. */
import type { RuleId } from '../api/findings';

/** A value that does not have its declared type. */
export interface Wrong {
  /** Path of the value, such as `disks[1].bus`. */
  readonly at: string;
  /** Expected type, such as `a Disk`. */
  readonly must: string;
  /** Value that was passed, if its type is the mistake. */
  readonly got?: unknown;
  /** Declared type, if the remedy depends on what was passed. */
  readonly type?: string;
  /** Whether the value may be left out. */
  readonly optional?: boolean;
  readonly remedy: string;
  /** Rule, if it is not the rule about types; `must` is then the whole message. */
  readonly rule?: RuleId;
}

/** Returns what is wrong with a value at a path. */
export type Check = (value: unknown, at: string) => readonly Wrong[];

/** No mistake. */
export const right: readonly Wrong[] = [];

/** Returns the mistakes of all items. Without a mistake it creates no list, because every call is checked. */
export function allOf<T>(items: readonly T[], check: (item: T, index: number) => readonly Wrong[]): readonly Wrong[] {
  let all: Wrong[] | undefined;
  for (let i = 0; i < items.length; i += 1) {
    const found = check(items[i], i);
    if (found.length === 0) continue;
    all ??= [];
    for (const each of found) all.push(each);
  }
  return all ?? right;
}

/** Returns the mistakes of two lists. */
export const joined = (some: readonly Wrong[], more: readonly Wrong[]): readonly Wrong[] =>
  more.length === 0 ? some : [...some, ...more];

/** A value of another type. */
export const wrong = (at: string, got: unknown, must: string, remedy: string, type?: string): readonly Wrong[] => [
  { at, got, must, remedy, type },
];

/** A mistake other than a wrong type. */
export const broken = (at: string, must: string, remedy: string): readonly Wrong[] => [{ at, must, remedy }];

/** Shortens the name of a property, which the user chose. */
export const brief = (key: string): string => (key.length > 40 ? `${key.slice(0, 40)}…` : key);
