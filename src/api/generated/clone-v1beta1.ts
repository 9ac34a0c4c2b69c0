// Generated from api/schema/clone.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Time } from './meta-v1';

export interface Condition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface VirtualMachineClone extends KubeObject {
  spec: VirtualMachineCloneSpec;
  status?: VirtualMachineCloneStatus;
}

export interface VirtualMachineCloneSpec {
  annotationFilters?: string[];
  labelFilters?: string[];
  newMacAddresses?: Record<string, string>;
  newSMBiosSerial?: string;
  patches?: string[];
  source: TypedLocalObjectReference;
  target?: TypedLocalObjectReference;
  template?: VirtualMachineCloneTemplateFilters;
  volumeNamePolicy?: 'RandomizeNames' | 'PrefixTargetName';
}

export interface VirtualMachineCloneStatus {
  conditions?: Condition[];
  creationTime?: Time | null;
  phase?: 'SnapshotInProgress' | 'CreatingTargetVM' | 'RestoreInProgress' | 'Succeeded' | 'Failed' | 'Unknown';
  restoreName?: string | null;
  snapshotName?: string | null;
  targetName?: string | null;
}

export interface VirtualMachineCloneTemplateFilters {
  annotationFilters?: string[];
  labelFilters?: string[];
}
