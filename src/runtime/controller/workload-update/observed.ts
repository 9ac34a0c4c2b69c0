import type { KubeVirt, VirtualMachineInstance } from '../../../api';
import { isConditionTrue } from '../../../api/conditions';
import { hasEnded } from '../instance/observed';
import { hasOtherImage } from '../instance/rendering';
import type { Pod } from '../pod';

/** An instance and its launcher Pod. */
export interface Instance {
  readonly vmi: VirtualMachineInstance;
  readonly pod?: Pod;
}

/** An instance whose launcher Pod is known. */
export type Launched = Required<Instance>;

/** Everything observed about updates of guests at one moment. */
export interface Observed {
  readonly kubeVirt?: KubeVirt;
  /** Image of new launchers. */
  readonly launcherImage: string;
  readonly instances: readonly Instance[];
  /** Time at which the last batch began; undefined if there was none. */
  readonly lastBatch?: number;
  /** Time of the last eviction that was rejected, by UID of the instance. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Time of evictions by this process, by UID of the Pod: the cache may not show them yet. */
  readonly evictions: ReadonlyMap<string, number>;
  readonly now: number;
}

/** Time after which an eviction that was rejected is tried again. */
export const REFUSED_RETRY_MS = 5 * 60_000;
/** Time after which an eviction that the cache still does not show was without effect. */
export const EVICTION_SHOWS_MS = 60_000;
/** Time after the end of its grace period for which a Pod that does not end counts: its node may never run again. */
export const OVERDUE_MS = 5 * 60_000;

/** Whether the guest runs in a launcher that a restart would replace by one of another version. */
export function isOutdated(instance: Instance, { launcherImage }: Observed): instance is Launched {
  const { vmi, pod } = instance;
  const isRunning = vmi.status?.phase === 'Running' && !vmi.metadata.deletionTimestamp;
  return isRunning && pod !== undefined && hasOtherImage(pod, launcherImage);
}

/** Whether the launcher is ending, so that it is one of those that are updated at the same time. */
export function isInFlight({ pod }: Instance, seen: Observed): boolean {
  if (!pod || hasEnded(pod) || !hasOtherImage(pod, seen.launcherImage)) return false;
  const { deletionTimestamp, uid = '' } = pod.metadata;
  if (deletionTimestamp) return seen.now - Date.parse(deletionTimestamp) < OVERDUE_MS;
  const evicted = seen.evictions.get(uid);
  return evicted !== undefined && seen.now - evicted < EVICTION_SHOWS_MS;
}

export const isMigratable = ({ vmi }: Instance): boolean => isConditionTrue(vmi.status?.conditions, 'LiveMigratable');

/** Whether the platform is completely installed, and not being updated or removed. */
export const isDeployed = ({ metadata, status }: KubeVirt): boolean =>
  !metadata.deletionTimestamp &&
  status?.phase === 'Deployed' &&
  status.observedDeploymentID === status.targetDeploymentID;
