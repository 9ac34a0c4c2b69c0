/** OCI image config: the fields that Kubernetes uses. */
export interface ImageConfig {
  readonly User?: string;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly StopSignal?: string;
  readonly Volumes?: Record<string, unknown>;
}

/** Image whose layers are unpacked. */
export interface Image {
  readonly ref: string;
  /** Digest of the manifest. */
  readonly digest: string;
  /** Digest of the config, which identifies the image regardless of its names. */
  readonly id: string;
  readonly config: ImageConfig;
  /** Names of directories below `layersDir`, base first. */
  readonly layers: readonly string[];
  readonly size: number;
}

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** Error of a missing image; `reason` is the kubelet's reason. */
export class ImageError extends Error {
  public override readonly name = 'ImageError';
  public constructor(
    public readonly reason: 'ErrImagePull' | 'ErrImageNeverPull' | 'InvalidImageName',
    message: string,
  ) {
    super(message);
  }
}
