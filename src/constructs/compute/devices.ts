import type { Devices } from '../../api/generated/kubevirt-v1';
import { defined, listed } from '../defined';
import type { InputDevice, PanicModel, SoundModel, Tpm, VideoModel, Watchdog } from './device-choices';
import type { Gpu, HostDevice } from './host-devices';
import type { VmResourceClaim } from './resource-claim';

/** What is plugged into the machine, besides disks and networks. */
export interface DeviceOptions {
  /**
   * GPUs of the node that are given to the guest.
   * @default - none
   */
  readonly gpus?: Gpu[];
  /**
   * Other devices of the node that are given to the guest.
   * @default - none
   */
  readonly hostDevices?: HostDevice[];
  /**
   * Tablets.
   * @default - none
   */
  readonly inputs?: InputDevice[];
  /**
   * Devices by which the guest's kernel reports a crash.
   * @default - none
   */
  readonly panicDevices?: PanicModel[];
  /**
   * Randomness from the host.
   * @default false
   */
  readonly rng?: boolean;
  /**
   * Acts when the guest stops answering.
   * @default - none
   */
  readonly watchdog?: Watchdog;
  /**
   * A TPM 2.0.
   * @default - none
   */
  readonly tpm?: Tpm;
  /**
   * A sound card.
   * @default - none
   */
  readonly sound?: SoundModel;
  /**
   * The video device.
   * @default - depends on architecture and firmware
   */
  readonly video?: VideoModel;
  /**
   * A graphics card and VNC.
   * @default true
   */
  readonly graphics?: boolean;
  /**
   * A serial port, for `virt8s console`.
   * @default true
   */
  readonly serialConsole?: boolean;
  /**
   * What comes out of the serial port goes to a log of the Pod.
   * @default true
   */
  readonly logSerialConsole?: boolean;
  /**
   * A memory balloon, for statistics.
   * @default true
   */
  readonly memBalloon?: boolean;
  /**
   * A tablet, whose bus and type a preference may choose.
   * @default false
   */
  readonly inputDevice?: boolean;
  /**
   * The Pod network when `networks` is an empty list.
   * @default false
   */
  readonly podInterface?: boolean;
  /**
   * A VSOCK device, by which processes of the host and the guest talk. Gate VSOCK.
   * @default false
   */
  readonly vsock?: boolean;
  /**
   * USB devices of whoever looks at the screen can be redirected.
   * @default false
   */
  readonly clientPassthrough?: boolean;
  /**
   * A port on which the guest reads metrics of the host. Gate DownwardMetrics.
   * @default false
   */
  readonly downwardMetrics?: boolean;
  /**
   * A queue for each vCPU on virtio disks.
   * @default false
   */
  readonly blockMultiQueue?: boolean;
  /**
   * A queue for each vCPU on virtio interfaces.
   * @default false
   */
  readonly networkMultiQueue?: boolean;
  /**
   * No controller for disks that are plugged later.
   * @default false
   */
  readonly disableHotplug?: boolean;
  /**
   * Virtio devices for guests that know only version 0.9.
   * @default false
   */
  readonly virtioTransitional?: boolean;
}

/** Facet of a guest: what is plugged into the machine, besides disks and networks. */
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

  /** GPUs of the node that are given to the guest. A copy. */
  public get gpus(): Gpu[] {
    return [...this.ownGpus];
  }

  /** Other devices of the node that are given to the guest. A copy. */
  public get hostDevices(): HostDevice[] {
    return [...this.ownHostDevices];
  }

  /** The TPM; none unless one was asked for. */
  public get tpm(): Tpm | undefined {
    return this.options.tpm;
  }

  /** The watchdog; none unless one was asked for. */
  public get watchdog(): Watchdog | undefined {
    return this.options.watchdog;
  }

  /** The video device; the platform's unless one was asked for. */
  public get video(): VideoModel | undefined {
    return this.options.video;
  }

  /**
   * Gives the guest a GPU.
   *
   * @param gpu GPU to plug in
   */
  public addGpu(gpu: Gpu): void {
    this.ownGpus.push(gpu);
    this.changed();
  }

  /**
   * Gives the guest another device of the node.
   *
   * @param device device to plug in
   */
  public addHostDevice(device: HostDevice): void {
    this.ownHostDevices.push(device);
    this.changed();
  }

  /**
   * Adds an input device.
   *
   * @param input input device to plug in
   */
  public addInput(input: InputDevice): void {
    this.ownInputs.push(input);
    this.changed();
  }

  /**
   * Adds a device by which the guest's kernel reports a crash.
   *
   * @param model model of the panic device
   */
  public addPanicDevice(model: PanicModel): void {
    this.ownPanicDevices.push(model);
    this.changed();
  }

  /** Claims that its devices come from. @internal */
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
