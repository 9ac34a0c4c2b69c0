/** Who still needs the data of a snapshot that is being deleted. Pure. */
import { isTrue } from '../conditions';
import { copyOf, type Claim, type Content, type Restore } from '../types';

export interface CloneSource {
  readonly metadata: { readonly name?: string };
  readonly spec: { readonly source: { readonly kind?: string; readonly name: string } };
}

export interface Namespace {
  readonly claims: readonly Claim[];
  readonly cloneSources: readonly CloneSource[];
  /** Restores of the snapshot. */
  readonly restores: readonly Restore[];
}

/** Restores and claims that would lose their data, with the remedy. */
export function dependentsOf({ spec }: Content, { claims, cloneSources, restores }: Namespace): string[] {
  const backups = spec.volumeBackups ?? [];
  const copies = new Set(backups.flatMap((backup) => copyOf(backup) ?? []));
  const volumeSnapshots = new Set(backups.flatMap(({ volumeSnapshotName }) => volumeSnapshotName ?? []));
  const isOfContent = ({ kind, name }: { readonly kind?: string; readonly name: string }): boolean =>
    kind === 'VolumeSnapshot' ? volumeSnapshots.has(name) : kind === 'PersistentVolumeClaim' && copies.has(name);
  const needed = new Set(
    cloneSources.filter((each) => isOfContent(each.spec.source)).map((each) => each.metadata.name),
  );
  const isUnfilled = ({ metadata, spec: { dataSource, dataSourceRef }, status }: Claim): boolean => {
    const source = dataSourceRef ?? dataSource;
    if (!source || metadata.deletionTimestamp || (status?.phase ?? 'Pending') !== 'Pending') return false;
    return source.kind === 'VolumeCloneSource' ? needed.has(source.name) : isOfContent(source);
  };
  return [
    ...restores
      .filter(isInProgress)
      .map(({ metadata }) => `VirtualMachineRestore "${metadata.name}" (wait until it is complete, or delete it)`),
    ...claims
      .filter(isUnfilled)
      .map(({ metadata }) => `PersistentVolumeClaim "${metadata.name}" (start a VM that uses it, or delete it)`),
  ];
}

/** Whether the restore may have deleted old disks, and has not created all new ones. */
const isInProgress = ({ metadata, status }: Restore): boolean =>
  !metadata.deletionTimestamp &&
  status?.restores !== undefined &&
  !status.complete &&
  !isTrue(status.conditions, 'Failure');
