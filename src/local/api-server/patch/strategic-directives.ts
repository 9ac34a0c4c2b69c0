import { isMap, type Json } from '../json/values';
import type { TypeSchema } from '../schema/type-schema';
import { PatchError } from './errors';

export const DIRECTIVE = '$patch';
export const ANY: TypeSchema = { kind: 'any' };

/** Removes the directives of a value that the original lacks: there is nothing for them to change. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((v) => v !== undefined);
  if (!isMap(value)) return value;
  if (DIRECTIVE in value) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([k, v]) => {
      const plain = withoutDirectives(v);
      return plain === undefined ? [] : [[k, plain]];
    }),
  );
}

export const badDirective = (directive: unknown, map: Json): PatchError =>
  new PatchError(500, `unknown patch type: ${String(directive)} in map: ${JSON.stringify(map)}`);
