import * as pulumi from '@pulumi/pulumi';
import { unknownOutput } from './outputs';

/** The same object, built from other values of some variables. */
export interface Other {
  readonly value: unknown;
  /** Marks a value that differs. */
  readonly mark: (value: unknown) => unknown;
}

/** Marks a value as unknown: it depends on something unknown. */
export const unknown = (): unknown => unknownOutput();

/** Marks a value as secret: it depends on a secret. */
export const secret = (value: unknown): unknown => pulumi.secret(value);

/** Returns the value with each part marked that differs in one of the others, and so depends on their variables. */
export function marked(value: unknown, others: readonly Other[]): unknown {
  const differing = others.filter((other) => !same(value, other.value));
  if (differing.length === 0) return value;
  if (
    Array.isArray(value) &&
    differing.every((other) => Array.isArray(other.value) && other.value.length === value.length)
  ) {
    return value.map((item, i) => marked(item, below(differing, i)));
  }
  if (isObject(value) && differing.every((other) => isObject(other.value))) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, marked(item, below(differing, key))]));
  }
  return differing.reduce((marking, { mark }) => mark(marking), value);
}

function below(others: readonly Other[], key: string | number): Other[] {
  return others.map(({ value, mark }) => ({ value: (value as Record<string | number, unknown>)[key], mark }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
