import type { Condition, KubeObject, VirtualMachineInstance } from '../../../api';
import type { ClusterConfig } from '../../../api/cluster-config';
import { findCondition } from '../../../api/conditions';
import { COMPUTE } from '../pod';
import type { ClaimInfo, ClusterFacts, ContainerStatus, Pod } from '../pod';
import type { DataVolume } from '../virtual-machine/observed';

/** The parts of a node that decisions about placement and lost nodes read. */
export interface Node extends KubeObject {
  status?: {
    allocatable?: Record<string, string>;
    conditions?: Condition[];
    nodeInfo?: { kubeletVersion?: string };
  };
}

/** Everything observed about one VMI at one moment. The other facts that its Pod depends on are known until it is placed. */
export interface Observed extends ClusterFacts {
  readonly vmi: VirtualMachineInstance;
  /** The launcher Pod that this VMI owns. */
  readonly pod?: Pod;
  /** Attachment Pods that belong to the launcher Pod. */
  readonly attachments: readonly Pod[];
  /** Names of other VMIs that use the claims of hotplugged volumes, by claim. */
  readonly claimUsers: ReadonlyMap<string, string>;
  /** Existing claims that the VMI refers to. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
  /** Existing DataVolumes that the VMI refers to or that control its claims, by name. */
  readonly dataVolumes: ReadonlyMap<string, DataVolume>;
  /** Reason why DataVolumes could not be read; undefined if they were. */
  readonly dataVolumesUnknown?: string;
  readonly nodes: readonly Node[];
  /** Milliseconds since the last heartbeat of the Pod's node; undefined if there was none. */
  readonly handlerSilence?: number;
  readonly config: ClusterConfig;
  readonly launcherImage: string;
  readonly now: number;
}

export { isFinal } from '../../../api/run-state';

/** Whether the handler of the node has taken over the guest. */
export const isHandedOver = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Scheduled' || status?.phase === 'Running' || status?.phase === 'Unknown';

/** Whether the guest has run, regardless of how it ended. */
export const hasRun = ({ status }: VirtualMachineInstance): boolean =>
  status?.phase === 'Running' || (status?.phaseTransitionTimestamps?.some(({ phase }) => phase === 'Running') ?? false);

export const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** End of the compute container; undefined if it has not ended. */
export const computeEnd = ({ status }: Pod): NonNullable<ContainerStatus['state']>['terminated'] =>
  status?.containerStatuses?.find(({ name }) => name === COMPUTE)?.state?.terminated;

/** Whether the guest has ended while containers that hold its disk images still run: the Pod ends only when deleted. */
export const outlivesGuest = (pod: Pod): boolean =>
  !hasEnded(pod) &&
  computeEnd(pod) !== undefined &&
  (pod.status?.containerStatuses ?? []).some(({ state }) => !state?.terminated);

export const podCondition = (pod: Pod, type: string): Condition | undefined =>
  findCondition(pod.status?.conditions, type);

/** Milliseconds since a time of the API (which has whole seconds); 0 if the time is missing. */
export const sinceMs = (time: string | null | undefined, now: number): number => (time ? now - Date.parse(time) : 0);
