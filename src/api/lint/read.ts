/** Readers for objects of any shape: a value of the wrong type reads as absent. */

import { groupOf } from '../kinds/registry';
import type { KubeObject } from '../meta';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value at these fields. */
export const read = (value: unknown, ...fields: string[]): unknown => readAt(value, fields);

function readAt(value: unknown, fields: readonly string[]): unknown {
  let at = value;
  for (const field of fields) {
    if (!isObject(at) || !Object.hasOwn(at, field)) return undefined;
    at = at[field];
  }
  return at;
}

/** Returns the items of a list as objects, with the same indexes: another item becomes an empty object. */
export function listAt(value: unknown, ...fields: string[]): readonly Json[] {
  const found = readAt(value, fields);
  if (!Array.isArray(found)) return [];
  return found.every(isObject) ? found : found.map((item) => (isObject(item) ? item : {}));
}

export function objectAt(value: unknown, ...fields: string[]): Json | undefined {
  const found = readAt(value, fields);
  return isObject(found) ? found : undefined;
}

export function textAt(value: unknown, ...fields: string[]): string | undefined {
  const found = readAt(value, fields);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Returns labels, or another map of strings. */
export function textsAt(value: unknown, ...fields: string[]): Readonly<Record<string, string>> {
  const found = readAt(value, fields);
  if (!isObject(found)) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** `VirtualMachine.kubevirt.io`, `Service`: a kind with its group. */
export function keyOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  const group = groupOf(apiVersion);
  return group === '' ? String(kind) : `${kind}.${group}`;
}

/** Returns a value as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value !== 'object' && typeof value !== 'function') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** Whether both are the same object. */
export const isSame = (a: KubeObject, b: KubeObject): boolean =>
  a.kind === b.kind && a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;
