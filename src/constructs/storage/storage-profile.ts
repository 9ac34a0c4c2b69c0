import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ClaimPropertySet as PropertySet, StorageProfileSpec } from '../../api/generated/cdi-v1beta1';
import { defined } from '../defined';
import { StorageProfileObject } from '../generated/cdi-v1beta1';
import { INamedObject, Resource } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import type { AccessMode, CloneStrategy, ImportFormat, VolumeMode } from './claim-choices';
import { nameOf } from './reference';

/** Supported combination of access modes and a volume mode. */
export interface ClaimPropertySet {
  /** Access modes. Claims that set none receive those of the first combination of a profile. */
  readonly accessModes: AccessMode[];
  /** Volume mode. */
  readonly volumeMode: VolumeMode;
}

/** Properties of a StorageProfile. */
export interface StorageProfileProps {
  /** Name of the StorageClass, which is also the name of the profile. */
  readonly storageClassName: string;
  /**
   * Supported combinations of access modes and a volume mode, best first.
   * @default - combinations that the platform knows for the provisioner
   */
  readonly claimPropertySets?: ClaimPropertySet[];
  /**
   * Method for cloning claims.
   * @default - best method that the storage supports
   */
  readonly cloneStrategy?: CloneStrategy;
  /**
   * Format in which DataImportCrons store images.
   * @default - best format for the storage
   */
  readonly importFormat?: ImportFormat;
  /**
   * VolumeSnapshotClass for clones.
   * @default - a class of the same provisioner
   */
  readonly snapshotClass?: INamedObject;
}

/**
 * Overrides for the settings that the platform assumes for a StorageClass (`cdi.kubevirt.io` StorageProfile). The
 * platform creates a profile for each class; this one is merged over it. The profile is cluster-scoped.
 *
 * @example
 * new StorageProfile(chart, 'fast', {
 *   storageClassName: 'fast',
 *   claimPropertySets: [{ accessModes: [AccessMode.READ_WRITE_MANY], volumeMode: VolumeMode.BLOCK }],
 *   cloneStrategy: CloneStrategy.CSI_CLONE,
 * });
 */
export class StorageProfile extends Resource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props StorageClass, and the settings of its claims
   */
  constructor(scope: Construct, id: string, props: StorageProfileProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const spec = renderStorageProfile(props);
    const metadata = { name: props.storageClassName };
    this.apiObject = new StorageProfileObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }
}

/** Renders the spec of the profile. Pure. */
function renderStorageProfile(props: StorageProfileProps): StorageProfileSpec {
  const { claimPropertySets, cloneStrategy, importFormat, snapshotClass } = props;
  return defined({
    claimPropertySets: claimPropertySets?.map(({ accessModes, volumeMode }) => ({
      accessModes: accessModes.map(({ value }) => value) as PropertySet['accessModes'],
      volumeMode: volumeMode.value as PropertySet['volumeMode'],
    })),
    cloneStrategy: cloneStrategy?.value as StorageProfileSpec['cloneStrategy'],
    dataImportCronSourceFormat: importFormat?.value as StorageProfileSpec['dataImportCronSourceFormat'],
    snapshotClass:
      snapshotClass &&
      nameOf('StorageProfile: snapshotClass', snapshotClass, ['VolumeSnapshotClass'], 'use a VolumeSnapshotClass'),
  });
}

function locate(field: string): string | undefined {
  if (field === 'metadata.name') return 'storageClassName';
  if (!field.startsWith('spec.')) return undefined;
  return field.replace(/^spec\./, '').replace(/^dataImportCronSourceFormat\b/, 'importFormat');
}
