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

/** What a DataVolume takes. */
export interface DataVolumeProps extends ResourceProps, DataVolumeOptions, ImageDefaults {
  /** What it is filled with. */
  readonly source: DataVolumeSource;
  /**
   * Size that the guest sees; at least 1 MiB. The claim is made larger by what a file system takes.
   * @default - size of what is copied; everything else needs one
   */
  readonly size?: Size;
}

/**
 * A claim, and what it is filled with (`cdi.kubevirt.io` DataVolume). The claim has its name: it can be given wherever
 * a claim is taken, such as in `Disk.cloneOf(dataVolume)`.
 *
 * What a single VM has for itself needs none: `Disk.http(…)` and the like make it together with the VM.
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
  /** Size that the guest sees; undefined: that of the source. */
  public readonly size?: Size;

  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
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
