/** Devices by which a guest tells that its kernel has died. */
import type { VirtualMachineInstance } from '../../../api';
import { type Element, el } from './xml';

/** `<panic>` elements; libvirt chooses the model where the VMI names none. */
export function panicDevices({ spec }: VirtualMachineInstance): Element[] {
  return (spec.domain.devices.panicDevices ?? []).map(({ model }) => el('panic', { model: model || undefined }));
}
