import type { KubeObject, VirtualMachineInstance } from '../../../api';
import {
  ApiError,
  decideWith,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isRefused,
  keyOf,
  resources,
  splitKey,
  sourceOf,
} from '../../kube';
import type { Requeue } from '../../kube';
import { VMI_FINALIZER } from '../../../api/constants';
import { findClaims, ownerUid } from '../context';
import type { Context } from '../context';
import { claimNames, clusterFacts, podName, UNPAUSED_GATE } from '../pod';
import type { ClusterFacts, Pod } from '../pod';
import { decide, decideRefused } from './decide';
import type { Effect } from './decide';
import { isFinal, isHandedOver } from './observed';
import type { Observed } from './observed';
import { isoTime } from './phase';
import { reasons } from './reasons';

/** While own writes are not in the caches yet, the key is looked at again after this. */
const LAG_RECHECK_MS = 1000;

const fieldManager = 'virt-controller';

/** One pass over one VMI. */
export async function syncInstance(context: Context, key: string): Promise<Requeue | void> {
  const vmi = context.caches.vmis.get(key);
  const expected = `vmi ${key}`;
  if (!vmi) return context.expectations.forget(expected);
  if (!context.expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const seen = await observe(context, vmi);
  let requeueAfterMs: number | undefined;
  for (const action of decide(seen)) {
    if (action.do === 'recheck') {
      requeueAfterMs = Math.min(requeueAfterMs ?? action.afterMs, action.afterMs);
      continue;
    }
    try {
      await perform(context, vmi, expected, action);
    } catch (error) {
      if (action.do !== 'createPod' || !isRefused(error)) throw error;
      // the user must know why; it is tried again, ever more rarely
      for (const answer of decideRefused(seen, error as ApiError)) await perform(context, vmi, expected, answer);
      throw error;
    }
  }
  return { requeueAfterMs };
}

async function observe(context: Context, vmi: VirtualMachineInstance): Promise<Observed> {
  const { caches } = context;
  const pods = caches.pods.byIndex('vmi', vmi.metadata.uid ?? '');
  const pod = pods.find(({ metadata }) => metadata.name === podName(vmi)) ?? pods[0] ?? (await lostPod(context, vmi));
  return {
    ...(await surroundings(context, vmi, pod)),
    vmi,
    pod,
    claims: findClaims(context, vmi.metadata.namespace, claimNames(vmi.spec)),
    dataVolumes: pod || isFinal(vmi) ? new Map() : await dataVolumePhases(context, vmi),
    nodes: caches.nodes.list(),
    config: context.config(),
    launcherImage: context.launcherImage,
    now: context.now(),
  };
}

/** Fetched only for a Pod that is to be made, or made anew. */
async function surroundings(
  { client, config }: Context,
  vmi: VirtualMachineInstance,
  pod: Pod | undefined,
): Promise<ClusterFacts> {
  if (pod?.spec.nodeName || isFinal(vmi) || vmi.metadata.deletionTimestamp) return {};
  return decideWith(sourceOf(client), ({ find, list }) => clusterFacts(vmi, config(), { find, list }));
}

/** A VMI whose Pod is not in the cache is given up only after the API server itself says that the Pod is gone. */
async function lostPod({ client }: Context, vmi: VirtualMachineInstance): Promise<Pod | undefined> {
  const mayHavePod = isHandedOver(vmi) || vmi.status?.phase === 'Scheduling' || vmi.metadata.deletionTimestamp;
  if (!mayHavePod) return undefined;
  const pod = await client.find<Pod>(resources.pods, { namespace: vmi.metadata.namespace, name: podName(vmi) });
  return pod && ownerUid(pod).includes(vmi.metadata.uid ?? '') ? pod : undefined;
}

async function dataVolumePhases(
  context: Context,
  vmi: VirtualMachineInstance,
): Promise<Map<string, string | undefined>> {
  const phases = new Map<string, string | undefined>();
  for (const { dataVolume } of vmi.spec.volumes ?? []) {
    if (!dataVolume || dataVolume.hotpluggable) continue;
    const ref = { namespace: vmi.metadata.namespace, name: dataVolume.name };
    const found = await context.client.find<KubeObject & { status?: { phase?: string } }>(resources.dataVolumes, ref);
    phases.set(dataVolume.name, found ? (found.status?.phase ?? '') : undefined);
  }
  return phases;
}

async function perform(context: Context, vmi: VirtualMachineInstance, expected: string, action: Effect): Promise<void> {
  const { client, recorder, expectations, caches } = context;
  const ref = { namespace: vmi.metadata.namespace, name: vmi.metadata.name ?? '' };
  switch (action.do) {
    case 'createClaim':
      await client
        .create(resources.persistentVolumeClaims, action.claim, { fieldManager })
        .catch((error: unknown) => (isAlreadyExists(error) ? undefined : Promise.reject(error)));
      return;
    case 'createPod':
      return expectations.expect(expected, caches.pods, await createPod(context, vmi, action.pod));
    case 'deletePod': {
      const preconditions = { uid: action.pod.metadata.uid };
      const target = { namespace: ref.namespace, name: action.pod.metadata.name ?? '' };
      const answer = await client
        .delete(resources.pods, target, { preconditions })
        .catch((error: unknown) => (isNotFound(error) || isConflict(error) ? undefined : Promise.reject(error)));
      recorder.normal(vmi, reasons.successfulDelete, `Deleted Pod ${target.name}: ${action.why}`);
      return expectations.expect(expected, caches.pods, answer?.metadata?.resourceVersion);
    }
    case 'patchStatus': {
      // the handler writes the same object: its news must not be overwritten by a decision that did not know it
      const metadata = { resourceVersion: vmi.metadata.resourceVersion, uid: vmi.metadata.uid };
      const body = { metadata, status: action.status };
      const answer = await client.patch(resources.virtualMachineInstances, ref, body, 'merge', { fieldManager });
      return expectations.expect(expected, caches.vmis, answer.metadata.resourceVersion);
    }
    case 'removeFinalizer': {
      const finalizers = vmi.metadata.finalizers?.filter((name) => name !== VMI_FINALIZER);
      const metadata = { resourceVersion: vmi.metadata.resourceVersion, uid: vmi.metadata.uid, finalizers };
      await client
        .patch(resources.virtualMachineInstances, ref, { metadata }, 'merge', { fieldManager })
        .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
      return;
    }
    case 'setGate': {
      const condition = { type: UNPAUSED_GATE, status: action.status, lastProbeTime: null };
      const target = { namespace: ref.namespace, name: action.pod.metadata.name ?? '', subresource: 'status' };
      const conditions = [{ ...condition, lastTransitionTime: isoTime(context.now()) }];
      const answer = await client
        .patch(resources.pods, target, { status: { conditions } }, 'strategic', { fieldManager })
        .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
      return expectations.expect(expected, caches.pods, answer?.metadata.resourceVersion);
    }
    case 'tell':
      recorder.record(vmi, action.type, action.reason, action.message);
  }
}

/**
 * Makes the Pod, or finds that it is made. The VMI is read again first: an old cache may show one that has long been
 * handed over or deleted.
 */
async function createPod({ client }: Context, vmi: VirtualMachineInstance, pod: Pod): Promise<string | undefined> {
  const current = await client.get<VirtualMachineInstance>(resources.virtualMachineInstances, {
    namespace: vmi.metadata.namespace,
    name: vmi.metadata.name ?? '',
  });
  if (current.metadata.uid !== vmi.metadata.uid || current.metadata.deletionTimestamp) return undefined;
  if (isFinal(current) || isHandedOver(current)) throw new Error(`VMI ${keyOf(vmi)}: the cache is behind; seen later`);
  try {
    return (await client.create(resources.pods, pod, { fieldManager })).metadata.resourceVersion;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.get<Pod>(resources.pods, splitKey(keyOf(pod)));
    if (ownerUid(existing).includes(vmi.metadata.uid ?? '')) return existing.metadata.resourceVersion;
    throw new ApiError(409, 'AlreadyExists', `Pod ${keyOf(pod)} exists and belongs to something else; delete it`);
  }
}
