/** Decides how a claim gets an upload whose volume receives it itself. Pure. */
import { awaitsUpload } from '../../../../api/cdi/upload';
import type { Problem } from '../clone/plan';
import { uploadFillOf } from '../content';
import { annotations } from './annotations';
import { report, waitsForConsumer, type Action, type Observed } from './decide';
import { importPod } from './import-pod';

type Upload = Pick<Observed, 'claim' | 'storageClass' | 'pod' | 'progress' | 'settings'>;

const IN_USE_RECHECK_MS = 3_000;

/** Whether the Pod of the upload server is created now. */
export const startsUpload = ({ claim, storageClass, pod }: Omit<Upload, 'settings'>): boolean =>
  !pod &&
  awaitsUpload(claim) &&
  !claim.metadata.deletionTimestamp &&
  (claim.spec.volumeName !== undefined || !waitsForConsumer({ claim, storageClass }));

export function decideUpload(observed: Upload): Action[] {
  const { claim, pod, settings } = observed;
  const fill = uploadFillOf(claim);
  if (!pod)
    return startsUpload(observed) ? [{ do: 'createPod', pod: importPod({ claim, work: claim, fill, settings }) }] : [];
  const isKept = claim.metadata.annotations?.[annotations.podRetained] !== undefined;
  // a claim that is being deleted remains until no Pod uses it
  const isOver = claim.metadata.deletionTimestamp !== undefined || (!awaitsUpload(claim) && !isKept);
  if (isOver) return pod.metadata.deletionTimestamp ? [] : [{ do: 'deletePod', pod }];
  const hasFailed = pod.status?.phase === 'Failed' && !pod.metadata.deletionTimestamp;
  return [...report({ ...observed, fill }, pod), ...(hasFailed ? [{ do: 'deletePod', pod } as const] : [])];
}

/** Problem of a claim that other Pods use: an upload would replace what they read and write. */
export function usedBy(writers: readonly string[]): Problem | undefined {
  if (writers.length === 0) return undefined;
  const message = `the upload begins when no Pod uses the claim; these use it: ${writers.slice(0, 5).join(', ')}`;
  return { reason: 'UploadTargetInUse', message, retryMs: IN_USE_RECHECK_MS };
}
