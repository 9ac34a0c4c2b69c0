import { isDeepStrictEqual } from 'node:util';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import type { KindAdmission } from './kind';
import { refusal } from './refusal';

/**
 * Limit of an object's fields and items together. The status has the same limit of its own. A VM with 256 disks,
 * volumes, interfaces, networks and DataVolume templates has fewer than 14,000.
 */
export const MOST_VALUES = 20_000;
/** Limit of the keys of one object: its fields, or the entries of a map. */
export const MOST_KEYS = 1000;
/** Limit of nested objects and lists. The deepest field of any schema is below 30. */
export const DEEPEST = 64;

/**
 * Wraps rules with a check of the object's size, because rules take time in proportion to it and other
 * requests wait meanwhile. An object that is too large gets no defaults and no further checks.
 */
export function bounded(rules: KindAdmission): KindAdmission {
  const { mutate, create, update, warnings } = rules;
  const fits = (object: KubeObject): boolean => tooLarge(object).length === 0;
  return {
    ...rules,
    ...(mutate && { mutate: (object, context) => (fits(object) ? mutate(object, context) : object) }),
    create: (object, context) => first(tooLarge(object), () => create(object, context)),
    ...(update && {
      update: (object, old, context) => {
        const errors = tooLarge(object);
        if (errors.length === 0) return update(object, old, context);
        // labels and finalizers of a stored object that is too large can still change
        if (fits(old) || !sameSpec(object, old)) return errors;
        return rules.identity?.(object, old, context) ?? [];
      },
    }),
    ...(warnings && { warnings: (object, context, old) => (fits(object) ? warnings(object, context, old) : []) }),
  };
}

const first = (errors: Finding[], otherwise: () => Finding[]): Finding[] => (errors.length > 0 ? errors : otherwise());

/**
 * Whether the object is too large for rules. Managed fields are not counted: the API server writes them. The status
 * is counted apart, so that a large spec leaves room for it.
 */
export function tooLarge(object: KubeObject): Finding[] {
  const { status } = object as { status?: unknown };
  const rest = status === undefined ? object : { ...object, status: null };
  return first(excessOf(rest), () => excessOf({ status }, -1));
}

/** The same for a part of an object. `counted`: number of values before it. */
function excessOf(part: object, counted = 0): Finding[] {
  const count = new Count(counted);
  for (const [key, value] of Object.entries(part) as [string, unknown][]) {
    if (key === 'metadata' && typeof value === 'object' && value !== null) {
      const { managedFields: _theirs, ...metadata } = value as { managedFields?: unknown };
      count.add(metadata, key, 1);
    } else {
      count.add(value, key, 1);
    }
  }
  if (count.tooWide) {
    const message = `has more than ${MOST_KEYS} keys`;
    return [refusal('object-keys', count.tooWide, message, 'remove some keys', { type: 'FieldValueTooLong' })];
  }
  if (count.tooDeep) {
    const message = `has more than ${DEEPEST} nested objects and lists`;
    return [refusal('object-depth', count.tooDeep, message, 'nest fewer of them', { type: 'FieldValueTooLong' })];
  }
  return count.values <= MOST_VALUES ? [] : [tooManyValues()];
}

/** Rejects an object that is too large for rules. */
export function tooManyValues(most = MOST_VALUES): Finding {
  const message = `the object has more than ${most} fields and items`;
  return refusal('object-size', root, message, 'split the object into smaller ones', {
    type: 'FieldValueTooLong',
    field: '',
  });
}

/** Counts values, and stops at the limit. */
class Count {
  public tooDeep: Path | undefined;
  public tooWide: Path | undefined;
  /** Path of the current value. */
  private readonly at: (string | number)[] = [];

  public constructor(public values: number) {}

  public add(value: unknown, key: string | number, depth: number): void {
    this.values += 1;
    if (typeof value !== 'object' || value === null) return;
    this.at.push(key);
    if (depth > DEEPEST) this.tooDeep ??= root.at(...this.at);
    else if (Array.isArray(value)) this.addItems(value, depth + 1);
    else this.addFields(value as Record<string, unknown>, depth + 1);
    this.at.pop();
  }

  private addItems(list: readonly unknown[], depth: number): void {
    // one by one: Object.keys of a long list would first create a list of strings
    for (let i = 0; i < list.length && !this.isOver; i++) this.add(list[i], i, depth);
  }

  private addFields(fields: Readonly<Record<string, unknown>>, depth: number): void {
    let keys = 0;
    for (const key in fields) {
      if (++keys > MOST_KEYS) this.tooWide ??= root.at(...this.at);
      if (this.isOver) return;
      this.add(fields[key], key, depth);
    }
  }

  private get isOver(): boolean {
    return this.values > MOST_VALUES || this.tooDeep !== undefined || this.tooWide !== undefined;
  }
}

function sameSpec(object: KubeObject, old: KubeObject): boolean {
  if (tooLarge(object)[0]?.rule === 'object-depth') return false;
  const specOf = (of: KubeObject): unknown => (of as { spec?: unknown }).spec;
  return isDeepStrictEqual(specOf(object), specOf(old));
}
