/** Devices through which a guest reports a kernel panic. */
import type { VirtualMachineInstance } from '../../../api';
import { type Element, el } from './xml';

/** `<panic>` elements; libvirt chooses the model if the VMI sets none. */
export function panicDevices({ spec }: VirtualMachineInstance): Element[] {
  return (spec.domain.devices.panicDevices ?? []).map(({ model }) => el('panic', { model: model || undefined }));
}
