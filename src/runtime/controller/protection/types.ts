import type { core, KubeObject, snapshot, VirtualMachine, VirtualMachineInstance } from '../../../api';
import type { VirtualMachineClone } from '../../../api/generated/clone-v1beta1';
import { keys } from '../../../api/keys';

export type { StorageClass, VolumeSnapshot } from '../storage/types';

export type Snapshot = snapshot.VirtualMachineSnapshot;
export type Content = snapshot.VirtualMachineSnapshotContent;
export type Restore = snapshot.VirtualMachineRestore;
export type Clone = VirtualMachineClone;
export type Vm = VirtualMachine;
export type Vmi = VirtualMachineInstance;
export type VolumeBackup = snapshot.VolumeBackup;

export interface Claim extends KubeObject {
  readonly spec: core.PersistentVolumeClaimSpec;
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: { readonly storage?: string };
    readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
  };
}

export interface VolumeSnapshotClass extends KubeObject {
  readonly driver?: string;
}

export const SNAPSHOT_API = 'snapshot.kubevirt.io/v1beta1';
export const BACKUP_API = 'backup.kubevirt.io/v1alpha1';
export const VOLUME_SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';

/** Metadata that a content keeps of a VM or claim. */
export function simpleMetadata({ metadata }: KubeObject): KubeObject['metadata'] {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, labels, annotations } = metadata;
  const { 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...kept } = annotations ?? {};
  return { name, namespace, uid, resourceVersion, generation, creationTimestamp, labels, annotations: kept };
}

/** Name of the claim with a copy of the volume, where its storage has no snapshots. */
export const copyOf = ({ persistentVolumeClaim }: VolumeBackup): string | undefined =>
  persistentVolumeClaim.metadata?.annotations?.[keys.volumeCopy];
