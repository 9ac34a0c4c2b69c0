import type { VirtualMachineInstanceStatus } from '../../../api';
import type { DomainState } from '../../protocol';

type Tracking = VirtualMachineInstanceStatus['changedBlockTracking'];

/** Progress of the backup that virt-controller has written into the status. One that has ended stays as it is. */
export function backupProgress(before: Tracking, domain: DomainState | undefined): Tracking {
  const { backup } = domain ?? {};
  const old = before?.backupStatus;
  if (!before || !old || !backup || old.completed || !isSame(old, backup)) return before;
  const { checkpoint: checkpointName, volumes, quiesced: quiesceStatus, endedAt, failure, warning } = backup;
  const backupMsg = failure ?? warning;
  return {
    ...before,
    backupStatus: {
      ...old,
      checkpointName,
      quiesceStatus,
      volumes: volumes.map((volumeName) => ({ volumeName })),
      ...(backupMsg !== undefined && { backupMsg }),
      ...(endedAt !== undefined && { completed: true, endTimestamp: endedAt, failed: failure !== undefined }),
    },
  };
}

const isSame = (
  { backupName, startTimestamp }: NonNullable<NonNullable<Tracking>['backupStatus']>,
  { name, startedAt }: { readonly name: string; readonly startedAt: string },
): boolean => backupName === name && Date.parse(startTimestamp ?? '') === Date.parse(startedAt);
