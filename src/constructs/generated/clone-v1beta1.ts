// Generated from api/schema/clone.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineClone } from '../../api/generated/clone-v1beta1';
import type { ObjectProps } from './props';

/** Copies a VM, or makes a VM of a snapshot. Its spec cannot be changed. */
export class VirtualMachineCloneObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineClone>) {
    super(scope, id, { ...props, apiVersion: 'clone.kubevirt.io/v1beta1', kind: 'VirtualMachineClone' });
  }
}
