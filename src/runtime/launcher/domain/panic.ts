/** Devices by which a guest tells that its kernel has died. */
import type { DomainSpec } from '../../../api';
import { only } from './unsupported';
import { type Element, el } from './xml';

/** `<panic>` elements. */
export function panicDevices(domain: DomainSpec): Element[] {
  return (domain.devices.panicDevices ?? []).map((device, i) => {
    only(device, `spec.domain.devices.panicDevices[${i}]`, ['model']);
    return el('panic', { model: device.model ?? 'isa' });
  });
}
