// Generated from api/schema/kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubeVirt, VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration, VirtualMachineInstancePreset, VirtualMachineInstanceReplicaSet } from '../../api/generated/kubevirt-v1';
import type { ObjectProps } from './props';

/** Installation and configuration of the platform. One per cluster. */
export class KubeVirtObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<KubeVirt>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt' });
  }
}

/** Persistent virtual machine: template of its instance and run strategy. */
export class VirtualMachineObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachine>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' });
  }
}

/** Running guest. The status is written with the object: the kind has no status subresource. */
export class VirtualMachineInstanceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstance>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance' });
  }
}

/** Migration of a running instance to another node. Deleting the object cancels the migration. */
export class VirtualMachineInstanceMigrationObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstanceMigration>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceMigration' });
  }
}

/** Deprecated: use instance types and preferences. Fields that are set in matching instances when they are created. */
export class VirtualMachineInstancePresetObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstancePreset> = {}) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstancePreset' });
  }
}

/** Set of identical instances without VMs. */
export class VirtualMachineInstanceReplicaSetObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstanceReplicaSet>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceReplicaSet' });
  }
}
