import type { Input, SoundDevice, TPMDevice, Watchdog as WatchdogSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined } from '../defined';

/** The video device. */
export class VideoModel extends Choice {
  /** Paravirtual. */
  public static readonly VIRTIO = VideoModel.of('virtio');
  /** Standard VGA: the default with BIOS on amd64. */
  public static readonly VGA = VideoModel.of('vga');
  /** VGA without its legacy: the default with UEFI on amd64. */
  public static readonly BOCHS = VideoModel.of('bochs');
  /** A frame buffer in memory, for a guest whose GPU draws. */
  public static readonly RAMFB = VideoModel.of('ramfb');
  /** For very old guests. */
  public static readonly CIRRUS = VideoModel.of('cirrus');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VideoModel {
    return new VideoModel(value);
  }
}

/** A sound card. */
export class SoundModel extends Choice {
  /** Intel HD Audio. */
  public static readonly ICH9 = SoundModel.of('ich9');
  /** For old guests. */
  public static readonly AC97 = SoundModel.of('ac97');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): SoundModel {
    return new SoundModel(value);
  }

  /** @internal */
  public _render(): SoundDevice {
    return { name: 'sound', model: this.value as SoundDevice['model'] };
  }
}

/** A device by which the guest's kernel reports that it has crashed. */
export class PanicModel extends Choice {
  /** An ISA device, on amd64. */
  public static readonly ISA = PanicModel.of('isa');
  /** Registers of Hyper-V, for Windows. */
  public static readonly HYPERV = PanicModel.of('hyperv');
  /** A PCI device. */
  public static readonly PVPANIC = PanicModel.of('pvpanic');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): PanicModel {
    return new PanicModel(value);
  }
}

/** How an input device is wired to the guest. */
export class InputBus extends Choice {
  /** Works in every guest. */
  public static readonly USB = InputBus.of('usb');
  /** Fast; needs a virtio driver in the guest. */
  public static readonly VIRTIO = InputBus.of('virtio');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): InputBus {
    return new InputBus(value);
  }
}

/** What kind of input device it is. */
export class InputType extends Choice {
  /** A tablet: its pointer is where the user's is. */
  public static readonly TABLET = InputType.of('tablet');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): InputType {
    return new InputType(value);
  }
}

/** What an input device takes. */
export interface InputDeviceOptions {
  /**
   * Its name in the VM.
   * @default - `input0`, `input1`, … by position
   */
  readonly name?: string;
  /**
   * How it is wired to the guest.
   * @default InputBus.USB
   */
  readonly bus?: InputBus;
}

/** A device that a user's hand moves. */
export class InputDevice {
  /**
   * A tablet: its pointer is where the user's is.
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
   * Any other type.
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

/** A TPM 2.0, emulated. */
export class Tpm {
  /** One that forgets at each start. */
  public static readonly EMULATED = new Tpm({});
  /** One whose state is kept over restarts, on storage of the platform; BitLocker needs that. */
  public static readonly PERSISTENT = new Tpm({ persistent: true });
  /** None, also when a preference has one. */
  public static readonly NONE = new Tpm({ enabled: false });

  private constructor(private readonly spec: TPMDevice) {}

  /** @internal */
  public _render(): TPMDevice {
    return this.spec;
  }
}

/** What a watchdog does to a guest that stops answering. */
export class WatchdogAction extends Choice {
  /** It is started again. */
  public static readonly RESET = WatchdogAction.of('reset');
  /** It is switched off. */
  public static readonly POWEROFF = WatchdogAction.of('poweroff');
  /** It is asked to shut down. */
  public static readonly SHUTDOWN = WatchdogAction.of('shutdown');

  /**
   * Another one that the platform knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): WatchdogAction {
    return new WatchdogAction(value);
  }
}

/** A device that acts when the guest stops answering. The guest must run a watchdog daemon. */
export class Watchdog {
  /**
   * Intel's, on amd64.
   *
   * @param action what happens when the guest stops answering
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
   * diag288, on s390x.
   *
   * @param action what happens when the guest stops answering
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
