/** The disks of a backup, and QEMU's commands for it. Pure. */
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import { backupSocketOf } from '../../../api/backup-socket';
import { isBackedUp } from '../../../api/backup-volumes';
import { Refusal } from './refusal';

/** A request of virt-controller, as in KubeVirt's BackupOptions. */
export interface BackupRequest {
  readonly name: string;
  /** RFC 3339. Name and start identify a backup. */
  readonly startedAt: string;
  readonly skipQuiesce: boolean;
  /** Whether the disks are served to a client, and the claim gets what the guest overwrites meanwhile. */
  readonly isPull?: boolean;
  /** Directory of the claim. */
  readonly targetPath: string;
  /** UID of the tracker, which gets a checkpoint. */
  readonly tracker?: string;
  /** Checkpoint since which changes are backed up. */
  readonly incremental?: string;
  /** Names of the volumes to back up. Default: all. */
  readonly volumes?: readonly string[];
}

/** A disk of the running guest, as QEMU knows it. */
export interface BackupDisk {
  readonly name: string;
  readonly node: string;
  readonly bytes: number;
  readonly bitmaps: readonly string[];
}

/** A disk and the file that it, or what the guest overwrites, is written to. */
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
  present: readonly BackupDisk[],
): BackupTarget[] {
  const { tracker, incremental, name, volumes } = request;
  const disks = present.filter((disk) => volumes?.includes(disk.name) ?? true);
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

/** Opens a file for what the guest overwrites, through which the disk is read as it was. */
export const openScratch = ({ file, targetNode, node }: BackupTarget): QmpCommand => ({
  execute: 'blockdev-add',
  arguments: {
    driver: 'qcow2',
    'node-name': targetNode,
    file: { driver: 'file', filename: file },
    backing: node,
  },
});

export const closeTarget = (targetNode: string): QmpCommand => ({
  execute: 'blockdev-del',
  arguments: { 'node-name': targetNode },
});

/** Begins all jobs and checkpoints at one point in time, or none. */
export function beginJobs(request: BackupRequest, targets: readonly BackupTarget[]): QmpCommand {
  const { tracker, incremental, isPull } = request;
  const last = tracker !== undefined && incremental !== undefined ? bitmapOf(tracker, incremental) : undefined;
  const since = last === undefined ? { sync: 'full' } : { sync: 'bitmap', bitmap: last, 'bitmap-mode': 'never' };
  const actions = targets.flatMap(({ node, targetNode, job }) => [
    ...(tracker === undefined
      ? []
      : [
          {
            type: 'block-dirty-bitmap-add',
            data: { node, name: bitmapOf(tracker, checkpointOf(request)), persistent: false },
          },
        ]),
    ...(isPull && last !== undefined ? freezeChanges(node, last) : []),
    {
      type: 'blockdev-backup',
      data: {
        ...{ 'job-id': job, device: node, target: targetNode, 'auto-dismiss': false },
        ...(isPull ? { sync: 'none' } : since),
      },
    },
  ]);
  return { execute: 'transaction', arguments: { actions } };
}

/** Bitmap with the changes up to the backup, which clients read while the guest runs. */
const CHANGES = `${PREFIX}changes`;

const freezeChanges = (node: string, since: string): object[] => [
  { type: 'block-dirty-bitmap-add', data: { node, name: CHANGES, persistent: false, disabled: true } },
  { type: 'block-dirty-bitmap-merge', data: { node, target: CHANGES, bitmaps: [since] } },
];

/** Clients at the same time: each download of the exporter is one. */
const MOST_CLIENTS = 32;

/** Serves the disks of a pull on a socket. */
export function serveDisks(request: BackupRequest, targets: readonly BackupTarget[]): QmpCommand[] {
  const path = backupSocketOf(request.targetPath);
  return [
    {
      execute: 'nbd-server-start',
      arguments: { addr: { type: 'unix', data: { path } }, 'max-connections': MOST_CLIENTS },
    },
    ...targets.map(({ name, node, targetNode }, i) => ({
      execute: 'block-export-add',
      arguments: {
        ...{ type: 'nbd', id: `${PREFIX}export-${i}`, 'node-name': targetNode, name, writable: false },
        ...(request.incremental === undefined ? {} : { bitmaps: [{ node, name: CHANGES }] }),
      },
    })),
  ];
}

/** Exports of backups, of QEMU's answer to `query-block-exports`. */
export function backupExports(answer: unknown): string[] {
  const exports = (answer as { return?: readonly { id: string }[] } | undefined)?.return ?? [];
  return exports.map(({ id }) => id).filter((id) => id.startsWith(PREFIX));
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
  const own = tracker === undefined ? undefined : bitmapOf(tracker, checkpoint);
  const isOutdated = (name: string): boolean =>
    hasFailed ? name === own : tracker !== undefined && name !== own && name.startsWith(bitmapOf(tracker, ''));
  return disks.flatMap(({ node, bitmaps }) =>
    bitmaps
      .filter((name) => name === CHANGES || isOutdated(name))
      .map((name) => ({ execute: 'block-dirty-bitmap-remove', arguments: { node, name } })),
  );
}

export interface JobState {
  readonly id: string;
  /** Whether it can be cancelled. */
  readonly isRunning: boolean;
  readonly isOver: boolean;
  readonly error?: string;
}

/** Jobs of backups, of QEMU's answer to `query-jobs`. */
export function backupJobs(answer: unknown): JobState[] {
  const jobs = (answer as { return?: readonly { id: string; status: string; error?: string }[] } | undefined)?.return;
  return (jobs ?? [])
    .filter(({ id }) => id.startsWith(PREFIX))
    .map(({ id, status, error }) => ({
      id,
      isRunning: !['aborting', 'concluded', 'null'].includes(status),
      isOver: status === 'concluded',
      ...(error && { error }),
    }));
}
