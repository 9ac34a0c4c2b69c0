/**
 * Backs up the disks of a running guest, in KubeVirt's steps: the claim is attached to the launcher as a utility volume, the
 * launcher is asked for the backup, and the claim is detached. virt-handler reports the progress in the status of the
 * instance. Pure.
 */
import type { VirtualMachineInstance } from '../../../../api';
import { isBackedUp } from '../../../../api/backup-volumes';
import { keys } from '../../../../api/keys';
import { isFinal } from '../../instance/observed';
import { paths } from '../../pod/constants';
import type { Action } from '../actions';
import { create, finalizerPatch, normal, recheck, warning } from '../actions';
import { isOver, type Observed, snapshotContentOf, vmNameOf, volumeNameOf, volumesOf } from './observed';
import { expirationOf, exportOf, isOwnExport, isPull, offered } from './pull';
import { completed, failed, initializing, preparing, progressing, statusPatch, type StatusChange } from './status';

/** Interval at which the guest of a backup in progress is looked at. */
const LOOK_MS = 1_000;
/** Interval for a backup that cannot begin. */
const WAIT_MS = 10_000;

export function decide(seen: Observed): Action[] {
  const { backup } = seen;
  const isDeleted = backup.metadata.deletionTimestamp !== undefined;
  if (isOver(backup))
    return [...release(seen), ...(isDeleted ? finalizerPatch(backup, keys.backupFinalizer, false) : [])];
  const mine = progressOf(seen);
  if (mine?.completed) return finish(seen, mine);
  if (mine) return follow(seen, mine, isDeleted);
  if (isDeleted) {
    const detach = detachClaim(seen);
    return detach.length > 0 ? [...detach, recheck(LOOK_MS)] : finalizerPatch(backup, keys.backupFinalizer, false);
  }
  if (backup.status?.type) return end(seen, failed('SourceLost', 'the guest ended while it was backed up'));
  const obstacle = obstacleOf(seen);
  if ('fatal' in obstacle) return end(seen, failed('Failed', obstacle.fatal));
  if ('wait' in obstacle) return [...report(seen, initializing(obstacle.wait)), recheck(WAIT_MS)];
  return start(seen, obstacle.vmi);
}

type Progress = NonNullable<
  NonNullable<NonNullable<VirtualMachineInstance['status']>['changedBlockTracking']>['backupStatus']
>;

/** Progress of this backup in the status of the instance. */
function progressOf({ backup, vmi }: Observed): Progress | undefined {
  const found = vmi?.status?.changedBlockTracking?.backupStatus;
  const { name, creationTimestamp } = backup.metadata;
  return found?.backupName === name && found?.startTimestamp === creationTimestamp ? (found ?? undefined) : undefined;
}

type Obstacle = { readonly fatal: string } | { readonly wait: string } | { readonly vmi: VirtualMachineInstance };

/** Returns why the backup cannot begin. */
function obstacleOf({ backup, tracker, vm, vmi, claim, now }: Observed): Obstacle {
  const { source, pvcName } = backup.spec;
  const { namespace } = backup.metadata;
  if (!pvcName) {
    const why = isPull(backup) ? 'set pvcName: its claim gets what the guest overwrites meanwhile' : 'set pvcName';
    return { fatal: `backup target PVC name is nil; ${why}` };
  }
  if (isPull(backup) && !backup.spec.tokenSecretRef)
    return { fatal: 'tokenSecretRef is required when mode is Pull; name a Secret that has the key token' };
  if (isPull(backup) && expirationOf(backup) <= now) return { fatal: 'pull mode backup TTL has expired' };
  const name = vmNameOf(backup, tracker);
  if (name === undefined) return { wait: `BackupTracker ${source.name} does not exist` };
  if (!vm) return { wait: `VM ${namespace}/${name} doesnt exist` };
  if (!vmi || isFinal(vmi) || vmi.status?.phase !== 'Running' || vmi.metadata.deletionTimestamp) {
    const stopped = `vm ${name} is not running, cannot do backup`;
    // a snapshot keeps its VM from starting
    return snapshotContentOf(backup) !== undefined ? { fatal: stopped } : { wait: `${stopped}; start it` };
  }
  if (!vmi.spec.volumes?.some(isBackedUp)) return { wait: `vm ${name} has no volumes to backup` };
  const other = vmi.status.changedBlockTracking?.backupStatus;
  if (other && !other.completed) return { wait: `backup ${other.backupName} of vm ${name} is in progress` };
  if (!claim) return { wait: `PVC ${namespace}/${pvcName} doesnt exist` };
  if (claim.spec.volumeMode === 'Block')
    return { fatal: `backup target PVC must be a filesystem PVC, provided pvc ${namespace}/${pvcName} is block` };
  return { vmi };
}

function start(seen: Observed, vmi: VirtualMachineInstance): Action[] {
  const { backup } = seen;
  const name = volumeNameOf(backup);
  const { utilityVolumes = [] } = vmi.spec;
  const protect = finalizerPatch(backup, keys.backupFinalizer, true);
  // its resourceVersion changes
  if (protect.length > 0) return [...protect, recheck(LOOK_MS)];
  if (!utilityVolumes.some((volume) => volume.name === name)) {
    const volume = { name, claimName: backup.spec.pvcName ?? '', type: 'Backup' as const };
    return [...setUtilityVolumes(vmi, [...utilityVolumes, volume]), recheck(LOOK_MS)];
  }
  const attached = vmi.status?.volumeStatus?.find((volume) => volume.name === name);
  if (attached?.phase !== 'MountedToPod') {
    const why = attached?.message ?? 'it is being attached';
    return [...report(seen, initializing(`PVC ${backup.spec.pvcName}: ${why}`)), recheck(LOOK_MS)];
  }
  const { name: backupName, creationTimestamp: startTimestamp } = backup.metadata;
  return [
    patchVmi(vmi, {
      status: { changedBlockTracking: { state: 'Enabled', backupStatus: { backupName, startTimestamp } } },
    }),
    recheck(LOOK_MS),
  ];
}

/**
 * Whether the tracker's checkpoint can be used: QEMU records changes as long as it runs, and knows nothing of the disks that
 * were attached since.
 */
function isIncremental({ backup, tracker, vmi }: Observed): boolean {
  const checkpoint = tracker?.status?.latestCheckpoint;
  if (backup.spec.forceFullBackup || !checkpoint?.name || !vmi) return false;
  const covered = new Set((checkpoint.volumes ?? []).map(({ volumeName }) => volumeName));
  const isRecorded = Date.parse(vmi.metadata.creationTimestamp ?? '') <= Date.parse(checkpoint.creationTime ?? '');
  return isRecorded && (vmi.spec.volumes ?? []).filter(isBackedUp).every(({ name }) => covered.has(name));
}

/** The launcher knows the backup when virt-handler has reported its checkpoint. Until then it is asked, also again. */
function follow(seen: Observed, mine: Progress, isDeleted: boolean): Action[] {
  const { backup, tracker, vmi } = seen;
  const { name = '', creationTimestamp } = backup.metadata;
  if (!vmi || vmi.status?.phase !== 'Running' || vmi.metadata.deletionTimestamp) {
    return end(seen, failed('SourceUnhealthy', `VMI is not in a running state: ${vmi?.status?.phase ?? 'deleted'}`));
  }
  const common = { backupName: name, backupStartTime: creationTimestamp };
  const ask = (options: object): Action => ({
    do: 'backUp',
    vm: vmi.metadata.name ?? '',
    options: { ...common, ...options },
  });
  if (isDeleted) {
    const isBegun = mine.checkpointName !== undefined;
    return [ask({ cmd: 'Abort' }), ...(isBegun ? [] : [clear(vmi)]), recheck(LOOK_MS)];
  }
  if (!backup.status?.type)
    return [...report(seen, progressing(isIncremental(seen) ? 'Incremental' : 'Full')), recheck(LOOK_MS)];
  if (mine.checkpointName !== undefined) return isPull(backup) ? offer(seen, mine, ask) : [recheck(LOOK_MS)];
  const incremental = backup.status.type === 'Incremental' && tracker?.status?.latestCheckpoint?.name;
  const volumes = volumesOf(backup);
  const options = {
    cmd: 'Start',
    mode: backup.spec.mode ?? 'Push',
    skipQuiesce: backup.spec.skipQuiesce ?? false,
    targetPath: `${paths.hotplugDisks}/${volumeNameOf(backup)}`,
    ...(tracker && { tracker: tracker.metadata.uid }),
    ...(incremental && { incremental }),
    ...(volumes && { volumes }),
  };
  return [ask(options), recheck(LOOK_MS)];
}

/** Offers the disks for download, until the backup is deleted or its lifetime is over. */
function offer(seen: Observed, mine: Progress, ask: (options: object) => Action): Action[] {
  const { backup, vmExport, now } = seen;
  if (expirationOf(backup) <= now) {
    const message = 'pull mode backup TTL has expired: Backup is aborting';
    return [...report(seen, preparing('Aborting', message)), ask({ cmd: 'Abort' }), recheck(LOOK_MS)];
  }
  const names = (mine.volumes ?? []).map(({ volumeName }) => volumeName);
  const fields = { checkpointName: mine.checkpointName, includedVolumes: names.map((volumeName) => ({ volumeName })) };
  if (!vmExport) {
    const change = preparing('PreparingExport', 'Preparing VMExport for backup', fields);
    return [...report(seen, change), create(exportOf(backup, now)), recheck(LOOK_MS)];
  }
  const { name, namespace } = backup.metadata;
  if (!isOwnExport(vmExport, backup)) {
    const message = `VMExport ${namespace}/${name} already exists but is not owned by backup ${name}; delete it`;
    return [...report(seen, preparing('PreparingExport', message, fields)), recheck(WAIT_MS)];
  }
  const links = offered(vmExport, names);
  if (links)
    return [...report(seen, preparing('ExportReady', 'VMExport is ready', { ...fields, ...links })), recheck(WAIT_MS)];
  const waits = vmExport.status?.conditions?.find(({ type }) => type === 'Ready')?.message;
  const message = ['Preparing VMExport for backup', waits].filter(Boolean).join(': ');
  return [...report(seen, preparing('PreparingExport', message, fields)), recheck(LOOK_MS)];
}

/** Deletes the export. */
function withdraw({ backup, vmExport }: Observed): Action[] {
  if (!vmExport || !isOwnExport(vmExport, backup) || vmExport.metadata.deletionTimestamp) return [];
  const { name = '', uid } = vmExport.metadata;
  return [{ do: 'delete', kind: 'VirtualMachineExport', name, uid }];
}

/** Records the checkpoint, detaches the claim, and reports the result. */
function finish(seen: Observed, mine: Progress): Action[] {
  const { tracker } = seen;
  const record =
    tracker && !mine.failed && tracker.status?.latestCheckpoint?.name !== mine.checkpointName
      ? [
          {
            do: 'patch' as const,
            kind: 'VirtualMachineBackupTracker' as const,
            name: tracker.metadata.name ?? '',
            subresource: 'status' as const,
            body: {
              status: {
                latestCheckpoint: {
                  name: mine.checkpointName,
                  creationTime: mine.startTimestamp,
                  volumes: mine.volumes ?? [],
                },
              },
            },
          },
        ]
      : [];
  const detach = [...withdraw(seen), ...detachClaim(seen)];
  if (detach.length > 0) return [...record, ...detach, recheck(LOOK_MS)];
  const change = mine.failed ? failed('Failed', mine.backupMsg ?? 'unknown failure') : completed(mine);
  return [...record, ...end(seen, change)];
}

/** Writes the result with its event; the next pass removes what is left on the instance. */
function end(seen: Observed, change: StatusChange): Action[] {
  const { backup } = seen;
  const detach = [...withdraw(seen), ...detachClaim(seen)];
  if (detach.length > 0) return [...detach, recheck(LOOK_MS)];
  const event = change.event.isWarning
    ? warning(backup, change.event.reason, change.event.message)
    : normal(backup, change.event.reason, change.event.message);
  return [...report(seen, change), event];
}

/** The status of the instance names no backup that is over. */
function release(seen: Observed): Action[] {
  const { vmi } = seen;
  return vmi && progressOf(seen) ? [clear(vmi)] : [];
}

const clear = (vmi: VirtualMachineInstance): Action =>
  patchVmi(vmi, { status: { changedBlockTracking: { backupStatus: null } } });

/** Detaches the claim; no action if it is detached. */
function detachClaim({ backup, vmi }: Observed): Action[] {
  if (!vmi || isFinal(vmi) || vmi.metadata.deletionTimestamp) return [];
  const name = volumeNameOf(backup);
  const { utilityVolumes = [] } = vmi.spec;
  const left = utilityVolumes.filter((volume) => volume.name !== name);
  if (left.length < utilityVolumes.length) return setUtilityVolumes(vmi, left);
  return vmi.status?.volumeStatus?.some((volume) => volume.name === name) ? [recheck(LOOK_MS)] : [];
}

type UtilityVolumes = NonNullable<VirtualMachineInstance['spec']['utilityVolumes']>;

const setUtilityVolumes = (vmi: VirtualMachineInstance, volumes: UtilityVolumes): Action[] => [
  patchVmi(vmi, { spec: { utilityVolumes: volumes.length > 0 ? volumes : null } }),
];

const patchVmi = ({ metadata }: VirtualMachineInstance, body: object): Action => ({
  do: 'patch',
  kind: 'VirtualMachineInstance',
  name: metadata.name ?? '',
  body: { metadata: { resourceVersion: metadata.resourceVersion, uid: metadata.uid }, ...body },
});

const report = ({ backup, now }: Observed, change: StatusChange | Omit<StatusChange, 'event'>): Action[] =>
  statusPatch(backup, change, now);
