import type { KubeObject } from '../../../api';
import type { PlatformObject } from '../../../api/platform';

/** Deployment or DaemonSet with the status that its controller writes. */
export interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: { readonly rollingUpdate?: { readonly maxUnavailable?: unknown } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly numberUnavailable?: number;
  };
}

/** Progress of a workload: Pods of its current version that are available, of those that it should have. */
export interface Progress {
  readonly available: number;
  readonly wanted: number;
  /** Whether every Pod has the current version and is available. */
  readonly isComplete: boolean;
}

/** Returns the progress of a workload that exists. */
export function progressOf({ kind, metadata, spec, status = {} }: Workload): Progress {
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  if (kind === 'DaemonSet') {
    const wanted = status.desiredNumberScheduled ?? 0;
    const available = Math.min(status.numberAvailable ?? 0, status.updatedNumberScheduled ?? 0);
    return { available, wanted, isComplete: isSeen && available >= wanted };
  }
  const wanted = spec?.replicas ?? 1;
  const available = Math.min(status.availableReplicas ?? 0, status.updatedReplicas ?? 0);
  // Pods of the previous version that still end
  const isClean = (status.replicas ?? 0) <= wanted;
  return { available, wanted, isComplete: isSeen && available >= wanted && isClean };
}

/** Whether a workload serves: at least one Pod of any version is available. */
export const serves = ({ status }: Workload): boolean =>
  (status?.availableReplicas ?? status?.numberAvailable ?? 0) > 0;

/**
 * Returns a DaemonSet as it must be now. A change begins on one node: only when the first new Pod is available, the others
 * follow as fast as the strategy allows. A version that does not start therefore affects one node.
 *
 * @param isChange whether the existing object has another content
 */
export function withCanary(desired: PlatformObject, found: Workload | undefined, isChange: boolean): PlatformObject {
  const hasCanary = found?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === 1;
  // one that was released stays released: a crash, or a status that is not written yet, must not bring the canary back
  if (!found || (!isChange && (!hasCanary || isProven(found)))) return desired;
  const spec = desired.spec as { updateStrategy?: { rollingUpdate?: object } } | undefined;
  const updateStrategy = {
    ...spec?.updateStrategy,
    rollingUpdate: { ...spec?.updateStrategy?.rollingUpdate, maxUnavailable: 1 },
  };
  return { ...desired, spec: { ...spec, updateStrategy } };
}

/** Whether a Pod of the current version has become available. A second one is only created after that. */
function isProven({ metadata, status = {} }: Workload): boolean {
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
  const {
    updatedNumberScheduled: updated = 0,
    numberUnavailable: unavailable = 0,
    desiredNumberScheduled = 0,
  } = status;
  return desiredNumberScheduled === 0 || updated > 1 || (updated === 1 && unavailable === 0);
}
