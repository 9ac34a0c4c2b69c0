/** Reasons of VM conditions and events: KubeVirt's names where it has one. */
export const reasons = {
  successfulCreate: 'SuccessfulCreate',
  successfulDelete: 'SuccessfulDelete',
  failedCreate: 'FailedCreate',
  /** Condition Ready without a VMI. */
  vmiNotExists: 'VMINotExists',
  vmiConditionMissing: 'VMIConditionMissing',
  /** Condition Failure: the last start came to nothing. */
  startFailed: 'StartFailed',
  vmiNotOwned: 'VirtualMachineInstanceExists',
  dataVolumesNotInstalled: 'DataVolumesNotInstalled',
  /** The API server does not let virt-controller list them. */
  dataVolumesUnknown: 'DataVolumesUnknown',
  dataVolumeError: 'DataVolumeError',
  /** A DataVolume is filled only when a Pod uses its claim. */
  dataVolumeNeedsConsumer: 'DataVolumeWaitForFirstConsumer',
  restartRequired: 'RestartRequired',
  failedFindInstancetype: 'FailedFindInstancetype',
  failedFindPreference: 'FailedFindPreference',
} as const;

/** What keeps the VM from what its user wants; `retryMs`: when no event will tell that it has gone. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
  readonly retryMs?: number;
}
