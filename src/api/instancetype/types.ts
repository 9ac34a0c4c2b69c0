import { kinds } from '../kinds/registry';
import type { VirtualMachineInstancetypeSpec, VirtualMachinePreferenceSpec } from '../generated/instancetype-v1beta1';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';

/** Stored version, to which older copies are upgraded. */
export const INSTANCETYPE_VERSION = 'v1beta1';
export const INSTANCETYPE_API_VERSION = `${kinds.VirtualMachineInstancetype.group}/${INSTANCETYPE_VERSION}`;

/** One of the two references of a VM: `spec.instancetype` or `spec.preference`. */
export type MatcherField = 'instancetype' | 'preference';
export type Matcher = NonNullable<VirtualMachine['spec'][MatcherField]>;

/** Size of a VM, and other fields that are the same for all guests of the type. */
export type InstancetypeSpec = VirtualMachineInstancetypeSpec;
/** Defaults for fields that the VM does not set. */
export type PreferenceSpec = VirtualMachinePreferenceSpec;

export interface Instancetype extends KubeObject {
  kind: 'VirtualMachineInstancetype' | 'VirtualMachineClusterInstancetype';
  spec: InstancetypeSpec;
}

export interface Preference extends KubeObject {
  kind: 'VirtualMachinePreference' | 'VirtualMachineClusterPreference';
  spec: PreferenceSpec;
}

/** Copy of an instance type or preference from the time when a VM first used it. */
export interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision?: number;
}
