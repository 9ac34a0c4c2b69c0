import type { VirtualMachineInstance, VirtualMachineStartFailure } from '../../../api';
import { hasRun } from '../instance/observed';
import { isoTime } from '../instance/phase';

const STEP_S = 10;
const MAX_S = 300;

/** Seconds to wait after the n-th consecutive failure: 10, 40, 90 … 300. */
export const backoffSeconds = (failures: number): number => Math.min(failures * failures * STEP_S, MAX_S);

/** Counts starts that failed before the guest ran, once per VMI. The count starts again at 0 when a guest runs. */
export function nextStartFailure(
  before: VirtualMachineStartFailure | null | undefined,
  vmi: VirtualMachineInstance | undefined,
  now: number,
): VirtualMachineStartFailure | undefined {
  if (vmi && hasRun(vmi)) return undefined;
  const known = before ?? undefined;
  if (vmi?.status?.phase !== 'Failed' || known?.lastFailedVMIUID === vmi.metadata.uid) return known;
  const consecutiveFailCount = (known?.consecutiveFailCount ?? 0) + 1;
  return {
    consecutiveFailCount,
    lastFailedVMIUID: vmi.metadata.uid,
    retryAfterTimestamp: isoTime(now + backoffSeconds(consecutiveFailCount) * 1000),
  };
}

/** Milliseconds until the next start is allowed; 0 if it is allowed now. */
export function backoffLeftMs(failure: VirtualMachineStartFailure | null | undefined, now: number): number {
  return failure?.retryAfterTimestamp ? Math.max(0, Date.parse(failure.retryAfterTimestamp) - now) : 0;
}
