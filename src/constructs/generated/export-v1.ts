// Generated from api/schema/export.kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { VirtualMachineExport } from '../../api/generated/export-v1';
import { apiVersionOf } from '../target-version';
import type { ObjectProps } from './props';

/** Temporary download of volumes over HTTPS. */
export class VirtualMachineExportObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<VirtualMachineExport>) {
    super(scope, id, { ...props, apiVersion: apiVersionOf(scope, 'export.kubevirt.io/v1', 'VirtualMachineExport'), kind: 'VirtualMachineExport' });
  }
}
