import type { UtilityVolume as UtilityVolumeSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import type { INamedObject } from '../resource';
import { defined } from '../defined';
import { CLAIMS, nameOf } from '../storage/reference';

/** Purpose of a utility volume. */
export class UtilityVolumeType extends Choice {
  /** Memory dumps. */
  public static readonly MEMORY_DUMP = UtilityVolumeType.of('MemoryDump');
  /** Backups. */
  public static readonly BACKUP = UtilityVolumeType.of('Backup');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): UtilityVolumeType {
    return new UtilityVolumeType(value);
  }
}

/**
 * PersistentVolumeClaim for the launcher's own use, which the guest does not see. Requires the feature gate
 * UtilityVolumes.
 */
export interface UtilityVolume {
  /** Name of the volume within the VM, distinct from the names of all disks. */
  readonly name: string;
  /** PersistentVolumeClaim in the VM's namespace. */
  readonly claim: INamedObject;
  /**
   * Purpose of the volume.
   * @default - chosen by the platform
   */
  readonly type?: UtilityVolumeType;
  /**
   * Whether the volume is read-only.
   * @default false
   */
  readonly readOnly?: boolean;
}

/** Renders utility volumes as the API writes them. */
export function renderUtilityVolumes(volumes: readonly UtilityVolume[] | undefined): UtilityVolumeSpec[] | undefined {
  if (!volumes?.length) return undefined;
  return volumes.map(({ name, claim, type, readOnly }) =>
    defined({
      name,
      claimName: nameOf('UtilityVolume', claim, CLAIMS, 'use a PersistentVolumeClaim or a DataVolume'),
      type: type?.value as UtilityVolumeSpec['type'],
      readOnly,
    }),
  );
}
