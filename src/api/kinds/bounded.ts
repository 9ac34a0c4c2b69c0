import { isDeepStrictEqual } from 'node:util';
import { type Finding, type Path, root } from '../findings';
import type { KubeObject } from '../meta';
import type { KindAdmission } from './kind';
import { refusal } from './refusal';

/**
 * Fields and items of an object together, without those in its status, which may have as many. A VM with 256 disks,
 * volumes, interfaces, networks and DataVolume templates has fewer than 14,000.
 */
export const MOST_VALUES = 20_000;
/** Keys of one object: its fields, or the entries of a map. */
export const MOST_KEYS = 1000;
/** Objects and lists in each other. The deepest field of any schema is below 30. */
export const DEEPEST = 64;

/**
 * Rules that first look at how large an object is: what follows takes time in proportion to its values, and other
 * requests wait meanwhile. An object that is too large is neither changed nor judged further.
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
        // what was stored too large already keeps nobody from changing labels, or from taking a finalizer off
        if (fits(old) || !sameSpec(object, old)) return errors;
        return rules.identity?.(object, old, context) ?? [];
      },
    }),
    ...(warnings && { warnings: (object, context, old) => (fits(object) ? warnings(object, context, old) : []) }),
  };
}

const first = (errors: Finding[], otherwise: () => Finding[]): Finding[] => (errors.length > 0 ? errors : otherwise());

/**
 * Whether the object is larger than any rule should have to read. Its managed fields are the API server's own. A status
 * may have as many values as the rest: whoever writes the rest leaves no room for the platform's status.
 */
export function tooLarge(object: KubeObject): Finding[] {
  const { status } = object as { status?: unknown };
  const rest = status === undefined ? object : { ...object, status: null };
  return first(excessOf(rest), () => excessOf({ status }, -1));
}

/** Of a part of an object; `counted`: what was counted before. */
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
    return [refusal('object-keys', count.tooWide, message, 'remove some', { type: 'FieldValueTooLong' })];
  }
  if (count.tooDeep) {
    const message = `has more than ${DEEPEST} objects and lists in each other`;
    return [refusal('object-depth', count.tooDeep, message, 'nest fewer', { type: 'FieldValueTooLong' })];
  }
  return count.values <= MOST_VALUES ? [] : [tooManyValues()];
}

/** An object that has more values than any rule should have to read. */
export function tooManyValues(most = MOST_VALUES): Finding {
  const message = `the object has more than ${most} fields and items`;
  return refusal('object-size', root, message, 'split it into smaller ones', { type: 'FieldValueTooLong', field: '' });
}

/** Looks no further than it has to. */
class Count {
  public tooDeep: Path | undefined;
  public tooWide: Path | undefined;
  /** Where the value is that is looked at. */
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
    // one by one: the keys of a long list would first become a list of texts
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
