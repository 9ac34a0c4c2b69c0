// Generated from api/schema/snapshot.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineRestore, VirtualMachineSnapshot, VirtualMachineSnapshotContent } from '../../api/generated/snapshot-v1beta1';
import { apiVersionOf } from '../target-version';
import type { ObjectProps } from './props';

/** Restore of a VM from a snapshot, into the same VM or a new one. */
export class VirtualMachineRestoreObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineRestore>) {
    super(scope, id, { ...props, apiVersion: apiVersionOf(scope, 'snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore'), kind: 'VirtualMachineRestore' });
  }
}

/** Snapshot of a VM: its spec and its volumes. */
export class VirtualMachineSnapshotObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineSnapshot>) {
    super(scope, id, { ...props, apiVersion: apiVersionOf(scope, 'snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot'), kind: 'VirtualMachineSnapshot' });
  }
}

/** Content of a snapshot. Written by the controller. */
export class VirtualMachineSnapshotContentObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineSnapshotContent>) {
    super(scope, id, { ...props, apiVersion: 'snapshot.kubevirt.io/v1beta1', kind: 'VirtualMachineSnapshotContent' });
  }
}
