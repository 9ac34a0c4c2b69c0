// Generated from api/schema/clone.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Time } from './meta-v1';

/**
 * Condition of a clone.
 */
export interface Condition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Clone of a VM, or new VM from a snapshot. The spec is immutable.
 */
export interface VirtualMachineClone extends KubeObject {
  /**
   * Source of the clone and the changes made to the copy.
   */
  spec: VirtualMachineCloneSpec;
  /**
   * Progress of the clone.
   */
  status?: VirtualMachineCloneStatus;
}

/**
 * Source of the clone and the changes made to the copy.
 */
export interface VirtualMachineCloneSpec {
  /**
   * Annotations of the VM to copy: patterns with `*`, applied in order; a leading `!` excludes. Default: all.
   */
  annotationFilters?: string[];
  /**
   * Labels of the VM to copy: patterns with `*`, applied in order; a leading `!` excludes. Default: all.
   */
  labelFilters?: string[];
  /**
   * MAC addresses by interface name. Default: new ones.
   */
  newMacAddresses?: {
    [k: string]: string;
  };
  /**
   * SMBIOS serial number of the copy. Default: a new one.
   */
  newSMBiosSerial?: string;
  /**
   * JSON patches of the copy, each an object as text: `{"op": "add", "path": "/spec/template/metadata/labels/x", "value": "y"}`.
   */
  patches?: string[];
  /**
   * Object to clone: kubevirt.io VirtualMachine or snapshot.kubevirt.io VirtualMachineSnapshot, in the same namespace.
   */
  source: TypedLocalObjectReference;
  /**
   * VM to create: kubevirt.io VirtualMachine. Default: the source's name with a random suffix.
   */
  target?: TypedLocalObjectReference;
  /**
   * Filters for labels and annotations of the VM's template.
   */
  template?: VirtualMachineCloneTemplateFilters;
  /**
   * Naming of the copied claims: random, or TARGET-VOLUME. Default: RandomizeNames.
   */
  volumeNamePolicy?: 'RandomizeNames' | 'PrefixTargetName';
}

/**
 * Progress of the clone.
 */
export interface VirtualMachineCloneStatus {
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * Time at which the copy was complete.
   */
  creationTime?: Time | null;
  /**
   * Phase of the clone.
   */
  phase?: 'SnapshotInProgress' | 'CreatingTargetVM' | 'RestoreInProgress' | 'Succeeded' | 'Failed' | 'Unknown';
  /**
   * Name of the VirtualMachineRestore in use. Empty once its volumes are bound.
   */
  restoreName?: string | null;
  /**
   * Name of the VirtualMachineSnapshot in use. Empty once the snapshot is no longer needed.
   */
  snapshotName?: string | null;
  /**
   * Name of the VM that was created.
   */
  targetName?: string | null;
}

/**
 * Filters for the labels and annotations of the VM's template.
 */
export interface VirtualMachineCloneTemplateFilters {
  /**
   * Annotations to copy: patterns with `*`, applied in order; a leading `!` excludes. Default: all.
   */
  annotationFilters?: string[];
  /**
   * Labels to copy: patterns with `*`, applied in order; a leading `!` excludes. Default: all.
   */
  labelFilters?: string[];
}
