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
   * Explanation for people.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Copies a VM, or makes a VM of a snapshot. Its spec cannot be changed.
 */
export interface VirtualMachineClone extends KubeObject {
  /**
   * Source of the clone and the changes made in the copy.
   */
  spec: VirtualMachineCloneSpec;
  /**
   * Progress of the clone.
   */
  status?: VirtualMachineCloneStatus;
}

/**
 * Source of the clone and the changes made in the copy.
 */
export interface VirtualMachineCloneSpec {
  /**
   * Annotations of the VM that are copied: patterns with `*`, in order; `!` in front leaves out. Default: all.
   */
  annotationFilters?: string[];
  /**
   * Labels of the VM that are copied: patterns with `*`, in order; `!` in front leaves out. Default: all.
   */
  labelFilters?: string[];
  /**
   * MAC addresses by name of the interface. Default: new ones.
   */
  newMacAddresses?: {
    [k: string]: string;
  };
  /**
   * SMBIOS serial number. Default: a new one.
   */
  newSMBiosSerial?: string;
  /**
   * JSON patches of the copy, each an object as text: `{"op": "add", "path": "/spec/template/metadata/labels/x", "value": "y"}`.
   */
  patches?: string[];
  /**
   * kubevirt.io VirtualMachine or snapshot.kubevirt.io VirtualMachineSnapshot, in the same namespace.
   */
  source: TypedLocalObjectReference;
  /**
   * The VM that is made: kubevirt.io VirtualMachine. Default: a name made of the source's and a random ending.
   */
  target?: TypedLocalObjectReference;
  /**
   * Filters for labels and annotations of the VM's template.
   */
  template?: VirtualMachineCloneTemplateFilters;
  /**
   * Names of the copied claims: random, or TARGET-VOLUME. Default: RandomizeNames.
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
   * The VirtualMachineRestore in use; empty once its volumes are bound.
   */
  restoreName?: string | null;
  /**
   * Name of the VirtualMachineSnapshot in use. Empty once the snapshot is no longer needed.
   */
  snapshotName?: string | null;
  /**
   * Name of the VM that was made.
   */
  targetName?: string | null;
}

/**
 * Filters for the labels and annotations of the VM's template.
 */
export interface VirtualMachineCloneTemplateFilters {
  /**
   * Annotations: patterns with `*`, in order; `!` in front leaves out. Default: all.
   */
  annotationFilters?: string[];
  /**
   * Labels: patterns with `*`, in order; `!` in front leaves out. Default: all.
   */
  labelFilters?: string[];
}
