/** Computes a JSON patch between two values. Pure. */

/** Step of a JSON patch with a split path. */
export interface Step {
  readonly op: 'add' | 'remove' | 'replace' | 'move';
  readonly path: readonly string[];
  /** Path before a move. */
  readonly from?: readonly string[];
  readonly value?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Steps from one value to the other, in an applicable order. */
export function steps(from: unknown, to: unknown, path: readonly string[] = []): Step[] {
  if (isFields(from) && isFields(to)) return fieldSteps(from, to, path);
  if (Array.isArray(from) && Array.isArray(to)) return listSteps(from, to, path);
  return same(from, to) ? [] : [{ op: 'replace', path, value: to }];
}

function fieldSteps(from: Fields, to: Fields, path: readonly string[]): Step[] {
  // JSON patch libraries reject this key
  if (Object.hasOwn(to, '__proto__') && !equal(from, to)) return [{ op: 'replace', path, value: to }];
  const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key) && from[key] !== undefined);
  return [
    ...gone.map((key): Step => ({ op: 'remove', path: [...path, key] })),
    ...Object.keys(to).flatMap((key): Step[] =>
      Object.hasOwn(from, key) && from[key] !== undefined
        ? steps(from[key], to[key], [...path, key])
        : [{ op: 'add', path: [...path, key], value: to[key] }],
    ),
  ];
}

/** Compares items by index; adds or removes items at the end, or replaces the whole list. */
function listSteps(given: readonly unknown[], to: readonly unknown[], path: readonly string[]): Step[] {
  const { moves, items: from } = ordered(given, to, path);
  const common = Math.min(from.length, to.length);
  const inside = to.slice(0, common).flatMap((item, i) => steps(from[i], item, [...path, `${i}`]));
  const whole: Step = { op: 'replace', path, value: to };
  if (inside.some((step) => step.path.length === path.length + 1 && step.op === 'replace')) return [whole];
  // from the end, so that the indexes of the others stay valid
  const removed = from.slice(common).map((_, i): Step => ({ op: 'remove', path: [...path, `${from.length - 1 - i}`] }));
  const added = to.slice(common).map((item): Step => ({ op: 'add', path: [...path, '-'], value: item }));
  return [...moves, ...inside, ...removed, ...added];
}

/** Moves named items to their indexes, if every existing item has a counterpart. */
function ordered(
  from: readonly unknown[],
  to: readonly unknown[],
  path: readonly string[],
): { readonly moves: readonly Step[]; readonly items: readonly unknown[] } {
  const names = from.map(nameOf);
  const wanted = to.map(nameOf).filter((name) => names.includes(name));
  const isUnique = new Set(names).size === names.length && !names.includes(undefined);
  if (!isUnique || wanted.length !== names.length) return { moves: [], items: from };
  const items = [...from];
  const moves: Step[] = [];
  wanted.forEach((name, i) => {
    const at = items.findIndex((item) => nameOf(item) === name);
    if (at === i) return;
    items.splice(i, 0, ...items.splice(at, 1));
    moves.push({ op: 'move', from: [...path, `${at}`], path: [...path, `${i}`] });
  });
  return { moves, items };
}

const nameOf = (item: unknown): unknown => (isFields(item) ? item.name : undefined);

/** Whether the values are equal, regardless of the order of keys. A missing list item equals null. */
export function equal(one: unknown, other: unknown): boolean {
  if (isFields(one) && isFields(other)) {
    const keys = Object.keys(one).filter((key) => one[key] !== undefined);
    return (
      keys.length === Object.keys(other).filter((key) => other[key] !== undefined).length &&
      keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]))
    );
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => equal(item, other[i]));
  }
  return same(one, other);
}

const same = (one: unknown, other: unknown): boolean =>
  one === other || (one === undefined && other === null) || (one === null && other === undefined);

/** JSON pointer (RFC 6901): `/spec/template`. */
export const pointer = (path: readonly string[]): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Number of scalars (and empty lists and objects) in a value. */
export function leaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + leaves(inner), 0) || 1;
}

/**
 * Value that a construct accepts. Omits parts that cdk8s would drop or reject, which a patch adds later:
 * null in objects, and keys of `Object.prototype`.
 */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => inner !== null && inner !== undefined && key !== 'constructor' && key !== '__proto__')
      .map(([key, inner]) => [key, plain(inner)]),
  );
}
