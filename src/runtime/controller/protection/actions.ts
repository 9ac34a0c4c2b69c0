/** Writes of the controllers of snapshots, restores and clones, as data. */
import type { KubeObject } from '../../../api';
import type { EventType } from '../../kube';

/** Kinds that these controllers write. */
export type WrittenKind =
  | 'VirtualMachine'
  | 'VirtualMachineSnapshot'
  | 'VirtualMachineSnapshotContent'
  | 'VirtualMachineRestore'
  | 'VirtualMachineClone'
  | 'VirtualMachineInstance'
  | 'VirtualMachineBackup'
  | 'VirtualMachineBackupTracker'
  | 'VirtualMachineExport'
  | 'VolumeSnapshot'
  | 'VolumeCloneSource'
  | 'PersistentVolumeClaim'
  | 'DataVolume';

export type Action =
  | { readonly do: 'create'; readonly object: KubeObject & { readonly kind: WrittenKind } }
  | { readonly do: 'delete'; readonly kind: WrittenKind; readonly name: string; readonly uid?: string }
  /** A merge patch. With `metadata.resourceVersion` in the body, it is rejected if the object has changed. */
  | {
      readonly do: 'patch';
      readonly kind: WrittenKind;
      readonly name: string;
      readonly body: object;
      readonly subresource?: 'status';
    }
  /** A JSON patch; each operation is a text of the user. */
  | { readonly do: 'patchVm'; readonly name: string; readonly operations: readonly string[] }
  | { readonly do: 'stopVm'; readonly name: string }
  | { readonly do: 'freeze'; readonly vm: string; readonly limit: string }
  | { readonly do: 'unfreeze'; readonly vm: string }
  /** Asks a guest's launcher to begin or abort a backup. */
  | { readonly do: 'backUp'; readonly vm: string; readonly options: object }
  | {
      readonly do: 'event';
      readonly on: KubeObject;
      readonly type: EventType;
      readonly reason: string;
      readonly message: string;
    }
  | { readonly do: 'recheck'; readonly afterMs: number };

/** Creates an object, whose kind must be one of those that these controllers write. */
export const create = (object: KubeObject): Action => ({
  do: 'create',
  object: object as KubeObject & { readonly kind: WrittenKind },
});

export const recheck = (afterMs: number): Action => ({ do: 'recheck', afterMs });

export const warning = (on: KubeObject, reason: string, message: string): Action => ({
  do: 'event',
  on,
  type: 'Warning',
  reason,
  message,
});

export const normal = (on: KubeObject, reason: string, message: string): Action => ({
  do: 'event',
  on,
  type: 'Normal',
  reason,
  message,
});

type Owned = KubeObject & { readonly kind?: string };

/** Patch of the finalizers of an object; none if nothing changes. */
export function finalizerPatch(
  { kind, metadata }: Owned,
  finalizer: string,
  isPresent: boolean,
): Extract<Action, { do: 'patch' }>[] {
  const { name = '', resourceVersion, finalizers = [] } = metadata;
  if (finalizers.includes(finalizer) === isPresent) return [];
  const next = isPresent ? [...finalizers, finalizer] : finalizers.filter((each) => each !== finalizer);
  const body = { metadata: { resourceVersion, finalizers: next } };
  return [{ do: 'patch', kind: kind as WrittenKind, name, body }];
}
