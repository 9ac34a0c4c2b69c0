// Generated from api/schema/template.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineTemplate, VirtualMachineTemplateRequest } from '../../api/generated/template-v1beta1';
import type { ObjectProps } from './props';

/** A VM with parameters to fill in. */
export class VirtualMachineTemplateObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineTemplate>) {
    super(scope, id, { ...props, apiVersion: 'template.kubevirt.io/v1beta1', kind: 'VirtualMachineTemplate' });
  }
}

/** Makes a template of an existing VM. */
export class VirtualMachineTemplateRequestObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineTemplateRequest>) {
    super(scope, id, { ...props, apiVersion: 'template.kubevirt.io/v1beta1', kind: 'VirtualMachineTemplateRequest' });
  }
}
