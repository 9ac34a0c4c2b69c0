import type { INamedObject } from '../resource';
import type { PullMethod } from './claim-choices';

/** What imports from another machine take. */
export interface TrustOptions {
  /**
   * ConfigMap with authorities to trust, as PEM.
   * @default - those that everybody trusts
   */
  readonly certConfigMap?: INamedObject;
}

/** What an import from an HTTP server takes. */
export interface HttpSourceOptions extends TrustOptions {
  /**
   * `ALGORITHM:HASH` with md5, sha1, sha256 or sha512; the import fails when it differs.
   * @default - not checked
   */
  readonly checksum?: string;
  /**
   * Secret with accessKeyId (user) and secretKey (password) for basic authentication.
   * @default - none
   */
  readonly credentials?: INamedObject;
  /**
   * Headers of each request: `Name: value`. What is secret belongs into `secretHeaders`.
   * @default - none
   */
  readonly extraHeaders?: string[];
  /**
   * Secrets whose values are further headers.
   * @default - none
   */
  readonly secretHeaders?: INamedObject[];
  /**
   * Trust any certificate.
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
}

/** What an import from S3 takes. */
export interface S3SourceOptions extends TrustOptions {
  /**
   * Secret with accessKeyId and secretKey.
   * @default - none: the file is public
   */
  readonly credentials?: INamedObject;
}

/** What an import from Google Cloud Storage takes. */
export interface GcsSourceOptions {
  /**
   * Secret with the key of a service account.
   * @default - none: the file is public
   */
  readonly credentials?: INamedObject;
}

/** What an import from a container image takes. */
export interface RegistrySourceOptions extends TrustOptions {
  /**
   * Who pulls.
   * @default - PullMethod.POD; of an image stream PullMethod.NODE, for only nodes know these
   */
  readonly pullMethod?: PullMethod;
  /**
   * Secret with accessKeyId (user) and secretKey (password).
   * @default - none
   */
  readonly credentials?: INamedObject;
  /**
   * Which of an image's architectures: `amd64`, `arm64`, `s390x`.
   * @default - that of the node
   */
  readonly architecture?: string;
}

/** A disk of oVirt. */
export interface ImageioSourceOptions extends TrustOptions {
  /** The disk's id. */
  readonly diskId: string;
  /** Secret with accessKeyId (user) and secretKey (password). */
  readonly credentials: INamedObject;
  /**
   * Trust any certificate; else `certConfigMap` is needed.
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
}

/** A disk of VMware. */
export interface VddkSourceOptions extends TrustOptions {
  /** Path of the disk: `[store] vm/vm.vmdk`. */
  readonly backingFile: string;
  /** The VM that the disk belongs to, by its UUID. */
  readonly uuid: string;
  /** Thumbprint of the host's certificate. */
  readonly thumbprint: string;
  /** Secret with user and password. */
  readonly credentials: INamedObject;
  /**
   * Image that holds the VDDK library.
   * @default - what the ConfigMap v2v-vmware says
   */
  readonly initImageUrl?: string;
  /**
   * ConfigMap with further arguments of the VDDK library.
   * @default - none
   */
  readonly extraArgs?: INamedObject;
}

/** What a copy takes. */
export interface CloneOptions {
  /**
   * Namespace of what is copied.
   * @default - that of the object where it is known, else that of the copy
   */
  readonly namespace?: string;
}

/** An object that fills a claim: a VolumeImportSource, a VolumeSnapshot, … */
export interface PopulatorReference {
  /**
   * API group.
   * @default - the core group
   */
  readonly apiGroup?: string;
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /**
   * Namespace of the object; another one than the claim's needs a ReferenceGrant there.
   * @default - that of the claim
   */
  readonly namespace?: string;
}
