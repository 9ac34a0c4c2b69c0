import type { VirtualMachine } from '../../../api';
import { findCondition } from '../../../api/conditions';
import { parseDuration } from '../../../api/duration';
import type { VirtualMachinePoolAutohealingStrategy } from '../../../api/generated/pool-v1beta1';
import { sinceMs } from '../instance/observed';

const THRESHOLD = 3;
const MIN_FAILING_MS = 5 * 60_000;

/** States in which a VM does not start, and for which its pool waits before it replaces the VM. */
const FAILING: readonly (string | undefined)[] = [
  'CrashLoopBackOff',
  'ErrorUnschedulable',
  'DataVolumeError',
  'ErrorPvcNotFound',
  'ErrImagePull',
  'ImagePullBackOff',
];

/** Milliseconds until a VM that cannot start is replaced; undefined if it does not fail. */
export function healedAfterMs(
  { status }: VirtualMachine,
  { startUpFailureThreshold = THRESHOLD, minFailingToStartDuration }: VirtualMachinePoolAutohealingStrategy,
  now: number,
): number | undefined {
  if ((status?.startFailure?.consecutiveFailCount ?? 0) >= startUpFailureThreshold) return 0;
  if (!FAILING.includes(status?.printableStatus)) return undefined;
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status !== 'False') return undefined;
  const minMs = parseDuration(minFailingToStartDuration ?? '') ?? MIN_FAILING_MS;
  return Math.max(0, minMs - sinceMs(ready.lastTransitionTime, now));
}

/** Returns why a VM is replaced, for an event. */
export function failureOf({ status }: VirtualMachine): string {
  const failure = findCondition(status?.conditions, 'Failure')?.message;
  return `it does not start (${status?.printableStatus ?? 'Unknown'}${failure ? `: ${failure}` : ''})`;
}
