// Generated from api/schema/forklift.cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { OpenstackVolumePopulator, OvirtVolumePopulator } from '../../api/generated/forklift-cdi-v1beta1';
import type { ObjectProps } from './props';

/** Fills a claim from an image of OpenStack; named by the claim's dataSourceRef. */
export class OpenstackVolumePopulatorObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<OpenstackVolumePopulator>) {
    super(scope, id, { ...props, apiVersion: 'forklift.cdi.kubevirt.io/v1beta1', kind: 'OpenstackVolumePopulator' });
  }
}

/** Fills a claim from a disk of oVirt; named by the claim's dataSourceRef. */
export class OvirtVolumePopulatorObject extends ApiObject {
  constructor(scope: Construct, id: string, props: ObjectProps<OvirtVolumePopulator>) {
    super(scope, id, { ...props, apiVersion: 'forklift.cdi.kubevirt.io/v1beta1', kind: 'OvirtVolumePopulator' });
  }
}
