/** Compares two values field by field. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '../../api/lint/read';

/** Field name, or list item: by name if all items have one, or by index. */
export type PathPart = string | { readonly item: string | number };

/** A field that differs. The side that lacks the field is undefined. */
export interface Change {
  readonly path: readonly PathPart[];
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether only the order of the items differs; both sides are then lists of names. */
  readonly isOrder?: boolean;
}

const isFilled = (value: unknown): value is Json => isObject(value) && Object.keys(value).length > 0;

/** Lists all differences by field name. Objects are compared field by field; a new list item is one change. */
export function changesOf(before: unknown, after: unknown, path: readonly PathPart[] = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  // an added or removed object is listed field by field
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

/** Names of a list's items, if every item has a unique name. */
function namesOf(list: readonly unknown[]): string[] | undefined {
  const names = list.map((item) => (isObject(item) ? item.name : undefined));
  const isNamed = names.every((name): name is string => typeof name === 'string' && name !== '');
  return isNamed && new Set(names).size === names.length ? names : undefined;
}

/** Formats a path: `spec.template.spec.domain.devices.disks[root].disk.bus`, `metadata.labels["example.com/tier"]`. */
export function pathText(path: readonly PathPart[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part !== 'string') return `${text}[${part.item}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** Path without indexes and brackets. */
export const pathWords = (path: readonly PathPart[]): string[] =>
  path.map((part) => (typeof part === 'string' ? part : String(part.item)));
