// Generated from api/schema/clone.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Time } from './meta-v1';

/**
 * One thing that is true or false about the clone.
 */
export interface Condition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * Copies a VM, or makes a VM of a snapshot. Its spec cannot be changed.
 */
export interface VirtualMachineClone extends KubeObject {
  /**
   * What is copied, and what is different in the copy.
   */
  spec: VirtualMachineCloneSpec;
  /**
   * How far the clone is.
   */
  status?: VirtualMachineCloneStatus;
}

/**
 * What is copied, and what is different in the copy.
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
 * How far the clone is.
 */
export interface VirtualMachineCloneStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: Condition[];
  /**
   * When the copy was complete.
   */
  creationTime?: Time | null;
  /**
   * How far the clone is, in one word.
   */
  phase?: 'SnapshotInProgress' | 'CreatingTargetVM' | 'RestoreInProgress' | 'Succeeded' | 'Failed' | 'Unknown';
  /**
   * The VirtualMachineRestore in use; empty once its volumes are bound.
   */
  restoreName?: string | null;
  /**
   * The VirtualMachineSnapshot in use; empty once it is no longer needed.
   */
  snapshotName?: string | null;
  /**
   * Name of the VM that was made.
   */
  targetName?: string | null;
}

/**
 * Which labels and annotations of the VM's template are copied.
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
