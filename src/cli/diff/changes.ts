/** Two values -> the fields in which they differ. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '../../api/lint/read';

/** A field, or an item of a list: by its name where all have one, else by its place. */
export type PathPart = string | { readonly item: string | number };

/** One field that differs. A missing side is undefined. */
export interface Change {
  readonly path: readonly PathPart[];
  readonly before?: unknown;
  readonly after?: unknown;
  /** The same items in another order: both sides are their names. */
  readonly isOrder?: boolean;
}

const isFilled = (value: unknown): value is Json => isObject(value) && Object.keys(value).length > 0;

/** Every difference, in the order of the fields' names. Objects are followed to their fields; a new item of a list is one change. */
export function changesOf(before: unknown, after: unknown, path: readonly PathPart[] = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  // what is wholly new or gone is told field by field, as far as it has fields
  const isFollowed = [before, after].every((side) => isObject(side) || side === undefined) && !isItem(path);
  if (isFollowed ? isFilled(before) || isFilled(after) : isFilled(before) && isFilled(after)) {
    const [one, two] = [before ?? {}, after ?? {}] as [Json, Json];
    const fields = [...new Set([...Object.keys(one), ...Object.keys(two)])].sort();
    return fields.flatMap((field) => changesOf(own(one, field), own(two, field), [...path, field]));
  }
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

const own = (object: Json, field: string): unknown => (Object.hasOwn(object, field) ? object[field] : undefined);

const isItem = (path: readonly PathPart[]): boolean => isObject(path.at(-1));

function listChanges(before: readonly unknown[], after: readonly unknown[], path: readonly PathPart[]): Change[] {
  const [names, newNames] = [namesOf(before), namesOf(after)];
  if (!names || !newNames) {
    if (![...before, ...after].every(isObject)) return [{ path, before, after }];
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, item) => changesOf(before[item], after[item], [...path, { item }])).flat();
  }
  const kept = names.filter((name) => newNames.includes(name));
  const order = newNames.filter((name) => names.includes(name));
  return [
    ...(isDeepStrictEqual(kept, order) ? [] : [{ path, before: kept, after: order, isOrder: true }]),
    ...[...new Set([...names, ...newNames])].flatMap((item) =>
      changesOf(before[names.indexOf(item)], after[newNames.indexOf(item)], [...path, { item }]),
    ),
  ];
}

/** The names of a list's items, when each has its own. */
function namesOf(list: readonly unknown[]): string[] | undefined {
  const names = list.map((item) => (isObject(item) ? item.name : undefined));
  const isNamed = names.every((name): name is string => typeof name === 'string' && name !== '');
  return isNamed && new Set(names).size === names.length ? names : undefined;
}

/** `spec.template.spec.domain.devices.disks[root].disk.bus`, `metadata.labels["example.com/tier"]` */
export function pathText(path: readonly PathPart[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part !== 'string') return `${text}[${part.item}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The path as words; items by name. */
export const pathWords = (path: readonly PathPart[]): string[] =>
  path.map((part) => (typeof part === 'string' ? part : String(part.item)));
