/** Request of virt-controller to an exporter: the value of its variable `VIRT8S_EXPORT`, as JSON. It contains no secret. */
import type { KubeObject } from '../meta';

export const EXPORT_VARIABLE = 'VIRT8S_EXPORT';
/** Variable with the UID of the exporter's Pod. */
export const POD_UID_VARIABLE = 'POD_UID';
export const EXPORT_PORT = 8443;
/** Header, or parameter of the query, with the token. */
export const TOKEN_HEADER = 'x-kubevirt-export-token';
/** Key of the token in its Secret. */
export const TOKEN_KEY = 'token';
export const READY_PATH = '/exportready';

/** Folders in the exporter's Pod. */
export const exporterPaths = {
  /** A folder for each claim with a file system, by its index. */
  volumes: '/export-volumes',
  /** A device for each claim with `volumeMode: Block`, by its index. */
  devices: '/dev/export-volumes',
  token: '/run/virt8s/token',
  certificate: '/run/virt8s/certificate',
  manifests: '/run/virt8s/manifests',
  /** Claim of a backup, with the socket of the launcher. */
  backup: '/run/virt8s/backup',
} as const;

/** Key of the ConfigMap with an `ExportedMachine`, as JSON. */
export const MANIFESTS_KEY = 'manifests.json';

export interface ExportRequest {
  /** Name of the export. */
  readonly name: string;
  /** RFC 3339. The exporter ends then. */
  readonly deadline: string;
  readonly volumes: readonly ExportedVolume[];
  readonly backup?: ExportedBackup;
}

/** Disks of a running guest, as they were when its backup began. */
export interface ExportedBackup {
  readonly socket: string;
  /** Names of the volumes. */
  readonly volumes: readonly string[];
  /** Whether its map lists the blocks that changed since the last backup. */
  readonly isIncremental: boolean;
}

export interface ExportedVolume {
  /** Name in URLs. */
  readonly name: string;
  /** UID of the claim. */
  readonly uid: string;
  /** Device, or folder of a file system. */
  readonly path: string;
  readonly isDevice: boolean;
  readonly content: VolumeContent;
}

/** A disk (the device, or the file `disk.img`), or a file system with any files. */
export type VolumeContent = 'disk' | 'files';

/** Objects that create an exported VM elsewhere. The exporter completes their sources. */
export interface ExportedMachine {
  /** Sources of the disks, by the names of DataVolumes or templates: name of the volume in URLs. */
  readonly volumes: Readonly<Record<string, string>>;
  /** The VM, and DataVolumes of disks that it has no template for. */
  readonly objects: readonly KubeObject[];
  readonly links: Readonly<Record<LinkType, ExportLink | undefined>>;
}

export type LinkType = 'internal' | 'external';

/** Address of an exporter. */
export interface ExportLink {
  /** URL without a slash at the end. */
  readonly base: string;
  /** Trusted certificates, PEM. */
  readonly certificate: string;
}

const formats = {
  disk: { raw: 'disk.img', gzip: 'disk.img.gz' },
  files: { dir: 'dir/', 'tar.gz': 'disk.tar.gz' },
} as const;

export type ExportFormat = 'raw' | 'gzip' | 'dir' | 'tar.gz';

/** Formats of a volume, with their paths. */
export const formatsOf = (name: string, content: VolumeContent): { format: ExportFormat; path: string }[] =>
  Object.entries(formats[content]).map(([format, file]) => ({
    format: format as ExportFormat,
    path: `/volumes/${name}/${file}`,
  }));

/** Path of the SHA-256 digest of a disk, in hexadecimal digits. */
export const digestPath = (name: string): string => `/volumes/${name}/disk.img.sha256`;

/** Paths of a disk in a backup: the list of its blocks, and their bytes. KubeVirt's. */
export const backupPaths = (volume: string): { readonly map: string; readonly data: string } => ({
  map: `/exports/${volume}/map`,
  data: `/exports/${volume}/data`,
});

/** Paths of manifests below `/internal` and `/external`. */
export const manifestPaths = { all: '/manifests/all', 'auth-header-secret': '/manifests/secret' } as const;

/**
 * Unit of ranges of compressed disks: `Range: disk=N-` requests the disk from its byte N on. A compressed disk consists of gzip
 * members with this number of bytes of the disk, so a client continues after the last complete member.
 */
export const DISK_UNIT = 'disk';
export const MEMBER_BYTES = 1 << 20;
/** Header of a response with the size of the whole disk in bytes. */
export const DISK_BYTES_HEADER = 'virt8s-disk-bytes';
