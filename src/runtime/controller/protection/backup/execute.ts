import type { VirtualMachine, VirtualMachineInstance } from '../../../../api';
import type { VirtualMachineExport } from '../../../../api/generated/export-v1';
import { ApiError, isConflict, isRefused, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import type { ProtectionContext } from '../context';
import { performAll } from '../perform';
import type { Claim } from '../types';
import { decide } from './decide';
import { type Backup, isOver, type Observed, vmNameOf } from './observed';
import { isPull } from './pull';
import { initializing, statusPatch } from './status';

const LAG_RECHECK_MS = 500;
const REFUSED_RECHECK_MS = 5_000;

/** Reconciles one VirtualMachineBackup. */
export async function syncBackup(context: ProtectionContext, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const backup = caches.backups.get(key);
  const expected = `backup ${key}`;
  if (!backup) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const { namespace = '', deletionTimestamp } = backup.metadata;
  const seen = await observe(context, backup);
  if (isOver(backup) && !deletionTimestamp && !seen.vmi) return;
  try {
    return await performAll(context, expected, namespace, decide(seen));
  } catch (error) {
    if (!isExplained(error)) throw error;
    const message = `${(error as Error).message}; virt-controller retries`;
    await performAll(context, expected, namespace, statusPatch(backup, initializing(message), context.now()));
    return { requeueAfterMs: REFUSED_RECHECK_MS };
  }
}

/** An answer about the guest or the claim, and not about an object that another client has changed. */
const isExplained = (error: unknown): boolean =>
  isRefused(error) ||
  (error instanceof ApiError && isConflict(error) && !/object has been modified/.test(error.message));

async function observe({ client, caches, now }: ProtectionContext, backup: Backup): Promise<Observed> {
  const { namespace = '' } = backup.metadata;
  const { source, pvcName } = backup.spec;
  const tracker =
    source.kind === 'VirtualMachineBackupTracker' ? caches.trackers.get(`${namespace}/${source.name}`) : undefined;
  const name = vmNameOf(backup, tracker);
  const [vm, vmi, claim, vmExport] = await Promise.all([
    name === undefined ? undefined : client.find<VirtualMachine>(resources.virtualMachines, { namespace, name }),
    name === undefined
      ? undefined
      : client.find<VirtualMachineInstance>(resources.virtualMachineInstances, { namespace, name }),
    pvcName === undefined
      ? undefined
      : client.find<Claim>(resources.persistentVolumeClaims, { namespace, name: pvcName }),
    isPull(backup)
      ? client.find<VirtualMachineExport>(resources.exports, { namespace, name: backup.metadata.name ?? '' })
      : undefined,
  ]);
  return { backup, tracker, vm, vmi, claim, vmExport, now: now() };
}
