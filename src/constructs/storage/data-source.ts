import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { DataSourceSource } from '../../api/generated/cdi-v1beta1';
import { defined } from '../defined';
import { DataSourceObject } from '../generated/cdi-v1beta1';
import type { IDataSource } from '../references';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import { ImageDefaults, withImageDefaults } from './image-defaults';
import { CLAIMS, namespaceHere, namespaceOf, nameOf } from './reference';
import type { CloneOptions } from './source-options';

/** Where an image is that DataVolumes start from. An object that tells another kind is refused. */
export class ImageLocation {
  /**
   * In a claim, or in the claim of a DataVolume.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that makes it
   * @param options namespace, where it is another one
   * @example
   * new DataSource(chart, 'golden', {
   *   image: ImageLocation.claim({ name: 'fedora-42' }, { namespace: 'images' }),
   * });
   */
  public static claim(claim: INamedObject, options: CloneOptions = {}): ImageLocation {
    return ImageLocation.at('pvc', nameOf('ImageLocation.claim', claim, CLAIMS, REMEDY), claim, options);
  }

  /**
   * In a VolumeSnapshot.
   *
   * @param snapshot VolumeSnapshot
   * @param options namespace, where it is another one
   * @example
   * new DataSource(chart, 'golden', {
   *   image: ImageLocation.snapshot({ name: 'fedora-42' }, { namespace: 'images' }),
   * });
   */
  public static snapshot(snapshot: INamedObject, options: CloneOptions = {}): ImageLocation {
    const name = nameOf('ImageLocation.snapshot', snapshot, ['VolumeSnapshot'], REMEDY);
    return ImageLocation.at('snapshot', name, snapshot, options);
  }

  /**
   * Where another DataSource says, which must itself name a claim or a snapshot.
   *
   * @param dataSource DataSource
   * @param options namespace, where it is another one
   * @example
   * new DataSource(chart, 'golden', {
   *   image: ImageLocation.dataSource({ name: 'fedora' }, { namespace: 'images' }),
   * });
   */
  public static dataSource(dataSource: IDataSource, options: CloneOptions = {}): ImageLocation {
    const name = nameOf('ImageLocation.dataSource', dataSource, ['DataSource'], REMEDY);
    return ImageLocation.at('dataSource', name, dataSource, options);
  }

  private static at(
    kind: 'pvc' | 'snapshot' | 'dataSource',
    name: string,
    object: INamedObject,
    { namespace }: CloneOptions,
  ): ImageLocation {
    const known = namespace ?? namespaceOf(object);
    return new ImageLocation((own) => ({ [kind]: defined({ name, namespace: known ?? own }) }));
  }

  private constructor(private readonly location: (namespace: string | undefined) => DataSourceSource) {}

  /** @internal */
  public _render(namespace: string | undefined): DataSourceSource {
    return this.location(namespace);
  }
}

const REMEDY = 'each kind of object has its own factory: claim, snapshot, dataSource';

/** What a DataSource takes. */
export interface DataSourceProps extends ResourceProps, ImageDefaults {
  /**
   * Where the image is.
   * @default - nowhere yet: a DataImportCron fills it in
   */
  readonly image?: ImageLocation;
}

/**
 * A name for the image that DataVolumes start from (`cdi.kubevirt.io` DataSource); what it points at may change.
 * One that a {@link DataImportCron} keeps needs no object of its own.
 *
 * @example
 * const golden = new DataSource(chart, 'golden', {
 *   image: ImageLocation.claim({ name: 'fedora-42' }, { namespace: 'images' }),
 *   defaultInstancetype: { name: 'u1.medium' },
 * });
 * new VirtualMachine(chart, 'web', {
 *   disks: [Disk.dataSource(golden, { name: 'root', size: Size.gibibytes(20) })],
 *   inferInstancetype: { volume: 'root' },
 * });
 */
export class DataSource extends Resource implements IDataSource {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props place of the image, and what suits it
   */
  constructor(scope: Construct, id: string, props: DataSourceProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { image } = props;
    const metadata = withImageDefaults(this.node.path, props.metadata, props);
    const spec = { source: image?._render(namespaceHere(this, metadata)) ?? {} };
    this.apiObject = new DataSourceObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'DataSource' {
    return 'DataSource';
  }
}

const locate = (field: string): string | undefined =>
  /^spec\.source\b/.test(field) ? field.replace(/^spec\.source(\.\w+)?/, 'image') : undefined;
