/** Copy that QEMU makes of the disks of a running guest for a snapshot: a backup that belongs to the snapshot's content. Pure. */
import { hasFailed, isComplete, volumesOf, type Backup } from './backup/observed';
import type { Content } from './types';

/** Time for which the beginning of a copy is not reported: its claim is attached meanwhile. */
const PATIENCE_MS = 30_000;

/** Name of the backup, and of its claim. */
export const guestCopyName = ({ metadata }: Pick<Content, 'metadata'>): string => `${metadata.name}-guest`;

/** Volumes that QEMU copies. */
export const guestCopiesOf = (content: Content): readonly string[] => volumesOf(content) ?? [];

/** Whether the images of all volumes exist. */
export const isCopied = (content: Content, backup: Backup | undefined): backup is Backup =>
  backup !== undefined && isComplete(backup) && missing(content, backup).length === 0;

/** Cause for which the copy will never be complete. */
export function guestCopyFailure(content: Content, backup: Backup | undefined): string | undefined {
  if (!backup) return undefined;
  if (hasFailed(backup)) return messageOf(backup, 'Failed') ?? 'the backup failed';
  const [first] = isComplete(backup) ? missing(content, backup) : [];
  return first === undefined ? undefined : `the running guest has no disk of volume "${first}"`;
}

/** Cause for which the copy makes no progress. A wait that is over soon is not reported. */
export function guestCopyProblem(content: Content, backup: Backup | undefined, now: number): string | undefined {
  const failure = guestCopyFailure(content, backup);
  if (!backup || failure !== undefined || isComplete(backup)) return failure;
  const age = now - Date.parse(backup.metadata.creationTimestamp ?? '');
  const progress = conditionOf(backup, 'Progressing');
  // also if the launcher refuses what was begun
  return progress?.reason === 'Initializing' && age > PATIENCE_MS ? progress.message : undefined;
}

const conditionOf = ({ status }: Backup, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

export const messageOf = (backup: Backup, type: string): string | undefined => conditionOf(backup, type)?.message;

function missing(content: Content, { status }: Backup): string[] {
  const included = new Set(status?.includedVolumes?.map(({ volumeName }) => volumeName));
  return guestCopiesOf(content).filter((name) => !included.has(name));
}
