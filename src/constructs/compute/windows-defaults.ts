import { Duration, Size } from 'cdk8s';
import type { NicModel } from '../network/nic';
import { mistakeInCode } from '../validation';
import { VmNetwork } from '../network/vm-network';
import { Clock } from './clock';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { InputDevice, Tpm } from './device-choices';
import { Firmware } from './firmware';
import { HyperV } from './hyperv';
import type { Origins } from './render';
import { referencesOf } from './render-vm';
import type { VirtualMachineProps } from './vm-props';
import type { WindowsProps } from './windows-props';

/** Defaults that differ between editions of Windows. */
export interface WindowsEdition {
  /** Path of the construct, for errors. */
  readonly subject: string;
  readonly cores: number;
  readonly memory: Size;
  readonly nic: NicModel;
  readonly tpm?: Tpm;
  /** Whether the variables of the firmware survive restarts. */
  readonly persistent?: boolean;
}

/** Returns the properties with the defaults for Windows. Pure. */
export function withWindowsDefaults(
  props: WindowsProps & { readonly nic?: NicModel },
  edition: WindowsEdition,
): VirtualMachineProps {
  const { installer, drivers, timezone, nic, ...own } = props;
  if (own.features?.acpi === false) {
    const cause = 'Windows does not boot on a machine without ACPI';
    mistakeInCode(edition.subject, 'features.acpi', cause, 'leave it out', 'windows-requirements');
  }
  const device = installer?._renderDisk(0);
  // a USB stick may have an image from which firmware boots
  if (device && !device.cdrom && device.disk?.bus !== 'usb') {
    const cause = 'the installation medium is not a CD drive, so the firmware does not boot from it';
    const remedy = 'pass { device: DiskDevice.CDROM } to the factory of the disk';
    mistakeInCode(edition.subject, 'installer', cause, remedy, 'windows-requirements');
  }
  const { sized, preferred } = referencesOf(own);
  const { cores, memory, tpm } = edition;
  return {
    ...(sized ? {} : { cpu: Cpu.topology({ sockets: 1, cores }), memory }),
    terminationGracePeriod: Duration.hours(1),
    ...(preferred ? defaultsBesidePreference(timezone, nic) : windowsDefaults(edition, timezone, nic)),
    ...defined(own),
    disks: [...(own.disks ?? []), ...(installer ? [installer] : []), ...(drivers ? [drivers] : [])],
    ...(preferred
      ? {}
      : {
          features: { acpi: true, apic: true, ...own.features },
          devices: { ...defined({ tpm }), inputs: [InputDevice.tablet({ name: 'tablet' })], ...own.devices },
        }),
  };
}

/** Returns the properties `installer` and `drivers` by the positions of their disks in the manifest. */
export function mediaProperties({ disks = [], installer, drivers }: WindowsProps): {
  readonly [position: string]: string;
} {
  const media = [...(installer ? ['installer'] : []), ...(drivers ? ['drivers'] : [])];
  return Object.fromEntries(media.map((name, i) => [`disks[${disks.length + i}]`, name]));
}

/** Returns the origins with the CDs attributed to their properties. */
export function originsWithMedia(origins: Origins, media: { readonly [position: string]: string } = {}): Origins {
  const named = (items: readonly string[]): string[] => items.map((item) => media[item] ?? item);
  const { disks, volumes, templates } = origins;
  return { ...origins, disks: named(disks), volumes: named(volumes), templates: named(templates) };
}

const windowsDefaults = (edition: WindowsEdition, timezone?: string, nic?: NicModel): VirtualMachineProps => ({
  firmware: Firmware.efi({ secureBoot: true, ...defined({ persistent: edition.persistent }) }),
  hyperv: HyperV.windows(),
  clock: Clock.windows(timezone),
  networks: [VmNetwork.masquerade({ model: nic ?? edition.nic })],
});

/** Returns the defaults that a preference for Windows cannot set. */
const defaultsBesidePreference = (timezone?: string, nic?: NicModel): VirtualMachineProps => ({
  ...(timezone === undefined ? {} : { clock: Clock.timezone(timezone) }),
  ...(nic === undefined ? {} : { networks: [VmNetwork.masquerade({ model: nic })] }),
});
