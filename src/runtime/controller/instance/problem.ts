import { type ControllerReason, reasons } from '../../../api/reasons';

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

/** Whether this controller sets the reason, and so removes it. */
export const isOwnReason = (reason: string | undefined): boolean => reason !== undefined && ownReasons.includes(reason);

/** Message for the user: cause first, then remedy. */
export interface Problem {
  readonly reason: ControllerReason;
  readonly message: string;
}
