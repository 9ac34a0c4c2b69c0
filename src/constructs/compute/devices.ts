import type { Devices } from '../../api/generated/kubevirt-v1';
import { defined, listed } from '../defined';
import type { InputDevice, PanicModel, SoundModel, Tpm, VideoModel, Watchdog } from './device-choices';
import type { Gpu, HostDevice } from './host-devices';
import type { VmResourceClaim } from './resource-claim';

/** Devices of a guest besides disks and networks. */
export interface DeviceOptions {
  /**
   * GPUs of the node to assign to the guest.
   * @default - none
   */
  readonly gpus?: Gpu[];
  /**
   * Other devices of the node to assign to the guest.
   * @default - none
   */
  readonly hostDevices?: HostDevice[];
  /**
   * Input devices, such as tablets.
   * @default - none
   */
  readonly inputs?: InputDevice[];
  /**
   * Devices through which the guest's kernel reports a crash.
   * @default - none
   */
  readonly panicDevices?: PanicModel[];
  /**
   * Whether the guest has a random number generator that is fed by the host.
   * @default false
   */
  readonly rng?: boolean;
  /**
   * Watchdog, which acts when the guest stops responding.
   * @default - none
   */
  readonly watchdog?: Watchdog;
  /**
   * TPM 2.0.
   * @default - none
   */
  readonly tpm?: Tpm;
  /**
   * Sound card.
   * @default - none
   */
  readonly sound?: SoundModel;
  /**
   * Video device.
   * @default - depends on architecture and firmware
   */
  readonly video?: VideoModel;
  /**
   * Whether the guest has a graphics card and can be reached by VNC.
   * @default true
   */
  readonly graphics?: boolean;
  /**
   * Whether the guest has a serial port, for `virt8s console`.
   * @default true
   */
  readonly serialConsole?: boolean;
  /**
   * Whether output of the serial port is written to a log of the Pod.
   * @default true
   */
  readonly logSerialConsole?: boolean;
  /**
   * Whether the guest has a memory balloon, for statistics.
   * @default true
   */
  readonly memBalloon?: boolean;
  /**
   * Whether the guest has a tablet. A preference can set its bus and type.
   * @default false
   */
  readonly inputDevice?: boolean;
  /**
   * Whether the guest is attached to the Pod network if `networks` is an empty list.
   * @default false
   */
  readonly podInterface?: boolean;
  /**
   * Whether the guest has a VSOCK device, for communication with processes of the host. Requires the feature gate
   * VSOCK.
   * @default false
   */
  readonly vsock?: boolean;
  /**
   * Whether USB devices of a user who is connected to the screen can be redirected to the guest.
   * @default false
   */
  readonly clientPassthrough?: boolean;
  /**
   * Whether the guest can read metrics of the host on a virtio port. Requires the feature gate DownwardMetrics.
   * @default false
   */
  readonly downwardMetrics?: boolean;
  /**
   * Whether virtio disks have a queue for each vCPU.
   * @default false
   */
  readonly blockMultiQueue?: boolean;
  /**
   * Whether virtio interfaces have a queue for each vCPU.
   * @default false
   */
  readonly networkMultiQueue?: boolean;
  /**
   * Whether the controller for disks that are plugged in later is left out.
   * @default false
   */
  readonly disableHotplug?: boolean;
  /**
   * Whether virtio devices support guests that know only virtio 0.9.
   * @default false
   */
  readonly virtioTransitional?: boolean;
}

/** Devices of a guest besides disks and networks, and the methods that add them. */
export class VmDevices {
  private readonly ownGpus: Gpu[];
  private readonly ownHostDevices: HostDevice[];
  private readonly ownInputs: InputDevice[];
  private readonly ownPanicDevices: PanicModel[];

  /** @internal */
  public static _of(options: DeviceOptions, changed: () => void): VmDevices {
    return new VmDevices(options, changed);
  }

  private constructor(
    private readonly options: DeviceOptions,
    private readonly changed: () => void,
  ) {
    this.ownGpus = [...(options.gpus ?? [])];
    this.ownHostDevices = [...(options.hostDevices ?? [])];
    this.ownInputs = [...(options.inputs ?? [])];
    this.ownPanicDevices = [...(options.panicDevices ?? [])];
  }

  /** GPUs of the node that are assigned to the guest (a copy). */
  public get gpus(): Gpu[] {
    return [...this.ownGpus];
  }

  /** Other devices of the node that are assigned to the guest (a copy). */
  public get hostDevices(): HostDevice[] {
    return [...this.ownHostDevices];
  }

  /** TPM. Undefined if the properties set none. */
  public get tpm(): Tpm | undefined {
    return this.options.tpm;
  }

  /** Watchdog. Undefined if the properties set none. */
  public get watchdog(): Watchdog | undefined {
    return this.options.watchdog;
  }

  /** Video device. Undefined if the platform chooses one. */
  public get video(): VideoModel | undefined {
    return this.options.video;
  }

  /**
   * Assigns a GPU of the node to the guest.
   *
   * @param gpu GPU to assign
   */
  public addGpu(gpu: Gpu): void {
    this.ownGpus.push(gpu);
    this.changed();
  }

  /**
   * Assigns another device of the node to the guest.
   *
   * @param device device to assign
   */
  public addHostDevice(device: HostDevice): void {
    this.ownHostDevices.push(device);
    this.changed();
  }

  /**
   * Adds an input device.
   *
   * @param input input device to add
   */
  public addInput(input: InputDevice): void {
    this.ownInputs.push(input);
    this.changed();
  }

  /**
   * Adds a device through which the guest's kernel reports a crash.
   *
   * @param model model of the panic device
   */
  public addPanicDevice(model: PanicModel): void {
    this.ownPanicDevices.push(model);
    this.changed();
  }

  /** Resource claims that the devices come from. @internal */
  public _claims(): VmResourceClaim[] {
    return [...this.ownGpus, ...this.ownHostDevices].flatMap(({ _claim }) => _claim ?? []);
  }

  /** @internal */
  public _render(): Devices {
    const o = this.options;
    return defined({
      autoattachGraphicsDevice: o.graphics,
      autoattachInputDevice: o.inputDevice,
      autoattachMemBalloon: o.memBalloon,
      autoattachPodInterface: o.podInterface,
      autoattachSerialConsole: o.serialConsole,
      autoattachVSOCK: o.vsock,
      blockMultiQueue: o.blockMultiQueue,
      clientPassthrough: o.clientPassthrough ? {} : undefined,
      disableHotplug: o.disableHotplug,
      downwardMetrics: o.downwardMetrics ? {} : undefined,
      gpus: listed(this.ownGpus.map((gpu, i) => gpu._render(i))),
      hostDevices: listed(this.ownHostDevices.map((device, i) => device._render(i))),
      inputs: listed(this.ownInputs.map((input, i) => input._render(i))),
      logSerialConsole: o.logSerialConsole,
      networkInterfaceMultiqueue: o.networkMultiQueue,
      panicDevices: listed(this.ownPanicDevices.map(({ value }) => ({ model: value as 'isa' }))),
      rng: o.rng ? {} : undefined,
      sound: o.sound?._render(),
      tpm: o.tpm?._render(),
      useVirtioTransitional: o.virtioTransitional,
      video: o.video && { type: o.video.value as 'virtio' },
      watchdog: o.watchdog?._render(),
    });
  }
}
