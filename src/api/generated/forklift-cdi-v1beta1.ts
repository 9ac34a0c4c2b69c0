// Generated from api/schema/forklift.cdi.kubevirt.io_v1beta1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';

export interface OpenstackVolumePopulator extends KubeObject {
  spec: OpenstackVolumePopulatorSpec;
  status?: OpenstackVolumePopulatorStatus;
}

export interface OpenstackVolumePopulatorSpec {
  identityUrl: string;
  imageId: string;
  secretRef: string;
  transferNetwork?: string;
}

export interface OpenstackVolumePopulatorStatus {
  progress?: string;
}

export interface OvirtVolumePopulator extends KubeObject {
  spec: OvirtVolumePopulatorSpec;
  status?: OvirtVolumePopulatorStatus;
}

export interface OvirtVolumePopulatorSpec {
  diskId: string;
  engineUrl: string;
  secretRef: string;
  transferNetwork?: string;
}

export interface OvirtVolumePopulatorStatus {
  progress?: string;
}
