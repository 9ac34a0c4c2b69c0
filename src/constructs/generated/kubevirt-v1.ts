// Generated from api/schema/kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubeVirt, VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration, VirtualMachineInstancePreset, VirtualMachineInstanceReplicaSet } from '../../api/generated/kubevirt-v1';
import type { ObjectProps } from './props';

/** The platform: what runs, and its configuration. One per cluster. */
export class KubeVirtObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<KubeVirt>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt' });
  }
}

/** A virtual machine that is kept: what it is made of, and when it runs. */
export class VirtualMachineObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachine>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' });
  }
}

/** A running guest. The status is written with the object: there is no status subresource. */
export class VirtualMachineInstanceObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstance>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance' });
  }
}

/** Moves a running instance to another node. Deleting it cancels the move. */
export class VirtualMachineInstanceMigrationObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstanceMigration>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceMigration' });
  }
}

/** Deprecated: use instancetypes and preferences. Fields that matching instances get at their creation. */
export class VirtualMachineInstancePresetObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstancePreset> = {}) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstancePreset' });
  }
}

/** Keeps a number of equal instances running, without VMs. */
export class VirtualMachineInstanceReplicaSetObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineInstanceReplicaSet>) {
    super(scope, id, { ...props, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceReplicaSet' });
  }
}
