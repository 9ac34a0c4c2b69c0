// Generated from api/schema/pool.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachinePool } from '../../api/generated/pool-v1beta1';
import { apiVersionOf } from '../target-version';
import type { ObjectProps } from './props';

/** Set of identical VMs, numbered from 0: `NAME-0`, `NAME-1` and so on. */
export class VirtualMachinePoolObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachinePool>) {
    super(scope, id, { ...props, apiVersion: apiVersionOf(scope, 'pool.kubevirt.io/v1beta1', 'VirtualMachinePool'), kind: 'VirtualMachinePool' });
  }
}
