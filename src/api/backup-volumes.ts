import type { Volume } from './generated/kubevirt-v1';

/** Whether a backup contains the volume: its disk outlives the guest. */
export const isBackedUp = ({ persistentVolumeClaim, dataVolume, hostDisk }: Volume): boolean =>
  (persistentVolumeClaim ?? dataVolume ?? hostDisk) !== undefined;
