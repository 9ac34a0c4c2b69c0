import type { Input, SoundDevice, TPMDevice, Watchdog as WatchdogSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';

/** Model of a video device. */
export class VideoModel extends Choice {
  /** Paravirtual device; needs a virtio driver in the guest. */
  public static readonly VIRTIO = VideoModel.of('virtio');
  /** Standard VGA, the default with BIOS on amd64. */
  public static readonly VGA = VideoModel.of('vga');
  /** VGA without legacy registers, the default with UEFI on amd64. */
  public static readonly BOCHS = VideoModel.of('bochs');
  /** Frame buffer in memory, for a guest whose display is drawn by a GPU. */
  public static readonly RAMFB = VideoModel.of('ramfb');
  /** Cirrus Logic, for very old guests. */
  public static readonly CIRRUS = VideoModel.of('cirrus');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): VideoModel {
    return new VideoModel(value);
  }
}

/** Model of a sound card. */
export class SoundModel extends Choice {
  /** Intel HD Audio. */
  public static readonly ICH9 = SoundModel.of('ich9');
  /** AC'97, for old guests. */
  public static readonly AC97 = SoundModel.of('ac97');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): SoundModel {
    return new SoundModel(value);
  }

  /** @internal */
  public _render(): SoundDevice {
    return { name: 'sound', model: this.value as SoundDevice['model'] };
  }
}

/** Model of a device through which the guest's kernel reports a crash. */
export class PanicModel extends Choice {
  /** ISA device, on amd64. */
  public static readonly ISA = PanicModel.of('isa');
  /** Hyper-V crash registers, for Windows. */
  public static readonly HYPERV = PanicModel.of('hyperv');
  /** PCI device. */
  public static readonly PVPANIC = PanicModel.of('pvpanic');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): PanicModel {
    return new PanicModel(value);
  }
}

/** Bus of an input device. */
export class InputBus extends Choice {
  /** Bus that every guest supports. */
  public static readonly USB = InputBus.of('usb');
  /** Fast bus; needs a virtio driver in the guest. */
  public static readonly VIRTIO = InputBus.of('virtio');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): InputBus {
    return new InputBus(value);
  }
}

/** Type of an input device. */
export class InputType extends Choice {
  /** Tablet: reports absolute positions, so that the pointer follows the user's. */
  public static readonly TABLET = InputType.of('tablet');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): InputType {
    return new InputType(value);
  }
}

/** Options of an input device. */
export interface InputDeviceOptions {
  /**
   * Name of the device within the VM.
   * @default - `input0`, `input1`, … by position
   */
  readonly name?: string;
  /**
   * Bus of the device.
   * @default InputBus.USB
   */
  readonly bus?: InputBus;
}

/** Input device of a guest. */
export class InputDevice {
  /**
   * Tablet: reports absolute positions, so that the pointer follows the user's.
   *
   * @param options name and bus of the device
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { inputs: [InputDevice.tablet({ name: 'tablet' })] },
   * });
   */
  public static tablet(options: InputDeviceOptions = {}): InputDevice {
    return InputDevice.of(InputType.TABLET, options);
  }

  /**
   * Creates an input device of any type.
   *
   * @param type type of the device
   * @param options name and bus of the device
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { inputs: [InputDevice.of(InputType.TABLET, { name: 'tablet' })] },
   * });
   */
  public static of(type: InputType, options: InputDeviceOptions = {}): InputDevice {
    return new InputDevice(type, options);
  }

  private constructor(
    private readonly type: InputType,
    private readonly options: InputDeviceOptions,
  ) {}

  /** @internal */
  public _render(index: number): Input {
    const { name = `input${index}`, bus } = this.options;
    return defined({ name, type: this.type.value as Input['type'], bus: bus?.value as Input['bus'] });
  }
}

/** Emulated TPM 2.0. */
export class Tpm {
  /** TPM whose state is lost at each start. */
  public static readonly EMULATED = new Tpm({});
  /** TPM whose state survives restarts, on storage of the platform. BitLocker requires this. */
  public static readonly PERSISTENT = new Tpm({ persistent: true });
  /** No TPM, even if a preference has one. */
  public static readonly NONE = new Tpm({ enabled: false });

  private constructor(private readonly spec: TPMDevice) {}

  /** @internal */
  public _render(): TPMDevice {
    return this.spec;
  }
}

/** Action of a watchdog when the guest stops responding. */
export class WatchdogAction extends Choice {
  /** Restarts the guest. */
  public static readonly RESET = WatchdogAction.of('reset');
  /** Powers the guest off. */
  public static readonly POWEROFF = WatchdogAction.of('poweroff');
  /** Asks the guest to shut down. */
  public static readonly SHUTDOWN = WatchdogAction.of('shutdown');

  /**
   * Uses a value of the platform that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): WatchdogAction {
    return new WatchdogAction(value);
  }
}

/** Watchdog device, which acts when the guest stops responding. The guest must run a watchdog daemon. */
export class Watchdog {
  /**
   * Creates an Intel 6300ESB watchdog, on amd64.
   *
   * @param action action when the guest stops responding
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { watchdog: Watchdog.i6300esb(WatchdogAction.RESET) },
   * });
   */
  public static i6300esb(action: WatchdogAction = WatchdogAction.RESET): Watchdog {
    return new Watchdog({ name: 'watchdog', i6300esb: { action: action.value as 'reset' } });
  }

  /**
   * Creates a diag288 watchdog, on s390x.
   *
   * @param action action when the guest stops responding
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   architecture: Architecture.S390X,
   *   devices: { watchdog: Watchdog.diag288(WatchdogAction.RESET) },
   * });
   */
  public static diag288(action: WatchdogAction = WatchdogAction.RESET): Watchdog {
    return new Watchdog({ name: 'watchdog', diag288: { action: action.value as 'reset' } });
  }

  private constructor(private readonly spec: WatchdogSpec) {}

  /** @internal */
  public _render(): WatchdogSpec {
    return this.spec;
  }
}
