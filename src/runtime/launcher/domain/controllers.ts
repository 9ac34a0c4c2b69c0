/** Controllers that libvirt does not add on its own. */
import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import { busOf } from './disks/names';
import type { DomainFacts } from './facts';
import { scsiThread } from './iothreads';
import { iommuOf } from './launch-security';
import { virtioModel } from './virtio';
import { type Element, el } from './xml';

/** Whether any device uses USB. A controller costs a guest boot time and memory. */
function needsUsb({ spec }: VirtualMachineInstance, { architecture, hostDevices }: DomainFacts): boolean {
  if (architecture === 'arm64') return true;
  if (architecture === 's390x') return false;
  const { inputs = [], disks = [], clientPassthrough } = spec.domain.devices;
  return (
    inputs.some(({ bus }) => !bus || bus === 'usb') ||
    disks.some(({ disk }) => disk?.bus === 'usb') ||
    clientPassthrough !== undefined ||
    hostDevices.some(({ kind }) => kind === 'usb')
  );
}

function scsi(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const { disableHotplug, disks = [] } = vmi.spec.domain.devices;
  if (disableHotplug && !disks.some((disk) => busOf(disk) === 'scsi')) return [];
  const model = facts.architecture === 's390x' ? 'virtio-scsi' : virtioModel(vmi.spec.domain, facts);
  return [el('controller', { type: 'scsi', index: 0, model }, driver({ ...scsiThread(vmi), iommu: iommuOf(vmi) }))];
}

function driver(attributes: { iothread?: number; queues?: number; iommu?: string }): Element | undefined {
  return Object.values(attributes).some((value) => value !== undefined) ? el('driver', attributes) : undefined;
}

/** The root complex, if its 64-bit window must be hidden from the guest: some old guests hang on it. */
function pciRoot(vmi: VirtualMachineInstance, { architecture }: DomainFacts): Element[] {
  const isDisabled = vmi.metadata.annotations?.[keys.disablePciHole64]?.toLowerCase() === 'true';
  if (!isDisabled || architecture !== 'amd64') return [];
  const hole = el('pcihole64', { unit: 'KiB' }, '0');
  return [el('controller', { type: 'pci', index: 0, model: 'pcie-root' }, hole)];
}

/** USB (none unless used), SCSI (for hotplug, unless disabled), virtio-serial (if there is a console). */
export function controllers(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const { domain } = vmi.spec;
  const hasConsole = domain.devices.autoattachSerialConsole !== false;
  const serial = { type: 'virtio-serial', index: 0, model: virtioModel(domain, facts) };
  return [
    el('controller', { type: 'usb', index: 0, model: needsUsb(vmi, facts) ? 'qemu-xhci' : 'none' }),
    ...scsi(vmi, facts),
    ...pciRoot(vmi, facts),
    ...(hasConsole ? [el('controller', serial, driver({ iommu: iommuOf(vmi) }))] : []),
  ];
}
