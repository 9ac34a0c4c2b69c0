import { classNames, isPulumiOutput } from './value-kinds';

/** Remedies for values of a wrong type. They depend on what was passed: a Promise needs an `await`, not quotes. */

/** A value that does not have its declared type. */
export interface Mistyped {
  /** Path of the value, such as `disks[1]`. */
  readonly at: string;
  /** Declared type, such as `Disk`, `string` or `[VmPort]`. */
  readonly type: string;
  readonly got: unknown;
  /** Whether the value may be left out. */
  readonly optional?: boolean;
}

/** Static members of the classes of the public API, by class. */
export type ClassMembers = Readonly<
  Record<
    string,
    { readonly constants?: readonly string[]; readonly statics?: Readonly<Record<string, readonly string[]>> }
  >
>;

/** Remedy for a value that is not there: in most programs, a variable that should set it has no value. */
export const MISSING = 'add it; if a variable sets it, check its value';

/**
 * Returns the remedy for a value of a wrong type.
 *
 * @param mistyped - the value and its declared type
 * @param usual - remedy that applies if what was passed says nothing more
 * @param classes - static members of the classes
 */
export function remedyFor({ at, type, got, optional }: Mistyped, usual: string, classes: ClassMembers): string {
  if (got === undefined) return at.endsWith(']') ? 'remove the item, or set its variable' : MISSING;
  if (got === null) return optional ? 'leave it out, or write undefined' : usual;
  if (isPulumiOutput(got)) {
    return 'use the component of virt8s/pulumi, which accepts Outputs, or pass the Output as an input of fromChart';
  }
  if (classNames(got).includes('Promise')) return 'await it';
  if (typeof got === 'function') return calling(got, type, classes);
  if (Array.isArray(got)) return at.endsWith(']') ? 'spread the list: …, ...list' : 'write it without brackets';
  if (type === 'string' || type === 'text') return remedyForString(got, usual);
  if (type === 'number') return remedyForNumber(got, usual);
  const ways = waysFrom(got, type, classes);
  return ways.length > 0 ? `use ${listOf(ways)}` : usual;
}

function remedyForString(got: unknown, usual: string): string {
  if (typeof got !== 'object' || got === null) return usual;
  if (classNames(got).includes('Size')) return "write the quantity in quotes, such as '1Gi'";
  return typeof (got as { name?: unknown }).name === 'string' ? 'pass a string, such as its name' : 'pass a string';
}

function remedyForNumber(got: unknown, usual: string): string {
  if (typeof got === 'number') return 'check how it is calculated';
  if (typeof got === 'bigint') return 'convert it: Number(…)';
  return typeof got === 'string' ? usual : 'pass a number';
}

/** A factory that was passed instead of its result. */
function calling(got: { readonly name?: string }, type: string, classes: ClassMembers): string {
  const factory = got.name ?? '';
  return classes[type]?.statics?.[factory] ? `call it: ${type}.${factory}(…)` : 'call it, and pass its result';
}

/** Returns the constants and factories of a class that create an instance from what was passed. */
function waysFrom(got: unknown, type: string, classes: ClassMembers): string[] {
  const { constants = [], statics = {} } = classes[type] ?? {};
  if (typeof got === 'string') {
    const meant = constants.find((constant) => plain(constant) === plain(got));
    if (meant !== undefined) return [`${type}.${meant}`];
    if (constants.length > 0) return [];
  }
  const accepts = acceptedBy(got);
  return Object.entries(statics)
    .filter(([factory, [first = '']]) => factory !== 'of' && accepts(first))
    .map(([factory]) => `${type}.${factory}(…)`);
}

/** Whether a parameter such as `image: string` is meant for such a value. */
function acceptedBy(got: unknown): (parameter: string) => boolean {
  if (typeof got === 'string' || typeof got === 'number') return (parameter) => parameter.endsWith(`: ${typeof got}`);
  const names = classNames(got).filter((name) => name !== '' && name !== 'Object');
  if (names.length > 0) return (parameter) => names.some((name) => new RegExp(`: [I#@]?${name}$`).test(parameter));
  return (parameter) => /^\w+: \w+(Props|Topology)$/.test(parameter);
}

const plain = (text: string): string => text.toLowerCase().replace(/[-_ ]/g, '');

/** Lists at most four names. */
export const listOf = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 4).join(', ')}, …` : names.join(names.length > 2 ? ', ' : ' or ');
