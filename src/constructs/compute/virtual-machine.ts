import { ApiObject, ApiObjectMetadata, ApiObjectMetadataDefinition, Duration, Lazy, Size } from 'cdk8s';
import { Construct } from 'constructs';
import type { VirtualMachineInstanceSpec, VirtualMachineSpec } from '../../api/generated/kubevirt-v1';
import { CloudInit } from '../cloud-init/cloud-init';
import { VirtualMachineObject } from '../generated/kubevirt-v1';
import { VmNetwork } from '../network/vm-network';
import { ExposeViaServiceOptions, IServiceTarget, VmService } from '../network/vm-service';
import { Resource, ResourceProps } from '../resource';
import { Disk } from '../storage/disk';
import { judged } from '../validation';
import { Cpu } from './cpu';
import { VmFirmware } from './firmware';
import { propertyOf } from './property-of';
import { renderInstanceSpec } from './render';
import { VmScheduling } from './scheduling';
import { EvictionStrategy, RunStrategy, StartStrategy } from './strategies';

/** What a VM takes. */
export interface VirtualMachineProps extends ResourceProps {
  /**
   * CPU that the guest sees.
   * @default Cpu.cores(1)
   */
  readonly cpu?: Cpu;
  /**
   * Memory that the guest sees.
   * @default - what `requests` or `limits` say; one of them is needed
   */
  readonly memory?: Size;
  /**
   * CPU and memory that Kubernetes sets aside, as quantities: `{ cpu: '500m' }`.
   * @default - a tenth of each vCPU, and the memory with its overhead
   */
  readonly requests?: { readonly [resource: string]: string };
  /**
   * CPU and memory that the VM may never exceed, as quantities.
   * @default - none
   */
  readonly limits?: { readonly [resource: string]: string };
  /**
   * Disks, in the order in which the guest sees them.
   * @default - none
   */
  readonly disks?: Disk[];
  /**
   * What is configured in the guest at its first boot.
   * @default - nothing
   */
  readonly cloudInit?: CloudInit;
  /**
   * Networks that the guest is attached to. An empty list means none.
   * @default - the Pod network behind NAT: [VmNetwork.masquerade()]
   */
  readonly networks?: VmNetwork[];
  /**
   * When the VM runs, and whether it is started again.
   * @default RunStrategy.ALWAYS
   */
  readonly runStrategy?: RunStrategy;
  /**
   * In which state the guest starts.
   * @default - running
   */
  readonly startStrategy?: StartStrategy;
  /**
   * How long the guest may take to shut down before it is killed.
   * @default - 30 seconds
   */
  readonly terminationGracePeriod?: Duration;
  /**
   * What becomes of the guest when its node is drained.
   * @default - the platform's
   */
  readonly evictionStrategy?: EvictionStrategy;
  /**
   * Host name of the guest, a DNS label.
   * @default - name of the VM
   */
  readonly hostname?: string;
  /**
   * Labels and annotations of the running instance and its Pod.
   * @default - none
   */
  readonly instanceMetadata?: ApiObjectMetadata;
  /**
   * Fields of the instance's spec that no property reaches, as the API writes them; merged over everything else.
   * @default - none
   */
  readonly instanceSpec?: { readonly [field: string]: unknown };
}

/**
 * A virtual machine: what it is made of, and when it runs (`kubevirt.io/v1` VirtualMachine).
 *
 * Every rule of the admission webhook is checked here first. A mistake is an error that names the field, what is
 * allowed and what to do; all mistakes are told at once.
 */
export class VirtualMachine extends Resource implements IServiceTarget {
  public readonly apiObject: ApiObject;
  /** On which nodes the VM may run. */
  public readonly scheduling: VmScheduling;
  /** Firmware and machine. */
  public readonly firmware: VmFirmware;
  /** Labels and annotations of the running instance and its Pod. */
  public readonly instanceMetadata: ApiObjectMetadataDefinition;
  /** When the VM runs. */
  public readonly runStrategy: RunStrategy;

  private readonly props: VirtualMachineProps;
  private readonly ownDisks: Disk[];
  private readonly ownNetworks: VmNetwork[];
  private readonly cloudInitSecret?: ApiObject;
  private readonly changed: () => void;

  constructor(scope: Construct, id: string, props: VirtualMachineProps = {}) {
    super(scope, id);
    this.props = props;
    this.runStrategy = props.runStrategy ?? RunStrategy.ALWAYS;
    this.ownDisks = [...(props.disks ?? [])];
    this.ownNetworks = [...(props.networks ?? [VmNetwork.masquerade()])];
    this.scheduling = new VmScheduling();
    this.firmware = new VmFirmware();
    this.cloudInitSecret = this.makeCloudInitSecret();

    this.apiObject = new VirtualMachineObject(this, 'Resource', {
      metadata: props.metadata,
      spec: Lazy.any({ produce: () => this.renderSpec() }),
    });
    this.instanceMetadata = new ApiObjectMetadataDefinition({ ...props.instanceMetadata, apiObject: this.apiObject });
    this.changed = judged(this, {
      body: () => ({ spec: this.renderSpec() }),
      locate: (field) => propertyOf(field, this.ownDisks.length),
    });
    this.scheduling._changed = this.firmware._changed = this.changed;
  }

  /** Adds a disk behind the others. */
  public addDisk(disk: Disk): void {
    this.ownDisks.push(disk);
    this.changed();
  }

  /** Attaches the guest to a further network. */
  public addNetwork(network: VmNetwork): void {
    this.ownNetworks.push(network);
    this.changed();
  }

  /** Makes a Service that leads to this VM, wherever it runs. */
  public exposeViaService(id: string, options: ExposeViaServiceOptions): VmService {
    return new VmService(this, id, { ...options, target: this });
  }

  /** @internal */
  public _instanceSpec(): VirtualMachineInstanceSpec {
    return renderInstanceSpec({
      props: this.props,
      disks: this.ownDisks,
      networks: this.ownNetworks,
      cloudInitSecret: this.cloudInitSecret,
      scheduling: this.scheduling._render(),
      machine: this.firmware._render(),
    });
  }

  private renderSpec(): VirtualMachineSpec {
    const metadata = (this.instanceMetadata.toJson() ?? {}) as Record<string, unknown>;
    return {
      runStrategy: this.runStrategy.value as VirtualMachineSpec['runStrategy'],
      template: {
        ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
        spec: this._instanceSpec(),
      },
    };
  }

  private makeCloudInitSecret(): ApiObject | undefined {
    const stringData = this.props.cloudInit?._secretData();
    if (!stringData) return undefined;
    return new ApiObject(this, 'CloudInit', { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', stringData });
  }
}
