// Generated from api/schema/export.kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

export interface Condition {
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}

export interface VirtualMachineExport extends KubeObject {
  spec: VirtualMachineExportSpec;
  status?: VirtualMachineExportStatus;
}

export interface VirtualMachineExportBackup {
  endpoints?: VirtualMachineExportBackupEndpoint[];
  name: string;
}

export interface VirtualMachineExportBackupEndpoint {
  endpoint: 'map' | 'data';
  url: string;
}

export interface VirtualMachineExportLink {
  backups?: VirtualMachineExportBackup[];
  cert: string;
  manifests?: VirtualMachineExportManifest[];
  volumes?: VirtualMachineExportVolume[];
}

export interface VirtualMachineExportLinks {
  external?: VirtualMachineExportLink;
  internal?: VirtualMachineExportLink;
}

export interface VirtualMachineExportManifest {
  type: 'all' | 'auth-header-secret' | 'oci';
  url: string;
}

export interface VirtualMachineExportSpec {
  source: TypedLocalObjectReference;
  tokenSecretRef?: string;
  ttlDuration?: Duration;
}

export interface VirtualMachineExportStatus {
  conditions?: Condition[];
  links?: VirtualMachineExportLinks;
  phase?: 'Pending' | 'Ready' | 'Terminated' | 'Skipped';
  serviceName?: string;
  tokenSecretRef?: string;
  ttlExpirationTime?: Time;
  virtualMachineName?: string;
}

export interface VirtualMachineExportVolume {
  formats?: VirtualMachineExportVolumeFormat[];
  name: string;
}

export interface VirtualMachineExportVolumeFormat {
  format: 'raw' | 'gzip' | 'dir' | 'tar.gz';
  url: string;
}
