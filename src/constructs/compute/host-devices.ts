import type { GPU, HostDevice as HostDeviceSpec, VGPUOptions } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { VmResourceClaim } from './resource-claim';

/** Options of a device of the node. */
export interface HostDeviceOptions {
  /**
   * Name of the device within the VM.
   * @default - `device0`, `device1`, … by position; `gpu0`, … for GPUs
   */
  readonly name?: string;
  /**
   * Tag that cloud-init's metadata lists with the address of the device, so that the guest can identify it.
   * @default - none
   */
  readonly tag?: string;
}

/** Display options of a virtual GPU. */
export interface VirtualGpuDisplay {
  /**
   * Whether the virtual GPU has a display.
   * @default true
   */
  readonly display?: boolean;
  /**
   * Whether the display shows a picture before the guest's driver is loaded.
   * @default true
   */
  readonly ramFb?: boolean;
}

/** Options of a GPU. */
export interface GpuOptions extends HostDeviceOptions {
  /**
   * Display options of a virtual GPU.
   * @default - the hypervisor's choice
   */
  readonly virtualGpu?: VirtualGpuDisplay;
}

/** Resource or claim that provides a device. */
type Source = Pick<HostDeviceSpec, 'deviceName' | 'claimName' | 'requestName'>;

/**
 * Device of the node that is assigned to the guest: PCI, mediated or USB. A guest with such a device cannot migrate.
 */
export class HostDevice {
  /**
   * Assigns a device of a resource that the nodes offer, such as `intel.com/qat`. The platform must permit the resource
   * (`permittedHostDevices`).
   *
   * @param resourceName resource of the device plugin, such as `nvidia.com/T4`
   * @param options name and tag of the device
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { hostDevices: [HostDevice.device('vendor.example/nvme')] },
   * });
   */
  public static device(resourceName: string, options: HostDeviceOptions = {}): HostDevice {
    return new HostDevice({ deviceName: resourceName }, options);
  }

  /**
   * Assigns a device that a resource claim allocates. The claim is added to the VM.
   *
   * @param claim claim that allocates the device
   * @param request name of the request in the claim
   * @param options name and tag of the device
   * @example
   * const claim = VmResourceClaim.fromClaim({ name: 'nvme' });
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { hostDevices: [HostDevice.fromClaim(claim, 'disk')] },
   * });
   */
  public static fromClaim(claim: VmResourceClaim, request: string, options: HostDeviceOptions = {}): HostDevice {
    return new HostDevice({ claimName: claim.name, requestName: request }, options, claim);
  }

  private constructor(
    private readonly source: Source,
    private readonly options: HostDeviceOptions,
    /** @internal */
    public readonly _claim?: VmResourceClaim,
  ) {}

  /** @internal */
  public _render(index: number): HostDeviceSpec {
    const { name = `device${index}`, tag } = this.options;
    return defined({ name, ...this.source, tag });
  }
}

/** GPU of the node, physical or virtual, that is assigned to the guest. */
export class Gpu {
  /**
   * Assigns a GPU of a resource that the nodes offer, such as `nvidia.com/GP102GL_Tesla_P40`.
   *
   * @param resourceName resource of the device plugin, such as `nvidia.com/T4`
   * @param options name, tag and display of the device
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { gpus: [Gpu.device('nvidia.com/TU104GL_Tesla_T4')] },
   * });
   */
  public static device(resourceName: string, options: GpuOptions = {}): Gpu {
    return new Gpu({ deviceName: resourceName }, options);
  }

  /**
   * Assigns a device that a resource claim allocates. The claim is added to the VM.
   *
   * @param claim claim that allocates the device
   * @param request name of the request in the claim
   * @param options name, tag and display of the device
   * @example
   * const claim = VmResourceClaim.fromTemplate({ name: 'one-gpu' });
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { gpus: [Gpu.fromClaim(claim, 'gpu')] },
   * });
   */
  public static fromClaim(claim: VmResourceClaim, request: string, options: GpuOptions = {}): Gpu {
    return new Gpu({ claimName: claim.name, requestName: request }, options, claim);
  }

  private constructor(
    private readonly source: Source,
    private readonly options: GpuOptions,
    /** @internal */
    public readonly _claim?: VmResourceClaim,
  ) {}

  /** @internal */
  public _render(index: number): GPU {
    const { name = `gpu${index}`, tag, virtualGpu } = this.options;
    return defined({ name, ...this.source, tag, virtualGPUOptions: renderVirtualGpu(virtualGpu) });
  }
}

/** Renders the display of a virtual GPU as the API writes it. */
export function renderVirtualGpu(options: VirtualGpuDisplay | undefined): VGPUOptions | undefined {
  if (!options) return undefined;
  const { display, ramFb } = options;
  return {
    display: defined({ enabled: display, ramFB: ramFb === undefined ? undefined : { enabled: ramFb } }),
  };
}
