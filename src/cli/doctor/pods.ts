import type { ContainerStatus, Pod } from '../../local/core-v1';

/** Reasons for which Pods do not run. Pure. */

const PULL_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
];
/** States that every Pod passes. */
const USUAL = ['ContainerCreating', 'PodInitializing'];

export interface PullProblem {
  readonly image: string;
  readonly reason: string;
  readonly message: string;
}

const statusesOf = ({ status }: Pod): ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** Images that a Pod waits for because they cannot be pulled. */
export function pullProblems(pod: Pod): PullProblem[] {
  return statusesOf(pod).flatMap(({ image, state }) => {
    const { reason = '', message = '' } = state?.waiting ?? {};
    return PULL_REASONS.includes(reason) ? [{ image: imageIn(message) ?? image, reason, message }] : [];
  });
}

/** An image volume that cannot be pulled blocks every container of its Pod, with a message that names the image. */
const imageIn = (message: string): string | undefined => /image \\?"([^"\\]+)\\?"/.exec(message)?.[1];

/** Returns why a Pod does not serve, in words; undefined if nothing is known to be wrong. */
export function podProblem(pod: Pod): string | undefined {
  const { status } = pod;
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return `it cannot be scheduled: ${scheduled.message ?? scheduled.reason ?? ''}`;
  for (const { name, state, lastState } of statusesOf(pod)) {
    const { reason, message } = state?.waiting ?? {};
    if (!reason || USUAL.includes(reason)) continue;
    const end = lastState?.terminated;
    const last = end ? `, last end: ${end.message?.trim() || `${end.reason ?? ''} (exit code ${end.exitCode})`}` : '';
    return `container ${name} waits: ${reason}${message ? ` (${message})` : ''}${last}`;
  }
  if (status?.phase === 'Failed') return `the Pod failed: ${status.message ?? status.reason ?? ''}`;
  return undefined;
}
