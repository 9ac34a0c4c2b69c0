// Generated from api/schema/clone.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineClone } from '../../api/generated/clone-v1beta1';
import { apiVersionOf } from '../target-version';
import type { ObjectProps } from './props';

/** Clone of a VM, or new VM from a snapshot. The spec is immutable. */
export class VirtualMachineCloneObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineClone>) {
    super(scope, id, { ...props, apiVersion: apiVersionOf(scope, 'clone.kubevirt.io/v1beta1', 'VirtualMachineClone'), kind: 'VirtualMachineClone' });
  }
}
