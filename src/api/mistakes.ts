import type { Finding } from './findings';

/** Limit of findings of one rule in one list: nobody reads more, and each takes time to describe. */
export const MOST_MISTAKES = 100;

/** Returns the findings about the items of a list, up to the limit. */
export function mistakesOf<T>(items: readonly T[], rule: (item: T, index: number) => Finding[]): Finding[] {
  const errors: Finding[] = [];
  for (let i = 0; i < items.length && errors.length < MOST_MISTAKES; i++) {
    const found = rule(items[i], i);
    if (found.length > 0) errors.push(...found.slice(0, MOST_MISTAKES - errors.length));
  }
  return errors;
}
