import { isRefused, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import type { ProtectionContext } from '../context';
import { performAll } from '../perform';
import { contentName } from '../snapshot/content-of';
import type { Clone, Vm } from '../types';
import { decide, fail, isFinished, isFromSnapshot, restoreName, usedSnapshot, type Observed } from './decide';

const LAG_RECHECK_MS = 500;

/** Reconciles one VirtualMachineClone. */
export async function syncClone(context: ProtectionContext, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const clone = caches.clones.get(key);
  const expected = `clone ${key}`;
  if (!clone) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  if (isFinished(clone)) return;
  const seen = await observe(context, clone);
  const namespace = clone.metadata.namespace ?? '';
  try {
    return await performAll(context, expected, namespace, decide(seen));
  } catch (error) {
    if (!isRefused(error)) throw error;
    const message = `the API server refused what the clone needs: ${(error as Error).message}; correct the clone, and create it again`;
    return performAll(context, expected, namespace, fail(seen, 'RestoreCreationFailed', message));
  }
}

async function observe({ client, caches, now }: ProtectionContext, clone: Clone): Promise<Observed> {
  const { namespace = '' } = clone.metadata;
  const { source, target } = clone.spec;
  const snapshot = caches.snapshots.get(`${namespace}/${usedSnapshot(clone)}`);
  const restoreKey = `${namespace}/${restoreName(clone)}`;
  const vmOf = (name: string): Promise<Vm | undefined> =>
    client.find<Vm>(resources.virtualMachines, { namespace, name });
  return {
    clone,
    vm: isFromSnapshot(clone) || snapshot ? undefined : await vmOf(source.name),
    snapshot,
    content: snapshot && caches.contents.get(`${namespace}/${contentName(snapshot)}`),
    restore: caches.restores.get(restoreKey),
    target: target?.name ? await vmOf(target.name) : undefined,
    claims: caches.claims.byIndex('restore', restoreKey),
    now: now(),
  };
}
