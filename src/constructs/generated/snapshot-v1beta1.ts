// Generated from api/schema/snapshot.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineRestore, VirtualMachineSnapshot, VirtualMachineSnapshotContent } from '../../api/generated/snapshot-v1beta1';
import type { ObjectProps } from './props';

/** Puts a VM back to a snapshot, or makes a new VM from one. */
export class VirtualMachineRestoreObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineRestore>) {
    super(scope, id, { ...props, apiVersion: 'snapshot.kubevirt.io/v1beta1', kind: 'VirtualMachineRestore' });
  }
}

/** Takes a snapshot of a VM: its spec and its volumes. */
export class VirtualMachineSnapshotObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineSnapshot>) {
    super(scope, id, { ...props, apiVersion: 'snapshot.kubevirt.io/v1beta1', kind: 'VirtualMachineSnapshot' });
  }
}

/** Content of a snapshot. Written by the controller. */
export class VirtualMachineSnapshotContentObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineSnapshotContent>) {
    super(scope, id, { ...props, apiVersion: 'snapshot.kubevirt.io/v1beta1', kind: 'VirtualMachineSnapshotContent' });
  }
}
