import { AnyObject } from '../types';
import { Caller } from './core';

/** Removes duplicate owner references, with Kubernetes' warning. */
export function dedupeOwners(object: AnyObject, caller: Caller, afterAdmission: boolean): void {
  const owners = object.metadata.ownerReferences;
  if (!owners || owners.length < 2) return;
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  const kept = owners.filter((owner) => {
    const text = JSON.stringify(Object.entries(owner).sort(([a], [b]) => (a < b ? -1 : 1)));
    if (!seen.has(text)) return seen.add(text);
    duplicates.add(owner.uid);
    return false;
  });
  if (!duplicates.size) return;
  object.metadata.ownerReferences = kept;
  const when = afterAdmission ? ' after mutating admission happens' : '';
  caller.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(', ')}`,
  );
}
