import { KubeObject, ManagedFieldsEntry } from '../../../api/meta';
import { equal } from './typed';

/**
 * A write that changed nothing but the times in `managedFields` gets the old times back, so that it is none and the
 * resourceVersion stays. Returns `next` or a copy of it.
 */
export function keepTimesIfUnchanged<T extends KubeObject>(old: T, next: T): T {
  const before = old.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length !== after.length || after.length === 0) return next;
  if (!equal(before.map(timeless), after.map(timeless))) return next;
  const restored = { ...next, metadata: { ...next.metadata, managedFields: old.metadata.managedFields } };
  return equal(restored, old) ? restored : next;
}

const timeless = ({ time: _, ...entry }: ManagedFieldsEntry): object => entry;
