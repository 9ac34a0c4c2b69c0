/** Decides what an export can serve: the claims of its source, or why they are not available. Pure. */
import { keys } from '../../../api/keys';
import { quantityValue } from '../../../api/quantity';
import type { VolumeContent } from '../../../api/export/export-request';
import type { cdi, core, KubeObject, snapshot, VirtualMachine } from '../../../api';
import { backupSocketName } from '../../../api/backup-socket';
import { controllerRef } from '../../../api/owner';
import { type Backup, isOver, volumeNameOf } from '../protection/backup/observed';
import { copyOf } from '../protection/types';
import type { VolumeSnapshot } from '../storage/types';
import { snapshotClaim, type ExportClaim, type VirtualMachineExport } from './names';

export type Snapshot = snapshot.VirtualMachineSnapshot & KubeObject;
export type SnapshotContent = snapshot.VirtualMachineSnapshotContent & KubeObject;
type DataVolume = cdi.DataVolume & KubeObject;

/** Objects that an export depends on. */
export interface SourceFacts {
  readonly vm?: VirtualMachine;
  /** Whether the VM has an instance that is not final. */
  readonly isVmRunning: boolean;
  readonly snapshot?: Snapshot;
  readonly content?: SnapshotContent;
  /** By name, of the snapshot. */
  readonly volumeSnapshots: ReadonlyMap<string, VolumeSnapshot>;
  /** By name. */
  readonly claims: ReadonlyMap<string, ExportClaim>;
  /** DataVolumes by name, of claims that belong to one. */
  readonly dataVolumes: ReadonlyMap<string, DataVolume>;
  readonly backup?: Backup;
  /** Node of the guest that is backed up. */
  readonly backupNode?: string;
  /** Who uses a claim, by its name. */
  readonly users: ReadonlyMap<string, string>;
}

/** A claim that is served. */
export interface ExportVolume {
  /** Name in status.links. */
  readonly name: string;
  readonly claim: ExportClaim;
  readonly content: VolumeContent;
}

export interface ExportSource {
  readonly volumes: readonly ExportVolume[];
  /** Claims to restore from a snapshot. */
  readonly missing: readonly ExportClaim[];
  readonly blocked?: Blocked;
  readonly vmName?: string;
  /** Condition of the claims. */
  readonly condition?: SourceCondition;
  /** VM whose manifests are served. */
  readonly machine?: VirtualMachine;
  readonly backup?: BackupSource;
  /** Claims of the volumes, by the names that the VM has for them. */
  readonly originals: Readonly<Record<string, string>>;
}

/** Disks of a backup in mode Pull, which the launcher serves at a socket in the claim. */
export interface BackupSource {
  readonly claimName: string;
  /** Name of the socket in the claim. */
  readonly socket: string;
  readonly volumes: readonly string[];
  readonly isIncremental: boolean;
  readonly nodeName: string;
}

/** Cause for which nothing can be served now. */
export interface Blocked {
  readonly reason: string;
  readonly message: string;
  /** Whether the source has nothing to export. */
  readonly isSkipped?: boolean;
}

export interface SourceCondition {
  readonly type: 'PVC' | 'VolumesCreated';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
}

export function sourceOf(vmExport: VirtualMachineExport, facts: SourceFacts): ExportSource {
  switch (vmExport.spec.source.kind) {
    case 'PersistentVolumeClaim':
      return claimSource(vmExport, facts);
    case 'VirtualMachine':
      return vmSource(vmExport, facts);
    case 'VirtualMachineSnapshot':
      return snapshotSource(vmExport, facts);
    case 'VirtualMachineBackup':
      return backupSource(vmExport, facts);
    default: {
      const message = `this version does not export a ${vmExport.spec.source.kind} (allowed: PersistentVolumeClaim, VirtualMachine, VirtualMachineSnapshot, VirtualMachineBackup)`;
      return nothing({ reason: 'SourceNotSupported', message, isSkipped: true });
    }
  }
}

const nothing = (blocked: Blocked, more: Partial<ExportSource> = {}): ExportSource => ({
  volumes: [],
  missing: [],
  originals: {},
  blocked,
  ...more,
});

function claimSource({ metadata, spec }: VirtualMachineExport, facts: SourceFacts): ExportSource {
  const { name } = spec.source;
  const claim = facts.claims.get(name);
  if (!claim) {
    const message = `PersistentVolumeClaim ${metadata.namespace}/${name} not found; create it, or delete the export`;
    const condition = { type: 'PVC', status: 'False', reason: 'PVCNotFound', message } as const;
    return nothing({ reason: 'PVCNotFound', message }, { condition });
  }
  const isBound = claim.status?.phase === 'Bound';
  const condition = isBound
    ? ({ type: 'PVC', status: 'True', reason: 'PVCBound' } as const)
    : ({ type: 'PVC', status: 'False', reason: claim.status?.phase === 'Lost' ? 'Unknown' : 'PVCPending' } as const);
  const volumes = [{ name, claim, content: contentOf(claim, facts) }];
  return { volumes, missing: [], originals: {}, condition, ...blockedBy(unavailable(volumes, facts)) };
}

function vmSource({ metadata, spec }: VirtualMachineExport, facts: SourceFacts): ExportSource {
  const { vm } = facts;
  const vmName = spec.source.name;
  const title = `Virtual Machine ${metadata.namespace}/${vmName}`;
  if (!vm)
    return nothing(
      { reason: 'VMNotFound', message: `${title} not found; create it, or delete the export` },
      { vmName },
    );
  const names = claimNamesOf(vm);
  const volumes = names.flatMap(({ claimName }): ExportVolume[] => {
    const claim = facts.claims.get(claimName);
    return claim ? [{ name: claimName, claim, content: contentOf(claim, facts, 'disk') }] : [];
  });
  const common = { vmName, machine: vm, missing: [], originals: {}, volumes };
  if (names.length === 0) {
    const message = `${title} has no volumes with a PersistentVolumeClaim`;
    return { ...common, blocked: { reason: 'VMNoVolumes', message, isSkipped: true } };
  }
  const absent = names.find(({ claimName }) => !facts.claims.has(claimName));
  if (absent) {
    const message = `Not all volumes in the ${title} are populated: PersistentVolumeClaim ${absent.claimName} does not exist yet`;
    return { ...common, blocked: { reason: 'VolumesNotPopulated', message } };
  }
  if (facts.isVmRunning) return { ...common, blocked: { reason: 'InUse', message: `${title} is running; stop it` } };
  return { ...common, ...blockedBy(unavailable(volumes, facts)) };
}

function snapshotSource(vmExport: VirtualMachineExport, facts: SourceFacts): ExportSource {
  const { snapshot: taken, content } = facts;
  const title = `VirtualMachineSnapshot ${vmExport.metadata.namespace}/${vmExport.spec.source.name}`;
  const condition = (status: 'True' | 'False', reason: string, message?: string): { condition: SourceCondition } => ({
    condition: { type: 'VolumesCreated', status, reason, ...(message !== undefined && { message }) },
  });
  if (!taken) {
    const message = `${title} not found; create it, or delete the export`;
    return nothing(
      { reason: 'VMSnapshotNotFound', message, isSkipped: true },
      condition('False', 'VMSnapshotNoVolumes', message),
    );
  }
  const vmName = taken.spec.source.name;
  if (!taken.status?.readyToUse || !content) {
    const message = `${title} is not ready to use`;
    return nothing(
      { reason: 'NotAllPVCsCreated', message },
      { vmName, ...condition('False', 'NotAllPVCsCreated', message) },
    );
  }
  const backups = (content.spec.volumeBackups ?? []).filter((each) => each.volumeSnapshotName ?? copyOf(each));
  if (backups.length === 0) {
    const message = `${title} contains no disks`;
    const none = { reason: 'VMSnapshotNoVolumes', message, isSkipped: true };
    return nothing(none, { vmName, ...condition('False', 'VMSnapshotNoVolumes', message) });
  }
  const machine = content.spec.source.virtualMachine as VirtualMachine | undefined;
  const own = backups.map((backup) => {
    const original = backup.persistentVolumeClaim.metadata?.name ?? '';
    return { backup, original, copy: copyOf(backup), name: snapshotClaim(vmExport, backup) };
  });
  const isForeign = (claim: ExportClaim | undefined): boolean => claim !== undefined && !isOwnedBy(claim, vmExport);
  const taker = own.find(({ name, copy }) => copy === undefined && isForeign(facts.claims.get(name)));
  if (taker) {
    const message = `PersistentVolumeClaim ${taker.name} exists and does not belong to this export; delete it, or rename the export`;
    return nothing({ reason: 'NameTaken', message }, { vmName, ...condition('False', 'NotAllPVCsCreated', message) });
  }
  const missing = own.filter(({ name }) => !facts.claims.has(name));
  const lost = missing.find(({ backup }) => !facts.volumeSnapshots.has(backup.volumeSnapshotName ?? ''));
  if (lost) {
    const { copy, backup } = lost;
    const part = copy ? `PersistentVolumeClaim ${copy}` : `VolumeSnapshot ${backup.volumeSnapshotName}`;
    const message = `${part} of ${title} not found; take another snapshot`;
    return nothing(
      { reason: 'VolumeSnapshotNotFound', message },
      { vmName, ...condition('False', 'NotAllPVCsCreated', message) },
    );
  }
  const volumes = own.flatMap(({ backup, original, name }): ExportVolume[] => {
    const claim = facts.claims.get(name);
    return claim ? [{ name: original, claim, content: contentIn(machine, backup.volumeName, claim, facts) }] : [];
  });
  const isWhole = missing.length === 0;
  return {
    volumes,
    missing: missing.map(({ backup, name }) => restored(vmExport, backup, name, facts)),
    originals: Object.fromEntries(own.map(({ original, name }) => [original, name])),
    vmName,
    ...(machine && { machine }),
    ...(isWhole
      ? volumes.every(({ claim }) => claim.status?.phase === 'Bound')
        ? condition('True', 'AllPVCsReady')
        : condition('False', 'NotAllPVCsReady', 'Not all PVCs are ready')
      : condition('False', 'NotAllPVCsCreated', 'Not all PVCs have been successfully restored')),
    ...(!isWhole && { blocked: { reason: 'NotAllPVCsCreated', message: 'the claims are being restored' } }),
  };
}

function backupSource({ metadata, spec }: VirtualMachineExport, { backup, backupNode }: SourceFacts): ExportSource {
  const title = `VirtualMachineBackup ${metadata.namespace}/${spec.source.name}`;
  if (!backup)
    return nothing({ reason: 'Initializing', message: `${title} not found; create it, or delete the export` });
  const { mode, pvcName } = backup.spec;
  if (mode !== 'Pull' || !pvcName) {
    const message = `${title} is not in mode Pull: it is written to its claim, which can be exported`;
    return nothing({ reason: 'SourceNotSupported', message, isSkipped: true });
  }
  const { includedVolumes = [], type } = backup.status ?? {};
  if (isOver(backup) || includedVolumes.length === 0 || backupNode === undefined)
    return nothing({ reason: 'Initializing', message: `${title} is not in progress` });
  const source = {
    claimName: pvcName,
    socket: backupSocketName(volumeNameOf(backup)),
    volumes: includedVolumes.map(({ volumeName }) => volumeName),
    isIncremental: type === 'Incremental',
    nodeName: backupNode,
  };
  return { volumes: [], missing: [], originals: {}, backup: source };
}

const isOwnedBy = ({ metadata }: KubeObject, owner: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid) ?? false;

/** Annotations of storage controllers, which describe the original claim. */
const OF_CONTROLLERS = ['pv.kubernetes.io', 'volume.beta.kubernetes.io', 'volume.kubernetes.io', 'cdi.kubevirt.io'];

function restored(
  vmExport: VirtualMachineExport,
  { persistentVolumeClaim, volumeSnapshotName = '' }: snapshot.VolumeBackup,
  name: string,
  { volumeSnapshots }: SourceFacts,
): ExportClaim {
  const { metadata, spec } = persistentVolumeClaim as unknown as ExportClaim;
  const { labels, annotations = {} } = metadata ?? {};
  const kept = Object.entries(annotations).filter(
    ([key]) => key === keys.contentType || !OF_CONTROLLERS.some((prefix) => key.startsWith(prefix)),
  );
  const requested = spec.resources?.requests?.storage;
  const least = volumeSnapshots.get(volumeSnapshotName)?.status?.restoreSize;
  const isLarger = least && (!requested || quantityValue(least) > quantityValue(String(requested)));
  const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: volumeSnapshotName };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: vmExport.metadata.namespace,
      labels,
      annotations: Object.fromEntries(kept),
      ownerReferences: [controllerRef(vmExport)],
    },
    spec: {
      accessModes: spec.accessModes,
      storageClassName: spec.storageClassName,
      volumeMode: spec.volumeMode,
      resources: { requests: { storage: (isLarger ? least : requested) ?? '0' } },
      dataSource,
      dataSourceRef: dataSource,
    } as core.PersistentVolumeClaimSpec,
  };
}

const blockedBy = (blocked: Blocked | undefined): { blocked?: Blocked } => (blocked ? { blocked } : {});

/** Returns the cause for which one of these claims cannot be read now. */
function unavailable(volumes: readonly ExportVolume[], facts: SourceFacts): Blocked | undefined {
  for (const { claim } of volumes) {
    const title = `PersistentVolumeClaim ${claim.metadata.namespace}/${claim.metadata.name}`;
    if (claim.metadata.deletionTimestamp) return { reason: 'PVCNotFound', message: `${title} is being deleted` };
    const phase = dataVolumeOf(claim, facts)?.status?.phase;
    if (claim.status?.phase !== 'Bound' || (phase !== undefined && phase !== 'Succeeded')) {
      const message = `${title} is not populated${phase ? ` (its DataVolume is ${phase})` : ''}; the export starts when it is`;
      return { reason: 'PVCPending', message };
    }
    const user = facts.users.get(claim.metadata.name ?? '');
    if (user)
      return { reason: 'InUse', message: `${title} is in use by ${user}; the export starts when it is released` };
  }
  return undefined;
}

function dataVolumeOf({ metadata }: ExportClaim, { dataVolumes }: SourceFacts): DataVolume | undefined {
  const owner = metadata.ownerReferences?.find(({ kind, controller }) => controller && kind === 'DataVolume');
  return owner && dataVolumes.get(owner.name);
}

/** Content of a claim; `otherwise` if nothing describes it. */
function contentOf(claim: ExportClaim, facts: SourceFacts, otherwise: VolumeContent = 'files'): VolumeContent {
  if (claim.spec.volumeMode === 'Block') return 'disk';
  const annotated = claim.metadata.annotations?.[keys.contentType];
  if (annotated !== undefined) return annotated === 'archive' ? 'files' : 'disk';
  const dataVolume = dataVolumeOf(claim, facts);
  if (dataVolume) return dataVolume.spec.contentType === 'archive' ? 'files' : 'disk';
  return otherwise;
}

function contentIn(
  machine: VirtualMachine | undefined,
  volumeName: string,
  claim: ExportClaim,
  facts: SourceFacts,
): VolumeContent {
  const isDisk = machine !== undefined && claimNamesOf(machine).some(({ volume }) => volume === volumeName);
  return contentOf(claim, facts, isDisk ? 'disk' : 'files');
}

/** Claims that a VM's volumes name. */
export function claimNamesOf({ spec }: VirtualMachine): { volume: string; claimName: string }[] {
  const names = (spec.template.spec?.volumes ?? []).flatMap(
    ({ name, persistentVolumeClaim, dataVolume, memoryDump }) => {
      const claimName = persistentVolumeClaim?.claimName ?? dataVolume?.name ?? memoryDump?.claimName;
      return claimName ? [{ volume: name, claimName }] : [];
    },
  );
  return names.filter(({ claimName }, index) => names.findIndex((other) => other.claimName === claimName) === index);
}
