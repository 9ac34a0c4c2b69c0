import { Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { NicModel } from '../network/nic';
import { VmNetwork } from '../network/vm-network';
import { Disk } from '../storage/disk';
import { Clock } from './clock';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { InputDevice, Tpm } from './device-choices';
import { Firmware } from './firmware';
import { HyperV } from './hyperv';
import type { Origins } from './render';
import { referencesOf } from './render-vm';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';

/** What a VM with Windows 11 takes besides what every VM takes. */
export interface Windows11Props extends VirtualMachineProps {
  /**
   * The CD that Windows is installed from, such as `Disk.dataVolume(iso, { device: DiskDevice.CDROM })`. It boots while
   * nothing is on the disks, which come before it.
   * @default - Windows is on a disk already
   */
  readonly installer?: Disk;
  /**
   * The CD with virtio drivers, which Windows needs for disks on virtio and for its guest agent, such as
   * `Disk.containerDisk('quay.io/kubevirt/virtio-container-disk:v1.7.0', { device: DiskDevice.CDROM })`.
   * @default - none
   */
  readonly drivers?: Disk;
  /**
   * Time zone of the machine's clock, such as `Europe/Prague`.
   * @default - UTC, which Windows must be told in its registry
   */
  readonly timezone?: string;
  /**
   * Network card on the Pod network; only where `networks` says nothing. E1000E works without drivers, virtio is faster.
   * @default NicModel.E1000E
   */
  readonly nic?: NicModel;
}

/**
 * A VM with what Windows 11 asks for, unless the properties say otherwise: UEFI with secure boot and a TPM 2.0, both
 * kept over restarts (BitLocker needs that), everything of Hyper-V, its clock, a tablet, four cores in one socket and
 * 8 GiB of memory (unless an instancetype decides), and an hour to shut down. With a preference, all but size and time
 * to shut down is left to it.
 */
export class Windows11 extends VirtualMachine {
  private readonly media: { readonly [position: string]: string };

  constructor(scope: Construct, id: string, props: Windows11Props = {}) {
    super(scope, id, props);
    const first = props.disks?.length ?? 0;
    const media = [...(props.installer ? ['installer'] : []), ...(props.drivers ? ['drivers'] : [])];
    this.media = Object.fromEntries(media.map((name, i) => [`disks[${first + i}]`, name]));
  }

  /** @internal */
  protected _withDefaults(props: Windows11Props): VirtualMachineProps {
    const { installer, drivers, timezone, nic, ...own } = props;
    const { sized, preferred } = referencesOf(own);
    return {
      ...(sized ? {} : { cpu: Cpu.topology({ sockets: 1, cores: 4 }), memory: Size.gibibytes(8) }),
      terminationGracePeriod: Duration.hours(1),
      ...(preferred ? leftToPreference(timezone, nic) : ofWindows(timezone, nic)),
      ...defined(own),
      disks: [...(own.disks ?? []), ...(installer ? [installer] : []), ...(drivers ? [drivers] : [])],
      ...(preferred
        ? {}
        : {
            features: { acpi: true, apic: true, ...own.features },
            devices: { tpm: Tpm.PERSISTENT, inputs: [InputDevice.tablet({ name: 'tablet' })], ...own.devices },
          }),
    };
  }

  /** @internal */
  protected _origins(): Origins {
    const { disks, volumes, filesystems, templates } = super._origins();
    // while the base judges itself there are none yet, and no mistake in a value waits for them
    const named = (items: readonly string[]): string[] => items.map((item) => this.media?.[item] ?? item);
    return { disks: named(disks), volumes: named(volumes), filesystems, templates: named(templates) };
  }
}

/** What Windows asks for. */
const ofWindows = (timezone?: string, nic: NicModel = NicModel.E1000E): VirtualMachineProps => ({
  firmware: Firmware.efi({ secureBoot: true, persistent: true }),
  hyperv: HyperV.windows(),
  clock: Clock.windows(timezone),
  networks: [VmNetwork.masquerade({ model: nic })],
});

/** What a preference for Windows cannot know. */
const leftToPreference = (timezone?: string, nic?: NicModel): VirtualMachineProps => ({
  ...(timezone === undefined ? {} : { clock: Clock.timezone(timezone) }),
  ...(nic === undefined ? {} : { networks: [VmNetwork.masquerade({ model: nic })] }),
});
