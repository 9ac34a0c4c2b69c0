import { type ApiObject, type ApiObjectMetadata, Lazy, type Size } from 'cdk8s';
import type { Construct } from 'constructs';
import type { DataImportCronSpec, DataVolume as DataVolumeManifest } from '../../api/generated/cdi-v1beta1';
import { defined } from '../defined';
import { DataImportCronObject } from '../generated/cdi-v1beta1';
import type { IDataSource } from '../references';
import { INamedObject, Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { mistakeInCode, validateOnSynth } from '../validation';
import type { GarbageCollection, RetentionPolicy } from './claim-choices';
import type { DataVolumeOptions } from './claim-options';
import type { DataVolumeSource } from './data-volume-source';
import { ImageDefaults, withImageDefaults } from './image-defaults';
import { propertyOfDataVolume } from './locate';
import { namespaceHere, nameOf, namespaceOf, serviceAccountOf } from './reference';
import { renderDataVolumeSpec } from './render';

/**
 * Properties of a DataImportCron. The storage options apply to each import. The default instance type and preference
 * become labels of the cron, which CDI copies to the managed DataSource. For a DataSource that the app declares, set
 * them there.
 */
export interface DataImportCronProps extends ResourceProps, DataVolumeOptions, ImageDefaults {
  /** Source of the imports: a container image, an image stream, or a claim. */
  readonly source: DataVolumeSource;
  /** Size of each import, at least 1 MiB. */
  readonly size: Size;
  /**
   * Schedule on which the cron looks for a new image, in cron notation: minute, hour, day, month, weekday, such as `30
   * 2 * * *`; or `@daily` and the like.
   * @default - none, as for image streams, which announce new images
   */
  readonly schedule?: string;
  /**
   * DataSource that points at the newest import. CDI creates it if it does not exist. Its name has at most 63
   * characters.
   * @default - a DataSource with the name of the cron
   */
  readonly managedDataSource?: IDataSource;
  /**
   * Number of imports to keep.
   * @default 3
   */
  readonly importsToKeep?: number;
  /**
   * Policy for deleting old imports.
   * @default GarbageCollection.OUTDATED
   */
  readonly garbageCollect?: GarbageCollection;
  /**
   * Policy for the DataSource and the imports when the cron is deleted.
   * @default RetentionPolicy.ALL
   */
  readonly retentionPolicy?: RetentionPolicy;
  /**
   * ServiceAccount that creates the imports.
   * @default - the ServiceAccount of the controller
   */
  readonly creator?: INamedObject;
  /**
   * Labels and annotations of each import.
   * @default - none
   */
  readonly importMetadata?: ApiObjectMetadata;
}

/**
 * Imports an image again whenever its source has a new version, and points a DataSource at the newest import
 * (`cdi.kubevirt.io` DataImportCron). `Disk.dataSource(cron.managedDataSource)` creates a disk from it.
 *
 * The spec cannot be changed after creation: use a new cron for another image.
 *
 * @example
 * const cron = new DataImportCron(chart, 'fedora', {
 *   source: DataVolumeSource.registry('quay.io/containerdisks/fedora:42'),
 *   size: Size.gibibytes(10),
 *   schedule: '30 2 * * 1',
 * });
 * new VirtualMachine(chart, 'web', {
 *   memory: Size.gibibytes(2),
 *   disks: [Disk.dataSource(cron.managedDataSource, { size: Size.gibibytes(20) })],
 * });
 */
export class DataImportCron extends Resource {
  public readonly apiObject: ApiObject;
  /** DataSource that points at the newest import. */
  public readonly managedDataSource: IDataSource;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props source, size and schedule of the imports
   */
  constructor(scope: Construct, id: string, props: DataImportCronProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { managedDataSource } = props;
    const metadata = withImageDefaults(this.node.path, props.metadata, props);
    const named =
      managedDataSource &&
      nameOf('DataImportCron', managedDataSource, ['DataSource'], 'pass a DataSource, or leave managedDataSource out');
    const namespace = namespaceHere(this, metadata);
    const elsewhere = namespaceOf(managedDataSource);
    if (elsewhere !== undefined && namespace !== undefined && elsewhere !== namespace) {
      const cause = `"${named}" is in the namespace "${elsewhere}", and the cron creates it in "${namespace}"`;
      const remedy = 'put both into the same namespace';
      mistakeInCode(this.node.path, 'managedDataSource', cause, remedy, 'reference-namespace');
    }
    const spec = (): DataImportCronSpec => renderCron(props, named ?? this.name, namespace);
    // rendered lazily: the name of the cron is known only once the object exists
    this.apiObject = new DataImportCronObject(this, 'Resource', { metadata, spec: Lazy.any({ produce: spec }) });
    this.managedDataSource = new ManagedDataSource(named ?? this.name, namespace ?? elsewhere);
    validateOnSynth(this, { body: () => ({ spec: spec() }), locate });
  }
}

/** DataSource of a cron, in the cron's namespace, so that references from other namespaces include the namespace. */
class ManagedDataSource implements IDataSource {
  public readonly kind = 'DataSource';
  public readonly metadata: { readonly namespace?: string };

  public constructor(
    public readonly name: string,
    namespace: string | undefined,
  ) {
    this.metadata = defined({ namespace });
  }
}

/** Renders the spec of the cron. Pure. */
function renderCron(
  props: DataImportCronProps,
  managedDataSource: string,
  namespace: string | undefined,
): DataImportCronSpec {
  const { source, size, schedule = '', importsToKeep, garbageCollect, retentionPolicy, creator } = props;
  const { importMetadata } = props;
  const template = {
    ...(importMetadata ? { metadata: { ...importMetadata } } : {}),
    spec: renderDataVolumeSpec(source, size, props, namespace),
  };
  return defined({
    schedule,
    managedDataSource,
    template: template as DataVolumeManifest,
    importsToKeep,
    garbageCollect: garbageCollect?.value as DataImportCronSpec['garbageCollect'],
    retentionPolicy: retentionPolicy?.value as DataImportCronSpec['retentionPolicy'],
    serviceAccountName: creator && serviceAccountOf('DataImportCron: creator', creator),
  });
}

function locate(field: string): string | undefined {
  const template = /^spec\.template\.spec\.(.*)$/.exec(field)?.[1];
  if (template !== undefined) return propertyOfDataVolume(template);
  if (/^spec\.template\.metadata\b/.test(field)) return field.replace('spec.template.metadata', 'importMetadata');
  if (/^spec\.serviceAccountName\b/.test(field)) return 'creator';
  return /^spec\.(?:schedule|managedDataSource|importsToKeep|garbageCollect|retentionPolicy)\b/.test(field)
    ? field.replace(/^spec\./, '')
    : undefined;
}
