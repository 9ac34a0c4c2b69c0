/** Reasons of VMI conditions and events. `kubectl` users and scripts match on them: KubeVirt's names where it has one. */
export const reasons = {
  /** A claim of a volume does not exist. */
  pvcNotFound: 'FailedPvcNotFound',
  /** The DataVolume of a volume is not filled yet. */
  dataVolumePending: 'DataVolumePending',
  failedCreate: 'FailedCreate',
  successfulCreate: 'SuccessfulCreate',
  successfulDelete: 'SuccessfulDelete',
  unschedulable: 'Unschedulable',
  errImagePull: 'ErrImagePull',
  imagePullBackOff: 'ImagePullBackOff',
  /** The kubelet cannot start a container: a missing Secret, a bad command. */
  containerFailed: 'FailedContainer',
  /** The Pod runs, but no virt-handler speaks for its node. */
  handlerSilent: 'HandlerNotResponding',
  /** The Pod ended before the guest was handed over. */
  podFailed: 'PodFailed',
  podGone: 'PodGone',
  /** The Pod of a VMI that is being deleted does not end. */
  podOverdue: 'PodOverdue',
  nodeUnresponsive: 'NodeUnresponsive',
} as const;

export type Reason = (typeof reasons)[keyof typeof reasons];

/** Reasons of condition `Synchronized` that this controller sets, and so removes. */
const ownReasons: readonly string[] = [
  reasons.pvcNotFound,
  reasons.dataVolumePending,
  reasons.failedCreate,
  reasons.errImagePull,
  reasons.imagePullBackOff,
  reasons.containerFailed,
  reasons.handlerSilent,
  reasons.podOverdue,
];

export const isOwnReason = (reason: string | undefined): boolean => reason !== undefined && ownReasons.includes(reason);

/** What is in the way, in words for the user: cause first, then remedy. */
export interface Problem {
  readonly reason: Reason;
  readonly message: string;
}
