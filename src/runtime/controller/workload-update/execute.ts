import type { KubeVirt, VirtualMachineInstance } from '../../../api';
import { keys } from '../../../api/keys';
import { reasons } from '../../../api/reasons';
import { except, isConflict, isNotFound, resources } from '../../kube';
import type { KubeClient, Requeue } from '../../kube';
import { theKubeVirt } from '../context';
import { cachedLauncher } from '../launcher-pod';
import type { UpdateContext } from './context';
import { decide } from './decide';
import type { Action } from './decide';
import { evictBatch } from './evict';
import { isDeployed } from './observed';
import type { Observed } from './observed';
import { strategyOf } from './strategy';

const fieldManager = 'virt-controller';

/** Reconciles the versions of all launchers. An action that fails does not prevent the others. */
export async function syncUpdates(context: UpdateContext): Promise<Requeue | void> {
  const failures: unknown[] = [];
  let requeueAfterMs: number | undefined;
  for (const action of decide(await observe(context))) {
    if (action.do === 'recheck') requeueAfterMs = action.afterMs;
    else await perform(context, action).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return { requeueAfterMs };
}

async function observe(context: UpdateContext): Promise<Observed> {
  const { caches, launcherImage, lastBatch, refusals, evictions, now } = context;
  const kubeVirt = theKubeVirt(caches.kubeVirts);
  const instances = caches.vmis.list().map((vmi) => ({ vmi, pod: cachedLauncher(context, vmi) }));
  prune(refusals, new Set(instances.map(({ vmi }) => vmi.metadata.uid)));
  prune(evictions, new Set(instances.map(({ pod }) => pod?.metadata.uid)));
  const needsBatch = kubeVirt !== undefined && isDeployed(kubeVirt) && strategyOf(kubeVirt).evict;
  return {
    ...{ kubeVirt, launcherImage, instances, refusals, evictions },
    lastBatch: needsBatch ? await lastBatch.time() : undefined,
    now: now(),
  };
}

function prune(times: Map<string, number>, existing: ReadonlySet<string | undefined>): void {
  for (const uid of times.keys()) if (!existing.has(uid)) times.delete(uid);
}

async function perform(context: UpdateContext, action: Exclude<Action, { do: 'recheck' }>): Promise<void> {
  switch (action.do) {
    case 'label':
      return label(context.client, action.vmi, action.isOutdated);
    case 'count':
      return count(context.client, action.kubeVirt, action.count);
    case 'warn':
      return context.recorder.warning(action.kubeVirt, reasons.workloadUpdateBlocked, action.message);
    case 'evict':
      return evictBatch(context, action.candidates, action.room);
  }
}

async function label(
  client: KubeClient,
  { metadata: { namespace, name = '', uid } }: VirtualMachineInstance,
  isOutdated: boolean,
): Promise<void> {
  const body = { metadata: { uid, labels: { [keys.outdatedLauncher]: isOutdated ? '' : null } } };
  // an instance that was replaced meanwhile is in the next pass
  await client
    .patch(resources.virtualMachineInstances, { namespace, name }, body, 'merge', { fieldManager })
    .catch(except(isNotFound, isConflict));
}

/** This controller writes no other field of the KubeVirt object: the rest of the status is that of virt-operator. */
async function count(client: KubeClient, { metadata }: KubeVirt, outdated: number): Promise<void> {
  const { name = '', namespace } = metadata;
  const body = { status: { outdatedVirtualMachineInstanceWorkloads: outdated } };
  await client
    .patch(resources.kubeVirts, { name, namespace, subresource: 'status' }, body, 'merge', { fieldManager })
    .catch(except(isNotFound));
}
