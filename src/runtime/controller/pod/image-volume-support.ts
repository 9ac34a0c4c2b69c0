import type { ClusterConfig } from '../../../api/cluster-config';

/** Versions that the cluster reports: `v1.35.2`, `v1.34.1-gke.100`. */
export interface ClusterVersions {
  /** `gitVersion` of the API server; undefined until it is known. */
  readonly server?: string;
  /** `kubeletVersion` of the nodes that run VMs. */
  readonly kubelets: readonly string[];
}

/** Minor version in which Kubernetes enabled the gate ImageVolume by default; older API servers drop the volumes. */
const FIRST_MINOR = 35;

/** Whether this version mounts image volumes with its default feature gates. */
export function mountsImageVolumes(gitVersion: string): boolean {
  const [, major, minor, patch, preRelease] =
    /^v?(\d+)\.(\d+)(?:\.(\d+))?\+?(-(?:alpha|beta|rc)\b)?/.exec(gitVersion) ?? [];
  if (major === undefined || Number(major) < 1) return false;
  if (Number(major) > 1 || Number(minor) > FIRST_MINOR) return true;
  // the gate was enabled during the development of the first version
  return Number(minor) === FIRST_MINOR && !(Number(patch ?? 0) === 0 && preRelease);
}

/**
 * The configuration with the gate ImageVolume as it applies to this cluster: as the KubeVirt object sets it, else enabled if
 * the API server and every kubelet mount image volumes. Side containers work everywhere, so they are used when a version
 * is unknown or cannot be parsed.
 */
export function withImageVolumeSupport(
  config: ClusterConfig,
  support: Pick<ImageVolumeSupport, 'holds'>,
): ClusterConfig {
  return {
    ...config,
    hasGate: (gate) =>
      gate === 'ImageVolume' && config.hasGate(gate) && !config.namedGates.includes(gate)
        ? support.holds
        : config.hasGate(gate),
  };
}

/** Whether a cluster mounts image volumes. Read several times per launcher Pod, so nodes are only read when they change. */
export class ImageVolumeSupport {
  private known?: boolean;

  public constructor(private readonly versions: () => ClusterVersions) {}

  public get holds(): boolean {
    return (this.known ??= isSupported(this.versions()));
  }

  /** Invalidates the result when a version may have changed. */
  public forget(): void {
    this.known = undefined;
  }
}

const isSupported = ({ server, kubelets }: ClusterVersions): boolean =>
  server !== undefined && [server, ...kubelets].every(mountsImageVolumes);
