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

/** Access modes and volume mode that go together. */
export interface ClaimPropertySet {
  /** Access modes; the first set of a profile is what claims get that ask for nothing. */
  readonly accessModes: AccessMode[];
  /** Volume mode. */
  readonly volumeMode: VolumeMode;
}

/** What a StorageProfile takes. */
export interface StorageProfileProps {
  /** The StorageClass that it is about: the profile has its name. */
  readonly storageClassName: string;
  /**
   * Access modes and volume modes that work, best first.
   * @default - what the platform knows of the class's provisioner
   */
  readonly claimPropertySets?: ClaimPropertySet[];
  /**
   * How clones are made.
   * @default - as the storage does it best
   */
  readonly cloneStrategy?: CloneStrategy;
  /**
   * What DataImportCrons keep images as.
   * @default - as the storage does it best
   */
  readonly importFormat?: ImportFormat;
  /**
   * VolumeSnapshotClass of clones.
   * @default - one of the same provisioner
   */
  readonly snapshotClass?: INamedObject;
}

/**
 * What you know better about a StorageClass than the platform (`cdi.kubevirt.io` StorageProfile). The platform makes
 * one for each class; this is merged over it. It belongs to the cluster, not to a namespace.
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
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props StorageClass, and what is known of its claims
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

/** Pure. */
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
