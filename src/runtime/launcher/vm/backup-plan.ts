/** The disks of a backup, and QEMU's commands for it. Pure. */
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import { isBackedUp } from '../../../api/backup-volumes';
import { Refusal } from './refusal';

/** A request of virt-controller, as in KubeVirt's BackupOptions. */
export interface BackupRequest {
  readonly name: string;
  /** RFC 3339. Name and start identify a backup. */
  readonly startedAt: string;
  readonly skipQuiesce: boolean;
  /** Directory of the claim. */
  readonly targetPath: string;
  /** UID of the tracker, which gets a checkpoint. */
  readonly tracker?: string;
  /** Checkpoint since which changes are backed up. */
  readonly incremental?: string;
}

/** A disk of the running guest, as QEMU knows it. */
export interface BackupDisk {
  readonly name: string;
  readonly node: string;
  readonly bytes: number;
  readonly bitmaps: readonly string[];
}

/** A disk and the file that it is written to. */
export interface BackupTarget extends BackupDisk {
  readonly file: string;
  readonly job: string;
  /** Node of the file. QEMU allows 31 characters. */
  readonly targetNode: string;
}

export interface QmpCommand {
  readonly execute: string;
  readonly arguments: object;
}

/** Prefix of all jobs and nodes of backups. */
export const PREFIX = 'virt8s-backup-';

interface QueriedBlock {
  readonly qdev?: string;
  readonly inserted?: {
    readonly 'node-name'?: string;
    readonly ro?: boolean;
    readonly image?: { readonly 'virtual-size'?: number };
    readonly 'dirty-bitmaps'?: readonly { readonly name?: string; readonly inconsistent?: boolean }[];
  };
}

/** Disks that a backup contains, of QEMU's answer to `query-block`. */
export function backupDisks(answer: unknown, { spec }: VirtualMachineInstance): BackupDisk[] {
  const blocks = (answer as { return?: readonly QueriedBlock[] } | undefined)?.return ?? [];
  const wanted = new Set((spec.volumes ?? []).filter(isBackedUp).map(({ name }) => name));
  return blocks.flatMap(({ qdev = '', inserted }): BackupDisk[] => {
    const [, name = ''] = /(?:^|\/)ua-([^/]+)/.exec(qdev) ?? [];
    const { 'node-name': node, ro, image } = inserted ?? {};
    if (!wanted.has(name) || !node || ro || !image?.['virtual-size']) return [];
    const bitmaps = (inserted!['dirty-bitmaps'] ?? []).flatMap((each) =>
      each.name && !each.inconsistent ? [each.name] : [],
    );
    return [{ name, node, bytes: image['virtual-size'], bitmaps }];
  });
}

const timeOf = (startedAt: string): string => startedAt.slice(0, 19).replace('T', '_').replace(/:/g, '-');

/** Name of the checkpoint that the backup creates, and of its directory, as in KubeVirt. */
export const checkpointOf = ({ name, startedAt }: BackupRequest): string => `${name}-${timeOf(startedAt)}`;

const bitmapOf = (tracker: string, checkpoint: string): string => `${PREFIX}${tracker}:${checkpoint}`;

/** Directory of the files of a backup in the claim, as in KubeVirt. */
export const directoryOf = (request: BackupRequest, { metadata }: VirtualMachineInstance): string =>
  join(request.targetPath, metadata.name ?? '', checkpointOf(request));

/** @throws Refusal if there is nothing to back up, or if a disk does not know the checkpoint */
export function backupTargets(
  request: BackupRequest,
  vmi: VirtualMachineInstance,
  disks: readonly BackupDisk[],
): BackupTarget[] {
  const { tracker, incremental, name } = request;
  if (disks.length === 0) throw new Refusal('SyncFailed', `vm ${vmi.metadata.name} has no volumes to backup`);
  if (tracker !== undefined && incremental !== undefined) {
    const lost = disks.find(({ bitmaps }) => !bitmaps.includes(bitmapOf(tracker, incremental)));
    if (lost) {
      throw new Refusal(
        'CheckpointLost',
        `disk "${lost.name}" was attached after the checkpoint "${incremental}"; delete this backup and create one with ` +
          'forceFullBackup',
      );
    }
  }
  const directory = directoryOf(request, vmi);
  return disks.map((disk, i) => ({
    ...disk,
    file: join(directory, `${name}-${disk.name}.qcow2`),
    job: `${PREFIX}job-${i}`,
    targetNode: `${PREFIX}node-${i}`,
  }));
}

/** Opens the file of a disk, in which blocks of zeros take no space: block devices have no holes. */
export const openTarget = ({ file, targetNode }: BackupTarget): QmpCommand => ({
  execute: 'blockdev-add',
  arguments: {
    driver: 'qcow2',
    'node-name': targetNode,
    'detect-zeroes': 'on',
    file: { driver: 'file', filename: file },
  },
});

export const closeTarget = (targetNode: string): QmpCommand => ({
  execute: 'blockdev-del',
  arguments: { 'node-name': targetNode },
});

/** Begins all jobs and checkpoints at one point in time, or none. */
export function beginJobs(request: BackupRequest, targets: readonly BackupTarget[]): QmpCommand {
  const { tracker, incremental } = request;
  const since =
    tracker !== undefined && incremental !== undefined
      ? { sync: 'bitmap', bitmap: bitmapOf(tracker, incremental), 'bitmap-mode': 'never' }
      : { sync: 'full' };
  const actions = targets.flatMap(({ node, targetNode, job }) => [
    ...(tracker === undefined
      ? []
      : [
          {
            type: 'block-dirty-bitmap-add',
            data: { node, name: bitmapOf(tracker, checkpointOf(request)), persistent: false },
          },
        ]),
    {
      type: 'blockdev-backup',
      data: { 'job-id': job, device: node, target: targetNode, ...since, 'auto-dismiss': false },
    },
  ]);
  return { execute: 'transaction', arguments: { actions } };
}

/**
 * Bitmaps that are not needed after a backup: the tracker's earlier ones, or that of a backup that failed. The present bitmaps
 * are those of `disks`.
 */
export function outdatedBitmaps(
  { tracker, checkpoint }: { readonly tracker?: string; readonly checkpoint: string },
  disks: readonly BackupDisk[],
  hasFailed: boolean,
): QmpCommand[] {
  if (tracker === undefined) return [];
  const own = bitmapOf(tracker, checkpoint);
  return disks.flatMap(({ node, bitmaps }) =>
    bitmaps
      .filter((name) => (hasFailed ? name === own : name !== own && name.startsWith(bitmapOf(tracker, ''))))
      .map((name) => ({ execute: 'block-dirty-bitmap-remove', arguments: { node, name } })),
  );
}

export interface JobState {
  readonly id: string;
  readonly isOver: boolean;
  readonly error?: string;
}

/** Jobs of backups, of QEMU's answer to `query-jobs`. */
export function backupJobs(answer: unknown): JobState[] {
  const jobs = (answer as { return?: readonly { id: string; status: string; error?: string }[] } | undefined)?.return;
  return (jobs ?? [])
    .filter(({ id }) => id.startsWith(PREFIX))
    .map(({ id, status, error }) => ({ id, isOver: status === 'concluded', ...(error && { error }) }));
}
