// Generated from api/schema/export.kubevirt.io_v1.json by scripts/generate.ts; edit that file.
import type { KubeObject } from '../meta';
import type { TypedLocalObjectReference } from './core-v1';
import type { Duration, Time } from './meta-v1';

/**
 * Condition of an export.
 */
export interface Condition {
  /**
   * Time of the last check.
   */
  lastProbeTime?: Time | null;
  /**
   * Time of the last change of the status.
   */
  lastTransitionTime?: Time | null;
  /**
   * Human-readable explanation.
   */
  message?: string;
  /**
   * Reason as one CamelCase word.
   */
  reason?: string;
  /**
   * Status of the condition.
   */
  status: 'True' | 'False' | 'Unknown';
  /**
   * Type of the condition.
   */
  type: string;
}

/**
 * Temporary download of volumes over HTTPS.
 */
export interface VirtualMachineExport extends KubeObject {
  /**
   * Source and lifetime of the export. Immutable.
   */
  spec: VirtualMachineExportSpec;
  /**
   * Progress of the export.
   */
  status?: VirtualMachineExportStatus;
}

/**
 * Downloadable backup.
 */
export interface VirtualMachineExportBackup {
  /**
   * URLs of the backup.
   */
  endpoints?: VirtualMachineExportBackupEndpoint[];
  /**
   * Name of the volume.
   */
  name: string;
}

/**
 * URL of a backup.
 */
export interface VirtualMachineExportBackupEndpoint {
  /**
   * Type of the URL. map: lists the blocks that are in use or changed. data: reads them.
   */
  endpoint: 'map' | 'data';
  /**
   * URL of the download.
   */
  url: string;
}

/**
 * Downloads at one address.
 */
export interface VirtualMachineExportLink {
  /**
   * Downloadable backups.
   */
  backups?: VirtualMachineExportBackup[];
  /**
   * Trusted certificates of the server, as PEM.
   */
  cert: string;
  /**
   * Manifests for creating the VM elsewhere.
   */
  manifests?: VirtualMachineExportManifest[];
  /**
   * Downloadable volumes.
   */
  volumes?: VirtualMachineExportVolume[];
}

/**
 * Links to the downloads.
 */
export interface VirtualMachineExportLinks {
  /**
   * Links from outside the cluster, if an Ingress or Route exposes the export proxy.
   */
  external?: VirtualMachineExportLink;
  /**
   * Links from inside the cluster.
   */
  internal?: VirtualMachineExportLink;
}

/**
 * URL of manifests.
 */
export interface VirtualMachineExportManifest {
  /**
   * Type of the manifests. all: everything except the Secret. auth-header-secret: the Secret with the token's header. oci: an OCI image.
   */
  type: 'all' | 'auth-header-secret' | 'oci';
  /**
   * URL of the download.
   */
  url: string;
}

/**
 * Source and lifetime of the export. Immutable.
 */
export interface VirtualMachineExportSpec {
  /**
   * Object to export: PersistentVolumeClaim, VirtualMachine, VirtualMachineSnapshot, VirtualMachineBackup or VirtualMachineTemplate, in the same namespace.
   */
  source: TypedLocalObjectReference;
  /**
   * Secret whose key token must be sent with each request. Default: a generated Secret.
   */
  tokenSecretRef?: string;
  /**
   * Lifetime of the export, from its creation. Default: 2h.
   */
  ttlDuration?: Duration;
}

/**
 * Progress of the export.
 */
export interface VirtualMachineExportStatus {
  /**
   * Current conditions.
   */
  conditions?: Condition[];
  /**
   * Links to the downloads.
   */
  links?: VirtualMachineExportLinks;
  /**
   * Phase of the export.
   */
  phase?: 'Pending' | 'Ready' | 'Terminated' | 'Skipped';
  /**
   * Service in front of the exporter's Pod.
   */
  serviceName?: string;
  /**
   * Secret that contains the token.
   */
  tokenSecretRef?: string;
  /**
   * Time at which the export is deleted.
   */
  ttlExpirationTime?: Time;
  /**
   * Name of the VM of an exported VirtualMachine or VirtualMachineSnapshot.
   */
  virtualMachineName?: string;
}

/**
 * Downloadable volume.
 */
export interface VirtualMachineExportVolume {
  /**
   * Available formats.
   */
  formats?: VirtualMachineExportVolumeFormat[];
  /**
   * Name of the volume.
   */
  name: string;
}

/**
 * Download of a volume in one format.
 */
export interface VirtualMachineExportVolumeFormat {
  /**
   * Format of the download: raw or gzip for disks, dir or tar.gz for file systems.
   */
  format: 'raw' | 'gzip' | 'dir' | 'tar.gz';
  /**
   * URL of the download.
   */
  url: string;
}
