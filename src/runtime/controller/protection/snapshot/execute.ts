import type { Requeue } from '../../../kube';
import type { ProtectionContext } from '../context';
import { performAll } from '../perform';
import { decide } from './decide';
import { observe } from './observe';

const LAG_RECHECK_MS = 1_000;

/** Reconciles one VirtualMachineSnapshot. */
export async function syncSnapshot(context: ProtectionContext, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const snapshot = caches.snapshots.get(key);
  const expected = `snapshot ${key}`;
  if (!snapshot) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const actions = decide(await observe(context, snapshot));
  return performAll(context, expected, snapshot.metadata.namespace ?? '', actions);
}
