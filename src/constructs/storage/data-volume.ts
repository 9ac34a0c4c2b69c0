import type { ApiObject, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import { DataVolumeObject } from '../generated/cdi-v1beta1';
import type { IDataVolume } from '../references';
import { Resource, ResourceProps } from '../resource';
import { checkProps } from '../signatures';
import { validateOnSynth } from '../validation';
import type { DataVolumeOptions } from './claim-options';
import type { DataVolumeSource } from './data-volume-source';
import { ImageDefaults, withImageDefaults } from './image-defaults';
import { propertyOfDataVolume } from './locate';
import { namespaceHere } from './reference';
import { renderDataVolumeSpec } from './render';

/** Properties of a DataVolume. */
export interface DataVolumeProps extends ResourceProps, DataVolumeOptions, ImageDefaults {
  /** Source of the data in the claim. */
  readonly source: DataVolumeSource;
  /**
   * Size that the guest sees, at least 1 MiB. The claim is larger by the overhead of a file system.
   * @default - size of the source, if a claim or snapshot is copied; otherwise required
   */
  readonly size?: Size;
}

/**
 * Claim and the source of its data (`cdi.kubevirt.io` DataVolume). The claim has the name of the DataVolume, which can
 * be passed wherever a claim is accepted, such as in `Disk.cloneOf(dataVolume)`.
 *
 * A disk that belongs to a single VM needs no DataVolume construct: `Disk.http(…)` and similar factories create the
 * DataVolume together with the VM.
 *
 * @example
 * const data = new DataVolume(chart, 'data', {
 *   source: DataVolumeSource.blank(),
 *   size: Size.gibibytes(100),
 * });
 * new VirtualMachine(chart, 'db', {
 *   memory: Size.gibibytes(8),
 *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42'), Disk.dataVolume(data)],
 * });
 */
export class DataVolume extends Resource implements IDataVolume {
  public readonly apiObject: ApiObject;
  /** Size that the guest sees. Undefined if it is the size of the source. */
  public readonly size?: Size;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props source and size of the claim
   */
  constructor(scope: Construct, id: string, props: DataVolumeProps) {
    super(scope, id);
    checkProps(this, new.target, props);
    const { source, size, ...options } = props;
    const metadata = withImageDefaults(this.node.path, props.metadata, props);
    this.size = size;
    const spec = renderDataVolumeSpec(source, size, options, namespaceHere(this, metadata));
    this.apiObject = new DataVolumeObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'DataVolume' {
    return 'DataVolume';
  }
}

const locate = (field: string): string | undefined => propertyOfDataVolume(field.replace(/^spec\./, ''));
