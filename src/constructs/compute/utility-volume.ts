import type { UtilityVolume as UtilityVolumeSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import type { INamedObject } from '../resource';
import { defined } from '../defined';
import { CLAIMS, nameOf } from '../storage/reference';

/** What a utility volume is for. */
export class UtilityVolumeType extends Choice {
  /** It takes memory dumps. */
  public static readonly MEMORY_DUMP = UtilityVolumeType.of('MemoryDump');
  /** It takes backups. */
  public static readonly BACKUP = UtilityVolumeType.of('Backup');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): UtilityVolumeType {
    return new UtilityVolumeType(value);
  }
}

/** A claim for the launcher's own use, which the guest does not see. Gate UtilityVolumes. */
export interface UtilityVolume {
  /** Its name in the VM, unlike that of every disk. */
  readonly name: string;
  /** The claim, in the VM's namespace. */
  readonly claim: INamedObject;
  /**
   * What it is for.
   * @default - the platform decides
   */
  readonly type?: UtilityVolumeType;
  /**
   * Nothing may be written.
   * @default false
   */
  readonly readOnly?: boolean;
}

/** Utility volumes as the API writes them. */
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
