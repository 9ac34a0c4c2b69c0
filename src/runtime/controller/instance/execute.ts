import type { VirtualMachineInstance } from '../../../api';
import {
  ApiError,
  except,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isRefused,
  keyOf,
  resources,
  splitKey,
} from '../../kube';
import type { Requeue } from '../../kube';
import { VMI_FINALIZER } from '../../../api/constants';
import { isLauncherOf } from '../../../api/launcher-name';
import { factSource, findClaims, notListed } from '../context';
import type { Context } from '../context';
import { cachedLauncher, storedLauncher } from '../launcher-pod';
import { claimNames, clusterFacts, UNPAUSED_GATE } from '../pod';
import type { ClusterFacts, Pod } from '../pod';
import { slimPod } from '../trim';
import { claimUsers, hotplugClaims } from '../hotplug/observe';
import { decide, decideRefused } from './decide';
import type { Effect } from './decide';
import { isFinal, isHandedOver } from './observed';
import type { Observed } from './observed';
import { isoTime } from './phase';
import { reasons } from '../../../api/reasons';

/** Delay until the key is reconciled again while own writes are not in the caches yet. */
const LAG_RECHECK_MS = 1000;
/** Delay until a VMI is reconciled whose Pod is in no cache (it lost its label), because no watch reports that Pod. */
const UNWATCHED_RECHECK_MS = 10_000;

const fieldManager = 'virt-controller';

/** Reconciles one VMI. */
export async function syncInstance(context: Context, key: string): Promise<Requeue | void> {
  const vmi = context.caches.vmis.get(key);
  const expected = `vmi ${key}`;
  if (!vmi) return context.expectations.forget(expected);
  if (!context.expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const cached = cachedLauncher(context, vmi);
  const pod = cached ?? (mayHavePod(vmi) ? await storedLauncher(context, vmi) : undefined);
  return actOn(context, observe(context, vmi, pod), expected, pod && !cached ? UNWATCHED_RECHECK_MS : undefined);
}

async function actOn(context: Context, seen: Observed, expected: string, recheckMs?: number): Promise<Requeue> {
  const { vmi } = seen;
  let requeueAfterMs = recheckMs;
  for (const action of decide(seen)) {
    if (action.do === 'recheck') {
      requeueAfterMs = Math.min(requeueAfterMs ?? action.afterMs, action.afterMs);
      continue;
    }
    try {
      const existing = await perform(context, vmi, expected, action);
      if (existing) return await actOn(context, observe(context, vmi, existing), expected, UNWATCHED_RECHECK_MS);
    } catch (error) {
      const what = created[action.do];
      if (!what || !(isRefused(error) || error instanceof NameTaken)) throw error;
      // report the cause to the user and retry with growing delays
      const { reason, message } = error as ApiError;
      for (const answer of decideRefused(seen, { what, reason, message })) {
        await perform(context, vmi, expected, answer);
      }
      throw error;
    }
  }
  return { requeueAfterMs };
}

const created: Partial<Record<Effect['do'], string>> = {
  createPod: 'the launcher Pod',
  createAttachment: 'the Pod of a hotplugged volume',
  createClaim: 'the PersistentVolumeClaim for the state of the VM',
};

const mayHavePod = (vmi: VirtualMachineInstance): boolean =>
  isHandedOver(vmi) || vmi.status?.phase === 'Scheduling' || Boolean(vmi.metadata.deletionTimestamp);

function observe(context: Context, vmi: VirtualMachineInstance, pod: Pod | undefined): Observed {
  const plugged = hotplugClaims(vmi);
  const claims = findClaims(context, vmi.metadata.namespace, [...claimNames(vmi.spec), ...plugged]);
  return {
    ...clusterFactsFor(context, vmi, pod),
    vmi,
    pod,
    attachments: pod ? context.caches.attachments.byIndex('launcher', pod.metadata.uid ?? '') : [],
    claimUsers: claimUsers(context, vmi, plugged),
    claims,
    ...dataVolumesOf(context, vmi, claims),
    nodes: context.caches.nodes.list(),
    handlerSilence: handlerSilence(context, pod),
    config: context.config(),
    launcherImage: context.launcherImage,
    now: context.now(),
  };
}

function handlerSilence({ caches, heartbeats }: Context, pod: Pod | undefined): number | undefined {
  const node = caches.nodes.get(pod?.spec.nodeName ?? '');
  return node && heartbeats.silenceOf(node);
}

/** Facts for a Pod that will be created or replaced. */
function clusterFactsFor({ caches, config }: Context, vmi: VirtualMachineInstance, pod: Pod | undefined): ClusterFacts {
  if (pod?.spec.nodeName || isFinal(vmi) || vmi.metadata.deletionTimestamp) return {};
  return clusterFacts(vmi, config(), factSource(caches));
}

/** Read only while there is no Pod. */
function dataVolumesOf(
  { caches }: Context,
  { metadata, spec }: VirtualMachineInstance,
  claims: Observed['claims'],
): Pick<Observed, 'dataVolumes' | 'dataVolumesUnknown'> {
  const named = (spec.volumes ?? []).flatMap(({ dataVolume }) => dataVolume?.name ?? []);
  const controllers = [...claims.values()].flatMap(({ dataVolume }) => dataVolume?.name ?? []);
  const found = [...named, ...controllers].flatMap(
    (name) => caches.dataVolumes.get(`${metadata.namespace}/${name}`) ?? [],
  );
  return {
    dataVolumes: new Map(found.map((dataVolume) => [dataVolume.metadata.name ?? '', dataVolume])),
    dataVolumesUnknown: notListed(caches.dataVolumes),
  };
}

/** A Pod of another owner has the launcher's name. */
class NameTaken extends ApiError {}

/** Returns the Pod if the one to create exists already: it may be in no cache. */
async function perform(
  context: Context,
  vmi: VirtualMachineInstance,
  expected: string,
  action: Effect,
): Promise<Pod | void> {
  const { client, recorder, expectations, caches } = context;
  const ref = { namespace: vmi.metadata.namespace, name: vmi.metadata.name ?? '' };
  switch (action.do) {
    case 'createClaim':
      // an existing claim that is in no cache yet: the next pass checks whose it is
      await client.create(resources.persistentVolumeClaims, action.claim, { fieldManager });
      return;
    case 'createPod': {
      const { pod, isNew } = await createPod(context, vmi, action.pod);
      if (!isNew) return pod;
      return expectations.expect(expected, caches.pods, pod.metadata.resourceVersion);
    }
    case 'createAttachment': {
      const made = await client.create(resources.pods, action.pod, { fieldManager }).catch(except(isAlreadyExists));
      return expectations.expect(expected, caches.attachments, made?.metadata.resourceVersion);
    }
    case 'deletePod':
    case 'deleteAttachment': {
      const preconditions = { uid: action.pod.metadata.uid };
      const target = { namespace: ref.namespace, name: action.pod.metadata.name ?? '' };
      const answer = await client
        .delete(resources.pods, target, { preconditions })
        .catch((error: unknown) => (isNotFound(error) || isConflict(error) ? undefined : Promise.reject(error)));
      if (!answer) return;
      recorder.normal(vmi, reasons.successfulDelete, `Deleted Pod ${target.name}: ${action.why}`);
      const cache = action.do === 'deletePod' ? caches.pods : caches.attachments;
      return expectations.expect(expected, cache, answer.metadata?.resourceVersion);
    }
    case 'patchStatus': {
      // the handler writes the same object: a decision that did not see its changes must not overwrite them
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
        .catch(except(isNotFound));
      return;
    }
    case 'setGate': {
      const condition = { type: UNPAUSED_GATE, status: action.status, lastProbeTime: null };
      const target = { namespace: ref.namespace, name: action.pod.metadata.name ?? '', subresource: 'status' };
      const conditions = [{ ...condition, lastTransitionTime: isoTime(context.now()) }];
      const answer = await client
        .patch(resources.pods, target, { status: { conditions } }, 'strategic', { fieldManager })
        .catch(except(isNotFound));
      return expectations.expect(expected, caches.pods, answer?.metadata.resourceVersion);
    }
    case 'recordEvent':
      recorder.record(vmi, action.type, action.reason, action.message);
  }
}

/**
 * Creates the Pod, or returns the existing one. The VMI is read again first: an outdated cache may show one that has long
 * been taken over or deleted.
 */
async function createPod(
  { client }: Context,
  vmi: VirtualMachineInstance,
  pod: Pod,
): Promise<{ pod: Pod; isNew: boolean }> {
  const current = await client.get<VirtualMachineInstance>(resources.virtualMachineInstances, {
    namespace: vmi.metadata.namespace,
    name: vmi.metadata.name ?? '',
  });
  const isOther = current.metadata.uid !== vmi.metadata.uid || current.metadata.deletionTimestamp;
  if (isOther || isFinal(current) || isHandedOver(current)) {
    throw new Error(`VMI ${keyOf(vmi)}: the cache is outdated; retried later`);
  }
  try {
    return { pod: await client.create(resources.pods, pod, { fieldManager }), isNew: true };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.get<Pod>(resources.pods, splitKey(keyOf(pod)));
    if (isLauncherOf(vmi, existing)) return { pod: slimPod(existing), isNew: false };
    throw new NameTaken(409, 'AlreadyExists', `a Pod "${pod.metadata.name}" exists that this VM did not create`);
  }
}
