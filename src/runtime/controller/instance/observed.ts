import type { Condition, VirtualMachineInstance } from '../../../api';
import type { ClusterConfig } from '../../../api/cluster-config';
import { findCondition } from '../../../api/conditions';
import type { KubeObject } from '../../../api';
import { COMPUTE } from '../pod';
import type { ClaimInfo, ClusterFacts, ContainerStatus, Pod } from '../pod';
import type { DataVolume } from '../virtual-machine/observed';

/** A node as far as placing and losing VMs goes. */
export interface Node extends KubeObject {
  status?: {
    allocatable?: Record<string, string>;
    conditions?: Condition[];
    nodeInfo?: { kubeletVersion?: string };
  };
}

/** All that is known of one VMI in one moment. What else its Pod depends on is known while it is not placed. */
export interface Observed extends ClusterFacts {
  readonly vmi: VirtualMachineInstance;
  /** The launcher Pod that this VMI owns. */
  readonly pod?: Pod;
  /** Claims of the namespace that the VMI names and that exist. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
  /** DataVolumes that the VMI names or that control its claims, by name, as far as they exist. */
  readonly dataVolumes: ReadonlyMap<string, DataVolume>;
  /** Why no DataVolume can be known; undefined when they are. */
  readonly dataVolumesUnknown?: string;
  readonly nodes: readonly Node[];
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  readonly now: number;
}

export { isFinal } from '../../../api/run-state';

/** The handler of its node has taken the guest over. */
export const isHandedOver = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Scheduled' || status?.phase === 'Running' || status?.phase === 'Unknown';

/** Its guest ran, whatever became of it. */
export const hasRun = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Running' || (status?.phaseTransitionTimestamps?.some(({ phase }) => phase === 'Running') ?? false);

export const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** How its compute container ended, if it did. */
export const computeEnd = ({ status }: Pod): NonNullable<ContainerStatus['state']>['terminated'] =>
  status?.containerStatuses?.find(({ name }) => name === COMPUTE)?.state?.terminated;

/** Its guest is over, but the holders of its disks' images know nothing of that: it ends only when it is deleted. */
export const outlivesGuest = (pod: Pod): boolean =>
  !hasEnded(pod) &&
  computeEnd(pod) !== undefined &&
  (pod.status?.containerStatuses ?? []).some(({ state }) => !state?.terminated);

export const podCondition = (pod: Pod, type: string): Condition | undefined =>
  findCondition(pod.status?.conditions, type);

/** Milliseconds since a time of the API (which has whole seconds); 0 for one that is absent. */
export const sinceMs = (time: string | null | undefined, now: number): number => (time ? now - Date.parse(time) : 0);
