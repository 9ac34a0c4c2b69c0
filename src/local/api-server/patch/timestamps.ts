import { KubeObject, ManagedFieldsEntry } from '../../../api/meta';
import { equal } from './typed';

/**
 * Restores the old times of a write that changed only the times in `managedFields`, so that nothing is written and the
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
