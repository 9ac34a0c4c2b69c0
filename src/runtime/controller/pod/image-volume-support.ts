import type { ClusterConfig } from '../../../api/cluster-config';

/** What the cluster says about its programs: `v1.35.2`, `v1.34.1-gke.100`. */
export interface ClusterVersions {
  /** `gitVersion` of the API server; undefined while it is not known. */
  readonly server?: string;
  /** `kubeletVersion` of the nodes that run VMs. */
  readonly kubelets: readonly string[];
}

/** Kubernetes enables the gate ImageVolume by default from this minor version on; before, it drops the volumes. */
const FIRST_MINOR = 35;

/** Whether this version mounts image volumes unless somebody configures it otherwise. */
export function mountsImageVolumes(gitVersion: string): boolean {
  const [, major, minor, patch, preRelease] =
    /^v?(\d+)\.(\d+)(?:\.(\d+))?\+?(-(?:alpha|beta|rc)\b)?/.exec(gitVersion) ?? [];
  if (major === undefined || Number(major) < 1) return false;
  if (Number(major) > 1 || Number(minor) > FIRST_MINOR) return true;
  // the gate was switched on during the development of the first version
  return Number(minor) === FIRST_MINOR && !(Number(patch ?? 0) === 0 && preRelease);
}

/**
 * The configuration with the gate ImageVolume as it applies to this cluster: as the KubeVirt object names it; if it does
 * not, on where the API server and every kubelet mount image volumes. Side containers work everywhere, so a version that
 * is not known or not understood means side containers.
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

/** Whether a cluster mounts image volumes. Each launcher Pod asks a few times: nodes are gone through when they change. */
export class ImageVolumeSupport {
  private known?: boolean;

  public constructor(private readonly versions: () => ClusterVersions) {}

  public get holds(): boolean {
    return (this.known ??= isSupported(this.versions()));
  }

  /** A version may be another one now. */
  public forget(): void {
    this.known = undefined;
  }
}

const isSupported = ({ server, kubelets }: ClusterVersions): boolean =>
  server !== undefined && [server, ...kubelets].every(mountsImageVolumes);
