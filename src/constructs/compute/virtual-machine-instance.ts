import { ApiObject, ApiObjectMetadataDefinition, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { VirtualMachineInstanceObject } from '../generated/kubevirt-v1';
import type { IVirtualMachineInstance } from '../references';
import { Guest } from './guest';
import { GuestProps } from './guest-props';

/**
 * Guest that runs once (`kubevirt.io/v1` VirtualMachineInstance). It starts when it is applied and is not restarted
 * when it ends. For a guest that can be restarted, use `VirtualMachine`.
 *
 * @example
 * new VirtualMachineInstance(chart, 'job', {
 *   memory: Size.gibibytes(1),
 *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
 * });
 */
export class VirtualMachineInstance extends Guest implements IVirtualMachineInstance {
  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props disks, networks and everything else of the guest
   */
  constructor(scope: Construct, id: string, props: GuestProps = {}) {
    super(scope, id, props);
    const { metadata, instanceMetadata } = props;
    const labels = { ...metadata?.labels, ...instanceMetadata?.labels };
    const annotations = { ...metadata?.annotations, ...instanceMetadata?.annotations };
    this.apiObject = new VirtualMachineInstanceObject(this, 'Resource', {
      metadata: { ...instanceMetadata, ...metadata, labels, annotations: { ...this._checksums(), ...annotations } },
      spec: Lazy.any({ produce: () => this._instanceSpec() }),
    });
    this._validateOnSynth({
      prefix: 'spec',
      body: () => ({ spec: this._instanceSpec() }),
      locate: (field) => (field.startsWith('metadata') ? 'instanceMetadata' : undefined),
    });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineInstance' {
    return 'VirtualMachineInstance';
  }

  /** Labels and annotations of the instance, which are those of the object itself. */
  public get instanceMetadata(): ApiObjectMetadataDefinition {
    return this.metadata;
  }
}
