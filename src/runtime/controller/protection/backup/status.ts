/** Conditions of a backup, with KubeVirt's reasons. Pure. */
import type { Condition, VirtualMachineInstance } from '../../../../api';
import { isoTime } from '../../instance/phase';
import type { Action } from '../actions';
import type { Backup } from './observed';

type Verdict = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;
type Status = NonNullable<Backup['status']>;
type Progress = NonNullable<
  NonNullable<NonNullable<VirtualMachineInstance['status']>['changedBlockTracking']>['backupStatus']
>;

export interface StatusChange {
  readonly verdicts: readonly Verdict[];
  readonly fields?: Omit<Status, 'conditions'>;
  readonly event: { readonly isWarning: boolean; readonly reason: string; readonly message: string };
}

/** The backup waits. */
export const initializing = (message: string): Omit<StatusChange, 'event'> => ({
  verdicts: [{ type: 'Progressing', status: 'True', reason: 'Initializing', message }],
});

export const progressing = (type: 'Full' | 'Incremental'): Omit<StatusChange, 'event'> => ({
  verdicts: [{ type: 'Progressing', status: 'True', reason: 'Initiated', message: 'Backup is in progress' }],
  fields: { type },
});

/** The disks are offered, or will be. */
export const preparing = (
  reason: 'PreparingExport' | 'ExportReady' | 'Aborting',
  message: string,
  fields?: StatusChange['fields'],
): Omit<StatusChange, 'event'> => ({
  verdicts: [{ type: 'Progressing', status: 'True', reason, message }],
  ...(fields && { fields }),
});

export function failed(reason: string, cause: string): StatusChange {
  const message = `Backup has failed: ${cause}`;
  return {
    verdicts: [
      { type: 'Failed', status: 'True', reason, message },
      { type: 'Progressing', status: 'False', reason, message },
    ],
    event: { isWarning: true, reason: 'VirtualMachineBackupFailed', message: cause },
  };
}

/** With a warning if the guest's file systems were not frozen. */
export function completed({ checkpointName, volumes, backupMsg, quiesceStatus }: Progress): StatusChange {
  const isClean = backupMsg === undefined;
  const message = isClean
    ? 'Successfully completed VirtualMachineBackup'
    : `Completed VirtualMachineBackup, warning: ${backupMsg}`;
  const reason = isClean ? 'Completed' : 'CompletedWithWarning';
  return {
    verdicts: [
      { type: 'Complete', status: 'True', reason, message },
      { type: 'Progressing', status: 'False', reason, message },
      ...quiesced(quiesceStatus),
    ],
    fields: { checkpointName, includedVolumes: (volumes ?? []).map(({ volumeName }) => ({ volumeName })) },
    event: isClean
      ? { isWarning: false, reason: 'VirtualMachineBackupCompletedSuccessfully', message }
      : { isWarning: true, reason: 'VirtualMachineBackupCompletedWithWarning', message },
  };
}

function quiesced(status: string | undefined): Verdict[] {
  const words: Record<string, string> = {
    Succeeded: 'Guest filesystem was successfully quiesced',
    Failed: 'Guest filesystem quiesce failed',
    Skipped: 'Guest filesystem quiesce was skipped',
  };
  if (status === undefined || !Object.hasOwn(words, status)) return [];
  const isDone = status === 'Succeeded';
  return [{ type: 'Quiesced', status: isDone ? 'True' : 'False', reason: `Quiesce${status}`, message: words[status] }];
}

/** Patch of the status; none if nothing changes. */
export function statusPatch(
  { metadata, status = {} }: Backup,
  { verdicts, fields }: Pick<StatusChange, 'verdicts' | 'fields'>,
  now: number,
): Action[] {
  const conditions = verdicts.reduce<Condition[]>(
    (list, verdict) => {
      const old = list.find(({ type }) => type === verdict.type);
      if (old && old.status === verdict.status && old.reason === verdict.reason && old.message === verdict.message)
        return list;
      const lastTransitionTime = old?.status === verdict.status ? old.lastTransitionTime : isoTime(now);
      const next = { ...verdict, lastTransitionTime };
      return old ? list.map((each) => (each === old ? next : each)) : [...list, next];
    },
    [...(status.conditions ?? [])],
  );
  const next = { ...status, ...fields, conditions };
  if (JSON.stringify(next) === JSON.stringify(status)) return [];
  const { name = '', resourceVersion } = metadata;
  const body = { metadata: { resourceVersion }, status: next };
  return [{ do: 'patch', kind: 'VirtualMachineBackup', name, subresource: 'status', body }];
}
