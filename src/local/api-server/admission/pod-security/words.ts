/** A violation of a Pod security level: what was violated, and by which fields. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export const quoted = (items: readonly string[]): string => items.map((item) => JSON.stringify(item)).join(', ');

export const counted = (items: readonly unknown[], one: string, several = `${one}s`): string =>
  items.length === 1 ? one : several;

export const sortedSet = (items: readonly string[]): string[] => [...new Set(items)].sort();

/** `container "a"` or `containers "a", "b"`. */
export const named = (names: readonly string[]): string => `${counted(names, 'container')} ${quoted(names)}`;

/** Those who set a forbidden value: the Pod itself, its containers, or both. */
export function setters(pod: boolean, containers: readonly string[]): string {
  return [...(pod ? ['pod'] : []), ...(containers.length ? [named(containers)] : [])].join(' and ');
}
