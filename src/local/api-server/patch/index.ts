import { TypeSchema } from '../schema/type-schema';
import { mergePatch } from './merge-patch';

export { ConflictError, PatchError } from './errors';
export { jsonPatch } from './json-patch';
export { mergePatch } from './merge-patch';

/** A strategic merge patch, by the merge keys of `schema`. */
export function strategicMergePatch(doc: unknown, patch: unknown, _schema: TypeSchema): unknown {
  return mergePatch(doc, patch);
}

export interface ApplyOptions {
  /** The stored object; undefined when apply creates it. */
  live: unknown;
  /** What the manager applies. */
  config: unknown;
  manager: string;
  force?: boolean;
  /** group/version of the request. */
  apiVersion: string;
  subresource?: string;
  schema: TypeSchema;
  /** Paths (`status`, `metadata.labels`) that this endpoint resets: nobody comes to own them through it. */
  resetFields?: readonly string[];
  now: Date;
}

/** Server-side apply. */
export function serverSideApply({ live, config }: ApplyOptions): { object: unknown } {
  return { object: mergePatch(live ?? {}, config) };
}

export interface UpdateOptions {
  live: unknown;
  /** The object to be stored, after admission; its own `managedFields` is what the client sent. */
  next: unknown;
  manager: string;
  operation: 'Update' | 'Apply';
  apiVersion: string;
  subresource?: string;
  schema: TypeSchema;
  resetFields?: readonly string[];
  now: Date;
}

/** Returns `next` with `metadata.managedFields` brought up to date after a create, update or patch. */
export function updateManagedFields({ next }: UpdateOptions): unknown {
  return next;
}
