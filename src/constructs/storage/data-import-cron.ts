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
 * What a DataImportCron takes. Storage options are those of each import. Default instance type and preference are labels
 * of the cron, which CDI copies to the managed DataSource; a DataSource that the app declares takes its own.
 */
export interface DataImportCronProps extends ResourceProps, DataVolumeOptions, ImageDefaults {
  /** What is imported: a container image, an image stream, or a claim. */
  readonly source: DataVolumeSource;
  /** Size of each import, at least 1 MiB. */
  readonly size: Size;
  /**
   * When to look for a new image, in cron's notation: minute, hour, day, month, weekday, as `30 2 * * *`; or `@daily`
   * and the like.
   * @default - never by the clock, as image streams want it: they tell of new images themselves
   */
  readonly schedule?: string;
  /**
   * The DataSource that points at the newest import; it is made where it is missing. At most 63 characters.
   * @default - one with the cron's own name
   */
  readonly managedDataSource?: IDataSource;
  /**
   * Imports that are kept.
   * @default 3
   */
  readonly importsToKeep?: number;
  /**
   * Whether old imports are deleted.
   * @default GarbageCollection.OUTDATED
   */
  readonly garbageCollect?: GarbageCollection;
  /**
   * What becomes of DataSource and imports when the cron goes.
   * @default RetentionPolicy.ALL
   */
  readonly retentionPolicy?: RetentionPolicy;
  /**
   * ServiceAccount that makes the imports.
   * @default - the controller itself
   */
  readonly creator?: INamedObject;
  /**
   * Labels and annotations of each import.
   * @default - none
   */
  readonly importMetadata?: ApiObjectMetadata;
}

/**
 * Imports an image again whenever its source has a new one, and points a DataSource at the newest
 * (`cdi.kubevirt.io` DataImportCron): `Disk.dataSource(cron.managedDataSource)` starts from it.
 *
 * The API server takes no change of its spec: another image is another cron.
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
  /** The DataSource that points at the newest import. */
  public readonly managedDataSource: IDataSource;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props source, size and schedule of the imports
   */
  constructor(scope: Construct, id: string, props: DataImportCronProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { managedDataSource } = props;
    const metadata = withImageDefaults(this.node.path, props.metadata, props);
    const named =
      managedDataSource &&
      nameOf('DataImportCron', managedDataSource, ['DataSource'], 'name a DataSource, or leave managedDataSource out');
    const namespace = namespaceHere(this, metadata);
    const elsewhere = namespaceOf(managedDataSource);
    if (elsewhere !== undefined && namespace !== undefined && elsewhere !== namespace) {
      const cause = `"${named}" is in the namespace "${elsewhere}", and the cron creates it in "${namespace}"`;
      const remedy = 'put both into the same namespace';
      mistakeInCode(this.node.path, 'managedDataSource', cause, remedy, 'reference-namespace');
    }
    const spec = (): DataImportCronSpec => renderCron(props, named ?? this.name, namespace);
    // the cron's own name is known once the object is there
    this.apiObject = new DataImportCronObject(this, 'Resource', { metadata, spec: Lazy.any({ produce: spec }) });
    this.managedDataSource = new ManagedDataSource(named ?? this.name, namespace ?? elsewhere);
    validateOnSynth(this, { body: () => ({ spec: spec() }), locate });
  }
}

/** The DataSource of a cron, in the cron's namespace: references from other namespaces name it. */
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

/** Pure. */
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
