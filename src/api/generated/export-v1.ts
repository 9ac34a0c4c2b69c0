// Generated from api/schema/export.kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

/**
 * One thing that is true or false about the export.
 */
export interface Condition {
  /**
   * When it was last looked at.
   */
  lastProbeTime?: Time | null;
  /**
   * When the status last changed.
   */
  lastTransitionTime?: Time | null;
  /**
   * Why, for people.
   */
  message?: string;
  /**
   * Why, as one word.
   */
  reason?: string;
  /**
   * Whether it is true.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  type: string;
}

/**
 * Offers volumes for download over HTTPS, for a time.
 */
export interface VirtualMachineExport extends KubeObject {
  /**
   * What is exported, and for how long. Immutable.
   */
  spec: VirtualMachineExportSpec;
  /**
   * How far the export is.
   */
  status?: VirtualMachineExportStatus;
}

/**
 * A backup that can be downloaded.
 */
export interface VirtualMachineExportBackup {
  /**
   * Its URLs.
   */
  endpoints?: VirtualMachineExportBackupEndpoint[];
  /**
   * Name of the volume.
   */
  name: string;
}

/**
 * One URL of a backup.
 */
export interface VirtualMachineExportBackupEndpoint {
  /**
   * map lists the blocks that are in use or changed, data reads them.
   */
  endpoint: 'map' | 'data';
  /**
   * Where it is.
   */
  url: string;
}

/**
 * Everything that can be downloaded by one way.
 */
export interface VirtualMachineExportLink {
  /**
   * Backups.
   */
  backups?: VirtualMachineExportBackup[];
  /**
   * Certificates to trust, as PEM.
   */
  cert: string;
  /**
   * Manifests that make the VM elsewhere.
   */
  manifests?: VirtualMachineExportManifest[];
  /**
   * Volumes.
   */
  volumes?: VirtualMachineExportVolume[];
}

/**
 * Where the download is.
 */
export interface VirtualMachineExportLinks {
  /**
   * From outside, when an Ingress or Route leads to the export proxy.
   */
  external?: VirtualMachineExportLink;
  /**
   * From inside the cluster.
   */
  internal?: VirtualMachineExportLink;
}

/**
 * One URL of manifests.
 */
export interface VirtualMachineExportManifest {
  /**
   * all: everything but the Secret. auth-header-secret: the Secret with the token's header. oci: an OCI image.
   */
  type: 'all' | 'auth-header-secret' | 'oci';
  /**
   * Where it is.
   */
  url: string;
}

/**
 * What is exported, and for how long. Immutable.
 */
export interface VirtualMachineExportSpec {
  /**
   * PersistentVolumeClaim, VirtualMachine, VirtualMachineSnapshot, VirtualMachineBackup or VirtualMachineTemplate, in the same namespace.
   */
  source: TypedLocalObjectReference;
  /**
   * Secret whose key token must be sent with each request. Default: one is made.
   */
  tokenSecretRef?: string;
  /**
   * How long the export lives, from its creation. Default: 2h.
   */
  ttlDuration?: Duration;
}

/**
 * How far the export is.
 */
export interface VirtualMachineExportStatus {
  /**
   * What is true or false at the moment.
   */
  conditions?: Condition[];
  /**
   * Where the download is.
   */
  links?: VirtualMachineExportLinks;
  /**
   * How far the export is, in one word.
   */
  phase?: 'Pending' | 'Ready' | 'Terminated' | 'Skipped';
  /**
   * Service in front of the exporter's Pod.
   */
  serviceName?: string;
  /**
   * Secret that holds the token.
   */
  tokenSecretRef?: string;
  /**
   * When the export is deleted.
   */
  ttlExpirationTime?: Time;
  /**
   * The VM behind a VirtualMachine or VirtualMachineSnapshot.
   */
  virtualMachineName?: string;
}

/**
 * A volume that can be downloaded.
 */
export interface VirtualMachineExportVolume {
  /**
   * Its forms.
   */
  formats?: VirtualMachineExportVolumeFormat[];
  /**
   * Name of the volume.
   */
  name: string;
}

/**
 * One form of a volume.
 */
export interface VirtualMachineExportVolumeFormat {
  /**
   * raw or gzip for disks, dir or tar.gz for file systems.
   */
  format: 'raw' | 'gzip' | 'dir' | 'tar.gz';
  /**
   * Where it is.
   */
  url: string;
}
