/** Request of virt-controller to an importer: the value of its variable `VIRT8S_IMPORT`, as JSON. It contains no secret. */

/** Folders in the importer's Pod. */
export const importerPaths = {
  /** File system of the claim. */
  data: '/data',
  /** Device of a claim with `volumeMode: Block`. */
  device: '/dev/cdi-block-volume',
  /** File system of the claim that a clone copies, read-only. */
  source: '/source',
  /** Device of the claim that a clone copies. */
  sourceDevice: '/dev/cdi-source-volume',
  /** Files of the image that the node pulls, read-only. */
  image: '/run/virt8s/image',
  /** Folder of the Pod for the progress of an import into a device. */
  state: '/run/virt8s/state',
  /** Keys of the Secret of `secretRef`. */
  login: '/run/virt8s/login',
  /** Keys of the ConfigMap of `certConfigMap`. */
  certificates: '/run/virt8s/certificates',
  /** A folder for each Secret of `secretExtraHeaders`, by its index. */
  headers: '/run/virt8s/headers',
  /** Folder of the Pod for the key and certificate of an upload server. */
  identity: '/run/virt8s/identity',
} as const;

export const IMPORT_VARIABLE = 'VIRT8S_IMPORT';
/** Port of the importer's metrics. */
export const METRICS_PORT = 8443;
/** Metric with the percentage, as CDI names it. */
export const PROGRESS_METRIC = 'kubevirt_cdi_import_progress_total';
/** Metrics with the bytes of the source that have arrived, and with all of them. */
export const RECEIVED_METRIC = 'virt8s_import_received_bytes';
export const SOURCE_METRIC = 'virt8s_import_source_bytes';

export interface HttpImport {
  readonly kind: 'http';
  readonly url: string;
  readonly isInsecure?: boolean;
  readonly headers?: readonly string[];
  /** `ALGORITHM:HEX`. */
  readonly checksum?: string;
}

/** Object of an S3 or Google Cloud Storage. */
export interface ObjectImport {
  readonly kind: 's3' | 'gcs';
  readonly url: string;
}

export interface RegistryImport {
  readonly kind: 'registry';
  readonly url: string;
  readonly isInsecure?: boolean;
  /** Architecture in Go's names, such as `amd64`. Default: that of the node. */
  readonly architecture?: string;
}

/** Image that the node has pulled and mounted. */
export interface PulledImport {
  readonly kind: 'pulled';
}

/** Imports nothing: reports the digest of an image. */
export interface DigestPoll {
  readonly kind: 'digest';
  readonly url: string;
  readonly isInsecure?: boolean;
}

export interface BlankImport {
  readonly kind: 'blank';
}

/** Copies another claim of the Pod. */
export interface CopyImport {
  readonly kind: 'copy';
  /** Path of a qcow2 image in the file system of the claim, which is copied instead of its disk. */
  readonly image?: string;
}

/** Keeps the disk, which the storage has cloned, and gives it the size of the claim. */
export interface GrowImport {
  readonly kind: 'grow';
  /** Size of the claim that was cloned. What a larger device has after it is cleared. */
  readonly from: number;
}

/** Receives the image from clients, through the upload proxy. */
export interface UploadImport {
  readonly kind: 'upload';
  /** Authority of the proxy's client certificate, in PEM. */
  readonly authority: string;
}

/** Imports nothing: makes the key and certificate of the upload server, and reports the certificate. */
export interface IdentityMaking {
  readonly kind: 'identity';
}

/** Source of a plain claim that the importer rejects: an empty disk in its place would look like a success. */
export interface UnknownImport {
  readonly kind: 'unknown';
  readonly name: string;
}

export interface ImportRequest {
  readonly source:
    | HttpImport
    | ObjectImport
    | RegistryImport
    | PulledImport
    | DigestPoll
    | BlankImport
    | CopyImport
    | GrowImport
    | UploadImport
    | IdentityMaking
    | UnknownImport;
  readonly contentType: 'kubevirt' | 'archive';
  /** Requested size of the claim in bytes. */
  readonly claimBytes: number;
  /** Part of a file system that is not available for the disk. */
  readonly overhead: number;
  /** Whether the disk's space is allocated at once. */
  readonly isPreallocated: boolean;
  /** Authorities of a proxy in PEM, which are trusted in addition to public ones. */
  readonly authorities?: string;
  /** UID of the claim that the import is for: a label of the metric. */
  readonly owner: string;
}

/** Report of an importer when it ends: its termination message, as JSON. */
export interface ImportReport {
  /** Cause of a failure, in one word. */
  readonly problem?: string;
  readonly message: string;
  readonly remedy?: string;
  /** Digest of the image, of a DigestPoll. */
  readonly digest?: string;
  /** Certificate of the upload server in PEM, of an IdentityMaking. */
  readonly certificate?: string;
}

/** Bytes of the disk that a claim of this size can hold: whole MiB without the overhead of its file system, as CDI computes it. */
export function diskCapacity(claimBytes: number, overhead: number): number {
  const usable = Math.ceil((1 - overhead) * claimBytes);
  return usable - (usable % (1 << 20));
}
