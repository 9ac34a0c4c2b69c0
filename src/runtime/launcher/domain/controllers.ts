/** Controllers that are not left to libvirt. */
import type { DomainSpec } from '../../../api';
import { busOf } from './disks';
import type { DomainFacts } from './facts';
import { usesUsb } from './graphics';
import { virtioModel } from './virtio';
import { type Element, el } from './xml';

/** USB (none unless used), SCSI (for hotplug, unless that is off), virtio-serial (guest agent). */
export function controllers(domain: DomainSpec, _facts: DomainFacts): Element[] {
  const disks = domain.devices.disks ?? [];
  const usb = usesUsb(domain) || disks.some((disk) => busOf(disk) === 'usb');
  const scsi = !domain.devices.disableHotplug || disks.some((disk) => busOf(disk) === 'scsi');
  const model = virtioModel(domain);
  return [
    el('emulator', {}, '/usr/bin/qemu-system-x86_64'),
    el('controller', { type: 'usb', index: 0, model: usb ? 'qemu-xhci' : 'none' }),
    ...(scsi ? [el('controller', { type: 'scsi', index: 0, model })] : []),
    el('controller', { type: 'virtio-serial', index: 0, model }),
  ];
}
