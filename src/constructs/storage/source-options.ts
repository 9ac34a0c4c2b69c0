import type { INamedObject } from '../resource';
import type { PullMethod } from './claim-choices';

/** Options of imports over the network. */
export interface TrustOptions {
  /**
   * ConfigMap with certificate authorities to trust, in PEM format.
   * @default - public certificate authorities
   */
  readonly certConfigMap?: INamedObject;
}

/** Options of an import from an HTTP server. */
export interface HttpSourceOptions extends TrustOptions {
  /**
   * Checksum of the file: `ALGORITHM:HASH` with md5, sha1, sha256 or sha512. The import fails if it differs.
   * @default - not checked
   */
  readonly checksum?: string;
  /**
   * Secret with the keys accessKeyId (user) and secretKey (password) for basic authentication.
   * @default - none
   */
  readonly credentials?: INamedObject;
  /**
   * Headers of each request: `Name: value`. Put secret values into `secretHeaders`.
   * @default - none
   */
  readonly extraHeaders?: string[];
  /**
   * Secrets whose values are additional headers.
   * @default - none
   */
  readonly secretHeaders?: INamedObject[];
  /**
   * Whether any certificate is trusted.
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
}

/** Options of an import from S3. */
export interface S3SourceOptions extends TrustOptions {
  /**
   * Secret with the keys accessKeyId and secretKey.
   * @default - none: the file is public
   */
  readonly credentials?: INamedObject;
}

/** Options of an import from Google Cloud Storage. */
export interface GcsSourceOptions {
  /**
   * Secret with the key of a service account.
   * @default - none: the file is public
   */
  readonly credentials?: INamedObject;
}

/** Options of an import from a container image. */
export interface RegistrySourceOptions extends TrustOptions {
  /**
   * Component that pulls the image.
   * @default - PullMethod.POD; PullMethod.NODE for an image stream, since only nodes can resolve it
   */
  readonly pullMethod?: PullMethod;
  /**
   * Secret with the keys accessKeyId (user) and secretKey (password).
   * @default - none
   */
  readonly credentials?: INamedObject;
  /**
   * Architecture of the image to import: `amd64`, `arm64`, `s390x`.
   * @default - architecture of the node
   */
  readonly architecture?: string;
}

/** Options of an import from oVirt. */
export interface ImageioSourceOptions extends TrustOptions {
  /** Id of the disk. */
  readonly diskId: string;
  /** Secret with the keys accessKeyId (user) and secretKey (password). */
  readonly credentials: INamedObject;
  /**
   * Whether any certificate is trusted. If false, `certConfigMap` is required.
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
}

/** Options of an import from VMware. */
export interface VddkSourceOptions extends TrustOptions {
  /** Path of the disk: `[store] vm/vm.vmdk`. */
  readonly backingFile: string;
  /** UUID of the VM that the disk belongs to. */
  readonly uuid: string;
  /** Thumbprint of the host's certificate. */
  readonly thumbprint: string;
  /** Secret with user and password. */
  readonly credentials: INamedObject;
  /**
   * Image that holds the VDDK library.
   * @default - from the ConfigMap v2v-vmware
   */
  readonly initImageUrl?: string;
  /**
   * ConfigMap with additional arguments of the VDDK library.
   * @default - none
   */
  readonly extraArgs?: INamedObject;
}

/** Options of a copy. */
export interface CloneOptions {
  /**
   * Namespace of the object to copy.
   * @default - namespace of the object if known, otherwise that of the copy
   */
  readonly namespace?: string;
}

/** Reference to an object that fills a claim: a VolumeImportSource, a VolumeSnapshot, … */
export interface PopulatorReference {
  /**
   * API group of the object.
   * @default - the core group
   */
  readonly apiGroup?: string;
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
  /**
   * Namespace of the object. A namespace other than the claim's requires a ReferenceGrant there.
   * @default - namespace of the claim
   */
  readonly namespace?: string;
}
