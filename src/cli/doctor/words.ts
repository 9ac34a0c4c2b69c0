/** Words of findings. Pure. */

const MOST_NAMES = 3;

/** `Node "a"`, `Nodes "a", "b", "c" and 4 more`. */
export function subjectOf(kind: string, names: readonly string[]): string {
  const [first = ''] = names;
  if (names.length < 2) return `${kind} "${first}"`;
  return `${plural(kind)} ${listed(names)}`;
}

/** `"a", "b", "c" and 4 more`. */
export function listed(names: readonly string[], most = MOST_NAMES): string {
  const shown = names.slice(0, most).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** `1 VM`, `2 VMs`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : plural(noun)}`;

const plural = (noun: string): string =>
  /(s|x|ch)$/.test(noun) ? `${noun}es` : noun.replace(/([^aeiou])y$/, '$1ie') + 's';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A time in its largest unit: `3 days`. */
export function spanText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? UNITS[3];
  return counted(Math.floor(Math.abs(ms) / size), unit);
}

/** Groups by a key, in the order of first occurrence. */
export function grouped<T>(list: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of list) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

export const nameOf = ({ metadata }: { readonly metadata: { readonly name?: string } }): string => metadata.name ?? '';

/** `namespace/name`. */
export const fullNameOf = ({
  metadata,
}: {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}): string => `${metadata.namespace}/${metadata.name}`;
