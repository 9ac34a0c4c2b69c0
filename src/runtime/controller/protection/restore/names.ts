/** Names of restored claims, and marks of what a restore wrote. Pure. */
import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../../api';
import { keys } from '../../../../api/keys';
import type { Restore, VolumeBackup } from '../types';

const LONGEST_NAME = 253;

/** Name of the claim into which a volume is restored. */
export function claimName({ metadata, spec }: Restore, { volumeName, persistentVolumeClaim }: VolumeBackup): string {
  const override = spec.volumeRestoreOverrides?.find((each) => each.volumeName === volumeName)?.restoreName;
  if (override) return override;
  switch (spec.volumeRestorePolicy) {
    case 'InPlace':
      return persistentVolumeClaim.metadata?.name ?? '';
    case 'PrefixTargetName':
      return shortened(`${spec.target.name}-${volumeName}`);
    default:
      return shortened(`restore-${metadata.uid}-${volumeName}`);
  }
}

/** Name of the object that lets a copy be cloned. A claim may keep its name in each restore, but its source differs. */
export const cloneSourceName = ({ metadata }: Restore, { volumeName }: VolumeBackup): string =>
  shortened(`restore-${metadata.uid}-${volumeName}`);

/** A name that is too long ends in a hash instead. */
function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `${name.slice(0, LONGEST_NAME - hash.length - 1)}-${hash}`;
}

/** Value of the annotation on objects that this restore wrote. */
export const markOf = ({ metadata }: Restore): string => `${metadata.name}-${metadata.uid}`;

export const isMarked = (object: KubeObject | undefined, restore: Restore): boolean =>
  object?.metadata.annotations?.[keys.lastRestore] === markOf(restore);
