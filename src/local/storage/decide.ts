import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../core-v1';
import { quantityOf } from '../quantity';
import type { Restorable } from './snapshots/decide';
import { SNAPSHOT_GROUP } from './snapshots/types';
import { keys } from '../../api/keys';

/** Decides the next action for a claim. Pure. */

export const PROVISIONER = keys.localProvisioner;
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** Finalizer that keeps a deleted claim while others are cloned from it. CSI's external provisioner uses the same. */
export const CLONING = 'provisioner.storage.kubernetes.io/cloning-protection';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** Interval of checks whether a claim is still used. Pods are not watched, because claims rarely wait for them. */
export const USER_CHECK_MS = 2_000;
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

export interface Observed {
  readonly claim: PersistentVolumeClaim;
  readonly classes: readonly StorageClass[];
  readonly volumes: readonly PersistentVolume[];
  /** Claim that `dataSource` names. */
  readonly source?: PersistentVolumeClaim;
  /** Pod that uses that claim, if the claim cannot be copied while Pods use it. */
  readonly sourceUser?: string;
  /** Data of the VolumeSnapshot that `dataSource` names, or the cause for which there are none. */
  readonly restored?: Restorable | { readonly problem: string; readonly remedy: string };
  /** Nodes on this machine. */
  readonly nodes: readonly string[];
}

export type Action =
  | { readonly do: 'nothing' }
  | { readonly do: 'setClass'; readonly storageClass: string }
  | { readonly do: 'bind'; readonly volume: PersistentVolume }
  | { readonly do: 'provision'; readonly storageClass: StorageClass; readonly copyOf?: string }
  | { readonly do: 'expand'; readonly volume: PersistentVolume; readonly bytes: number }
  | {
      readonly do: 'wait';
      readonly reason: string;
      readonly message: string;
      readonly warn: boolean;
      /** Time after which the claim is looked at again, even if no watched object changes. */
      readonly retryMs?: number;
    }
  | { readonly do: 'lose'; readonly message: string }
  | { readonly do: 'release' };

const nothing: Action = { do: 'nothing' };

export function decide(observed: Observed): Action {
  const { claim, classes, volumes, nodes } = observed;
  const { spec = {}, status, metadata } = claim;
  if (metadata.deletionTimestamp) return metadata.finalizers?.includes(CLONING) ? { do: 'release' } : nothing;
  const own = volumes.find(({ metadata: { name } }) => name === spec.volumeName);
  // as in Kubernetes, a claim whose volume comes back is bound again
  if (status?.phase === 'Lost') return own && isFor(own, claim) ? { do: 'bind', volume: own } : nothing;
  if (spec.volumeName && status?.phase === 'Bound') {
    // a populator gives the volume of its own claim to that of the user
    return own && isFor(own, claim) ? expansion(claim, own, classes) : lost(spec.volumeName);
  }
  if (spec.volumeName) return own ? bindTo(claim, own) : waitFor(spec.volumeName);

  const className = spec.storageClassName;
  if (className === undefined) {
    const standard = defaultClass(classes);
    if (standard) return { do: 'setClass', storageClass: standard.metadata.name ?? '' };
  }
  const half = volumes.find((volume) => isFor(volume, claim));
  if (half) return { do: 'bind', volume: half };
  const storageClass = classOf(claim, classes);
  const node = metadata.annotations?.[SELECTED_NODE];
  if (waitsForConsumer(claim, storageClass)) {
    const message = 'waiting for first consumer to be created before binding';
    return { do: 'wait', reason: 'WaitForFirstConsumer', message, warn: false };
  }
  const existing = bestVolume(claim, volumes);
  if (existing) return { do: 'bind', volume: existing };
  if (!className) {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    return { do: 'wait', reason: 'FailedBinding', message, warn: false };
  }
  if (!storageClass) {
    const known = classes.map((candidate) => `"${candidate.metadata.name}"`).join(', ');
    const message = `storageclass.storage.k8s.io "${className}" not found (this cluster has: ${known || 'none'})`;
    return { do: 'wait', reason: 'ProvisioningFailed', message, warn: true };
  }
  if (storageClass.provisioner !== PROVISIONER || (node && !nodes.includes(node))) {
    const message = `waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator.`;
    return { do: 'wait', reason: 'ExternalProvisioning', message, warn: false };
  }
  const source = spec.dataSourceRef ?? spec.dataSource;
  if (source?.apiGroup && source.apiGroup !== SNAPSHOT_GROUP) {
    const message = `waiting for the populator of ${source.kind} "${source.name}" to create a volume`;
    return { do: 'wait', reason: 'ExternalProvisioning', message, warn: false };
  }
  if (source) return copy(observed, storageClass, source);
  return { do: 'provision', storageClass };
}

/** A copy of a claim or snapshot of the namespace, with the rules of CSI's external provisioner. */
function copy(
  { claim, volumes, source, sourceUser, restored }: Observed,
  storageClass: StorageClass,
  { kind, name }: { readonly kind: string; readonly name: string },
): Action {
  const fail = (problem: string, remedy: string): Extract<Action, { do: 'wait' }> => ({
    do: 'wait',
    reason: 'ProvisioningFailed',
    message: `data source ${kind} "${name}" ${problem}; ${remedy}`,
    warn: true,
  });
  const { name: className } = storageClass.metadata;
  const mode = claim.spec?.volumeMode ?? 'Filesystem';
  const wanted = quantityOf(claim.spec?.resources?.requests?.storage);
  const copyIf = (copyOf: string | undefined, ofMode: string, least: string | number | undefined): Action => {
    if (ofMode !== mode) return fail(`has another volumeMode than ${mode}`, 'use the same');
    if (wanted >= quantityOf(least)) return { do: 'provision', storageClass, copyOf };
    return fail(`has ${least}, which is more than this claim requests`, `request at least ${least}`);
  };
  if (kind === 'VolumeSnapshot' && restored) {
    if ('problem' in restored) return fail(restored.problem, restored.remedy);
    return copyIf(restored.handle, restored.volumeMode, restored.bytes);
  }
  if (kind !== 'PersistentVolumeClaim') {
    return fail(`is not supported by storage class "${className}"`, 'omit it and fill the volume after it is bound');
  }
  if (!source) return fail('does not exist', 'create it; this claim will be bound automatically');
  const original = volumes.find(({ metadata }) => metadata.name === source.spec?.volumeName);
  if (!original || source.status?.phase !== 'Bound') return fail('is not bound', 'run a Pod that uses it');
  if (original.metadata.annotations?.[PROVISIONED_BY] !== PROVISIONER) {
    return fail(`belongs to another storage class than "${className}"`, 'use a claim of that class');
  }
  const { volumeMode = 'Filesystem', capacity } = original.spec ?? {};
  const action = copyIf(original.metadata.name, volumeMode, capacity?.storage);
  if (action.do !== 'provision' || sourceUser === undefined) return action;
  return { ...fail(inUse(sourceUser), 'this claim is bound automatically afterwards'), retryMs: USER_CHECK_MS };
}

/** Cause for which a volume cannot be copied, and its remedy. */
export const inUse = (pod: string): string =>
  `is in use by Pod "${pod}", and a Block volume in use can be copied only if the state folder of the engine is on a file system with reflinks (XFS, Btrfs); stop the VM or the Pod that uses it`;

const classOf = ({ spec }: PersistentVolumeClaim, classes: readonly StorageClass[]): StorageClass | undefined =>
  classes.find(({ metadata }) => metadata.name === spec?.storageClassName);

const waitsForConsumer = ({ metadata }: PersistentVolumeClaim, storageClass: StorageClass | undefined): boolean =>
  storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !metadata.annotations?.[SELECTED_NODE];

/** Whether a claim has no volume yet, and names an object of its namespace as the source of its data. */
export function isUnfilled(
  { metadata, spec }: PersistentVolumeClaim,
  { apiGroup = '', kind, namespace, name }: Source,
): boolean {
  const source = spec?.dataSourceRef ?? spec?.dataSource;
  return (
    !metadata.deletionTimestamp &&
    !spec?.volumeName &&
    metadata.namespace === namespace &&
    source?.name === name &&
    source?.kind === kind &&
    (source?.apiGroup ?? '') === apiGroup
  );
}

export interface Source {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Whether the provisioning of a claim from another one has begun, and needs the data of the other one until it has ended. */
export function isCloning(
  claim: PersistentVolumeClaim,
  { metadata: { namespace, name } }: PersistentVolumeClaim,
  classes: readonly StorageClass[],
): boolean {
  const storageClass = classOf(claim, classes);
  if (storageClass?.provisioner !== PROVISIONER || waitsForConsumer(claim, storageClass)) return false;
  return isUnfilled(claim, { kind: 'PersistentVolumeClaim', namespace, name });
}

/** Default class; the newest of several. */
function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  return classes
    .filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
    .sort((a, b) => ((a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? 1 : -1))[0];
}

export const isFor = ({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean =>
  spec?.claimRef?.namespace === metadata.namespace &&
  spec?.claimRef?.name === metadata.name &&
  (spec?.claimRef?.uid === undefined || spec.claimRef.uid === metadata.uid);

/** Smallest free volume that is large enough and has the same class and mode and all access modes. */
function bestVolume(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): PersistentVolume | undefined {
  return volumes
    .filter((volume) => !volume.spec?.claimRef && !volume.metadata.deletionTimestamp && serves(volume, claim))
    .sort((a, b) => quantityOf(a.spec?.capacity?.storage) - quantityOf(b.spec?.capacity?.storage))[0];
}

function serves({ spec, status }: PersistentVolume, { spec: wanted = {} }: PersistentVolumeClaim): boolean {
  return (
    (status?.phase ?? 'Available') === 'Available' &&
    (spec?.storageClassName ?? '') === (wanted.storageClassName ?? '') &&
    (spec?.volumeMode ?? 'Filesystem') === (wanted.volumeMode ?? 'Filesystem') &&
    quantityOf(spec?.capacity?.storage) >= quantityOf(wanted.resources?.requests?.storage) &&
    (wanted.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode))
  );
}

function bindTo(claim: PersistentVolumeClaim, volume: PersistentVolume): Action {
  if (!volume.spec?.claimRef || isFor(volume, claim)) return { do: 'bind', volume };
  const message = `volume "${volume.metadata.name}" already bound to a different claim.`;
  return { do: 'wait', reason: 'FailedBinding', message, warn: true };
}

const waitFor = (volume: string): Action => ({
  do: 'wait',
  reason: 'FailedBinding',
  message: `persistentvolume "${volume}" not found; create it or omit spec.volumeName`,
  warn: true,
});

const lost = (volume: string): Action => ({
  do: 'lose',
  message: `Bound claim has lost its PersistentVolume "${volume}". Data on the volume is lost!`,
});

function expansion(claim: PersistentVolumeClaim, volume: PersistentVolume, classes: readonly StorageClass[]): Action {
  const wanted = quantityOf(claim.spec?.resources?.requests?.storage);
  if (wanted <= quantityOf(claim.status?.capacity?.storage)) return nothing;
  return classOf(claim, classes)?.provisioner === PROVISIONER ? { do: 'expand', volume, bytes: wanted } : nothing;
}
