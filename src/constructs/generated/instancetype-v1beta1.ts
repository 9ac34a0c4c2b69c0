// Generated from api/schema/instancetype.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineClusterInstancetype, VirtualMachineClusterPreference, VirtualMachineInstancetype, VirtualMachinePreference } from '../../api/generated/instancetype-v1beta1';
import { clusterScoped } from '../cluster-scoped';
import type { ObjectProps } from './props';

/** Size for VMs of all namespaces. Belongs to the cluster, not to a namespace. */
export class VirtualMachineClusterInstancetypeObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineClusterInstancetype>) {
    super(scope, id, { ...props, apiVersion: 'instancetype.kubevirt.io/v1beta1', kind: 'VirtualMachineClusterInstancetype' });
    clusterScoped(this);
  }
}

/** Defaults for VMs of all namespaces. Belongs to the cluster, not to a namespace. */
export class VirtualMachineClusterPreferenceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineClusterPreference>) {
    super(scope, id, { ...props, apiVersion: 'instancetype.kubevirt.io/v1beta1', kind: 'VirtualMachineClusterPreference' });
    clusterScoped(this);
  }
}

/** Size of a VM: CPUs, memory and related settings. A VM that uses an instance type must not set the same fields. */
export class VirtualMachineInstancetypeObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstancetype>) {
    super(scope, id, { ...props, apiVersion: 'instancetype.kubevirt.io/v1beta1', kind: 'VirtualMachineInstancetype' });
  }
}

/** Defaults for the fields that a VM does not set. */
export class VirtualMachinePreferenceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachinePreference>) {
    super(scope, id, { ...props, apiVersion: 'instancetype.kubevirt.io/v1beta1', kind: 'VirtualMachinePreference' });
  }
}
