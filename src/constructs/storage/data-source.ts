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

/** Location of an image that DataVolumes are created from. An object of another kind is rejected. */
export class ImageLocation {
  /**
   * Refers to an image in a claim, or in the claim of a DataVolume.
   *
   * @param claim PersistentVolumeClaim, or the DataVolume that creates it
   * @param options namespace of the image, if it differs from that of the DataSource
   * @example
   * new DataSource(chart, 'golden', {
   *   image: ImageLocation.claim({ name: 'fedora-42' }, { namespace: 'images' }),
   * });
   */
  public static claim(claim: INamedObject, options: CloneOptions = {}): ImageLocation {
    return ImageLocation.at('pvc', nameOf('ImageLocation.claim', claim, CLAIMS, REMEDY), claim, options);
  }

  /**
   * Refers to an image in a VolumeSnapshot.
   *
   * @param snapshot VolumeSnapshot
   * @param options namespace of the image, if it differs from that of the DataSource
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
   * Refers to the image of another DataSource, which must itself refer to a claim or a snapshot.
   *
   * @param dataSource DataSource
   * @param options namespace of the image, if it differs from that of the DataSource
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

const REMEDY = 'use the factory for this kind of object: ImageLocation.claim, snapshot or dataSource';

/** Properties of a DataSource. */
export interface DataSourceProps extends ResourceProps, ImageDefaults {
  /**
   * Location of the image.
   * @default - none: a DataImportCron sets it
   */
  readonly image?: ImageLocation;
}

/**
 * Named reference to an image that DataVolumes are created from (`cdi.kubevirt.io` DataSource). The image that it
 * refers to can change. A DataSource that a {@link DataImportCron} manages need not be declared.
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
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props location of the image, and its default instance type and preference
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
