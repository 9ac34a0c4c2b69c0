import { kinds } from '../kinds/registry';
import type { VirtualMachineInstancetypeSpec, VirtualMachinePreferenceSpec } from '../generated/instancetype-v1beta1';
import type { VirtualMachine } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';

/** The version that is stored, and to which older copies are upgraded. */
export const INSTANCETYPE_VERSION = 'v1beta1';
export const INSTANCETYPE_API_VERSION = `${kinds.VirtualMachineInstancetype.group}/${INSTANCETYPE_VERSION}`;

/** Which of the two references of a VM: `spec.instancetype` or `spec.preference`. */
export type MatcherField = 'instancetype' | 'preference';
export type Matcher = NonNullable<VirtualMachine['spec'][MatcherField]>;

/** What a VM is given: its size, and what else is decided for all guests of the type. */
export type InstancetypeSpec = VirtualMachineInstancetypeSpec;
/** What a guest's fields are when the VM does not say. */
export type PreferenceSpec = VirtualMachinePreferenceSpec;

export interface Instancetype extends KubeObject {
  kind: 'VirtualMachineInstancetype' | 'VirtualMachineClusterInstancetype';
  spec: InstancetypeSpec;
}

export interface Preference extends KubeObject {
  kind: 'VirtualMachinePreference' | 'VirtualMachineClusterPreference';
  spec: PreferenceSpec;
}

/** What an instance type or preference was when a VM first used it. */
export interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision?: number;
}
