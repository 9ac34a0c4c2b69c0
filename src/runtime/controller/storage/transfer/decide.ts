/**
 * Moves a claim, or a DataVolume with its claim, to another namespace or name, in CDI's phases and messages. The volume stays:
 * it is kept while its claim is deleted, and given to a claim that was created before, so that nothing which prevents the new
 * claim can cost the old one. Pure.
 */
import { keys } from '../../../../api/keys';
import type { cdi, KubeObject } from '../../../../api';
import { timed } from '../conditions';
import type { DataVolume } from '../data-volume/decide';
import type { PersistentVolume, StorageClaim } from '../types';

export type ObjectTransfer = cdi.ObjectTransfer & KubeObject;
type Status = cdi.ObjectTransferStatus;

export interface Observed {
  readonly transfer: ObjectTransfer;
  /** Source of the kind DataVolume. */
  readonly dataVolume?: DataVolume;
  /** Claim of the source. */
  readonly claim?: StorageClaim;
  /** Volume of the claim, or the one that was recorded. */
  readonly volume?: PersistentVolume;
  /** Pods that use the claim. */
  readonly users: readonly string[];
  /** Another transfer that moves the claim. */
  readonly holder?: string;
  readonly target: { readonly claim?: StorageClaim; readonly dataVolume?: DataVolume };
  readonly now: number;
}

export type Action =
  | { readonly do: 'createClaim'; readonly claim: StorageClaim }
  /** Reserves the claim for this transfer. */
  | { readonly do: 'holdClaim'; readonly claim: StorageClaim }
  | { readonly do: 'deleteClaim'; readonly claim: StorageClaim }
  | { readonly do: 'createDataVolume'; readonly dataVolume: DataVolume }
  /** Without its claim. */
  | { readonly do: 'deleteDataVolume'; readonly dataVolume: DataVolume }
  | { readonly do: 'changeVolume'; readonly volume: PersistentVolume; readonly spec: object }
  | { readonly do: 'setFinalizers'; readonly finalizers: readonly string[] };

export interface Decision {
  readonly actions: readonly Action[];
  readonly status: Status;
  /** Time after which the transfer is looked at again. */
  readonly retryMs?: number;
}

/** Finalizers under which a claim cannot be deleted. */
const BUSY = [
  'provisioner.storage.kubernetes.io/cloning-protection',
  'snapshot.storage.kubernetes.io/pvc-as-source-protection',
];
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const STEP_MS = 500;
const WAIT_MS = 2_000;
const RETAIN = 'Retain';

/** Facts that are recorded before the first change, as in CDI: JSON of the objects, the volume and its reclaim policy. */
interface Record {
  readonly claim: StorageClaim;
  readonly dataVolume?: DataVolume;
  readonly volume: string;
  readonly reclaim: string;
}

export const targetOf = ({ spec: { source, target } }: ObjectTransfer): { namespace: string; name: string } => ({
  namespace: target.namespace ?? source.namespace,
  name: target.name ?? source.name,
});

export function decide(observed: Observed): Decision {
  const { transfer } = observed;
  const { finalizers = [], deletionTimestamp } = transfer.metadata;
  const { phase = '' } = transfer.status ?? {};
  const isMine = finalizers.includes(keys.transferFinalizer);
  const record = recordOf(transfer);
  // what has begun is completed, unless it has changed nothing yet
  const canEnd = phase !== 'Running' || isUntouched(observed, record);
  if (phase === 'Complete' || (deletionTimestamp !== undefined && canEnd)) {
    const others = finalizers.filter((finalizer) => finalizer !== keys.transferFinalizer);
    return { actions: isMine ? [{ do: 'setFinalizers', finalizers: others }] : [], status: transfer.status ?? {} };
  }
  if (phase === 'Error') return { actions: [], status: transfer.status ?? {} };
  if (phase === 'Running') return record ? move(observed, record) : fail(observed, 'PV name missing');
  if (!isMine) {
    const actions: Action[] = [{ do: 'setFinalizers', finalizers: [...finalizers, keys.transferFinalizer] }];
    return { actions, ...waiting(observed, 'Initializing'), retryMs: STEP_MS };
  }
  const obstacle = obstacleOf(observed);
  if (obstacle !== undefined) return { actions: [], ...waiting(observed, obstacle), retryMs: WAIT_MS };
  return begin(observed);
}

const isUntouched = ({ claim, target }: Observed, record: Record | undefined): boolean =>
  !target.claim && claim?.metadata.uid === record?.claim.metadata.uid;

/** Cause for which the transfer cannot begin. */
function obstacleOf({ transfer, dataVolume, claim, volume, users, holder, target }: Observed): string | undefined {
  const { source } = transfer.spec;
  const isDataVolume = source.kind === 'DataVolume';
  const object = isDataVolume ? dataVolume : claim;
  if (!object) return 'No source';
  const missing = Object.entries(source.requiredAnnotations ?? {}).find(
    ([key, value]) => object.metadata.annotations?.[key] !== value,
  );
  if (missing) return `Source lacks annotation ${missing.join('=')}`;
  if (isDataVolume && dataVolume?.status?.phase !== 'Succeeded') return 'Source not populated';
  if (!claim?.spec.volumeName || claim.status?.phase !== 'Bound') return 'PVC not bound';
  const busy = claim.metadata.finalizers?.find((finalizer) => BUSY.includes(finalizer));
  if (busy) return `PVC has finalizer: ${busy}`;
  if (volume?.spec?.claimRef?.uid !== claim.metadata.uid) return 'PV not bound';
  if (users.length > 0) return `${isDataVolume ? 'Pods using DataVolume PVC' : 'Pods using PVC'}: ${users.join(', ')}`;
  if (holder !== undefined) return `Source in use by another transfer: ${holder}`;
  if (target.claim) return `PVC ${target.claim.metadata.namespace}/${target.claim.metadata.name} exists; delete it`;
  return target.dataVolume ? 'the target DataVolume exists; delete it' : undefined;
}

function begin(observed: Observed): Decision {
  const { transfer, claim, dataVolume, volume } = observed;
  if (claim!.metadata.annotations?.[keys.transferName] !== transfer.metadata.name)
    return { actions: [{ do: 'holdClaim', claim: claim! }], ...waiting(observed, 'Pending'), retryMs: STEP_MS };
  const data = {
    pvName: volume!.metadata.name!,
    pvReclaim: volume!.spec?.persistentVolumeReclaimPolicy ?? RETAIN,
    source: JSON.stringify({ ...claim, status: undefined }),
    ...(dataVolume && { dataVolume: JSON.stringify({ ...dataVolume, status: undefined }) }),
  };
  return { actions: [], status: { ...running(observed, 'Running'), data }, retryMs: STEP_MS };
}

function recordOf({ status }: ObjectTransfer): Record | undefined {
  const { source, dataVolume, pvName, pvReclaim } = status?.data ?? {};
  if (!source || !pvName || !pvReclaim) return undefined;
  return {
    claim: JSON.parse(source) as StorageClaim,
    ...(dataVolume && { dataVolume: JSON.parse(dataVolume) as DataVolume }),
    volume: pvName,
    reclaim: pvReclaim,
  };
}

/** The next step of a transfer; each follows from what exists. */
function move(observed: Observed, record: Record): Decision {
  const { transfer, dataVolume, claim, volume, target } = observed;
  const to = targetOf(transfer);
  const step = (message: string, ...actions: Action[]): Decision => ({
    actions,
    status: running(observed, message),
    retryMs: STEP_MS,
  });
  if (!volume) return fail(observed, `PV ${record.volume} does not exist`);
  if (!target.claim) return step('Running', { do: 'createClaim', claim: targetClaim(transfer, record) });
  if (target.claim.spec.volumeName !== record.volume)
    return fail(observed, `PVC ${to.namespace}/${to.name} was created by somebody else`);
  if (dataVolume && dataVolume.metadata.uid === record.dataVolume?.metadata.uid)
    return step('Running', ...(isDeleted(dataVolume) ? [] : [{ do: 'deleteDataVolume', dataVolume } as const]));
  const policy = volume.spec?.persistentVolumeReclaimPolicy;
  if (claim && claim.metadata.uid === record.claim.metadata.uid) {
    if (policy !== RETAIN) {
      const spec = { persistentVolumeReclaimPolicy: RETAIN };
      return step('Running', { do: 'changeVolume', volume, spec });
    }
    return step('Running', ...(isDeleted(claim) ? [] : [{ do: 'deleteClaim', claim } as const]));
  }
  const owner = volume.spec?.claimRef;
  if (owner?.uid !== target.claim.metadata.uid) {
    if (owner && owner.uid !== record.claim.metadata.uid) return fail(observed, 'PV bound to wrong PVC');
    const { uid } = target.claim.metadata;
    const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...to, uid, resourceVersion: null };
    return step('Running', { do: 'changeVolume', volume, spec: { claimRef } });
  }
  if (target.claim.status?.phase !== 'Bound') return { ...step('Waiting for target to be bound'), retryMs: WAIT_MS };
  if (policy !== record.reclaim) {
    const spec = { persistentVolumeReclaimPolicy: record.reclaim };
    return step('Running', { do: 'changeVolume', volume, spec });
  }
  if (record.dataVolume && target.dataVolume?.status?.phase !== 'Succeeded') {
    const made = targetDataVolume(transfer, record.dataVolume, to.name);
    const create = target.dataVolume ? [] : [{ do: 'createDataVolume', dataVolume: made } as const];
    return { ...step('Waiting for target DataVolume', ...create), retryMs: WAIT_MS };
  }
  const condition = conditionOf(observed, 'True', 'Transfer complete');
  return { actions: [], status: { phase: 'Complete', conditions: [condition] }, retryMs: STEP_MS };
}

/** The claim that takes over the volume. It waits until the volume is given to it. */
function targetClaim(transfer: ObjectTransfer, { claim, dataVolume, volume }: Record): StorageClaim {
  const annotations = { ...claim.metadata.annotations };
  for (const key of [BIND_COMPLETED, keys.populatedFor, keys.transferName]) delete annotations[key];
  if (dataVolume) annotations[keys.populatedFor] = targetOf(transfer).name;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...moved(transfer, claim, dataVolume), annotations },
    spec: { ...claim.spec, volumeName: volume },
  };
}

function targetDataVolume(transfer: ObjectTransfer, source: DataVolume, claim: string): DataVolume {
  const { [keys.cloneToken]: _token, ...annotations } = source.metadata.annotations ?? {};
  const { apiVersion, kind, spec } = source;
  return {
    apiVersion,
    kind,
    // its claim has the content already, which is not copied again
    metadata: { ...moved(transfer, source), annotations: { ...annotations, [keys.prePopulated]: claim } },
    spec,
  };
}

/** Metadata of the target. Owners are in the namespace of the source. */
function moved(transfer: ObjectTransfer, { metadata }: KubeObject, owner?: KubeObject): KubeObject['metadata'] {
  const { source } = transfer.spec;
  const to = targetOf(transfer);
  const owners = metadata.ownerReferences?.filter(({ uid }) => uid !== owner?.metadata.uid) ?? [];
  return {
    ...to,
    ...(metadata.labels && { labels: metadata.labels }),
    ...(to.namespace === source.namespace && owners.length > 0 && { ownerReferences: owners }),
  };
}

const isDeleted = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

const conditionOf = ({ transfer, now }: Observed, status: 'True' | 'False', message: string) =>
  timed({ type: 'Complete', status, message, reason: '' }, transfer.status?.conditions, now);

const waiting = (observed: Observed, message: string): Pick<Decision, 'status'> => ({
  status: { phase: 'Pending', conditions: [conditionOf(observed, 'False', message)] },
});

/** Keeps the record. */
const running = (observed: Observed, message: string): Status => ({
  ...observed.transfer.status,
  phase: 'Running',
  conditions: [conditionOf(observed, 'False', message)],
});

const fail = (observed: Observed, message: string): Decision => ({
  actions: [],
  status: {
    ...observed.transfer.status,
    phase: 'Error',
    conditions: [conditionOf(observed, 'False', message)],
  },
});

/** The status while the API server refuses a step. */
export const refused = (observed: Observed, message: string): Status => ({
  ...observed.transfer.status,
  conditions: [conditionOf(observed, 'False', message)],
});
