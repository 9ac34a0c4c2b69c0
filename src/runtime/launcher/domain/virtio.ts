/** The flavour of virtio that all devices of a guest have. */
import type { DomainSpec } from '../../../api';

/** Transitional devices also speak the protocol of guests from before 2014. */
export function virtioModel(domain: DomainSpec): string {
  return domain.devices.useVirtioTransitional ? 'virtio-transitional' : 'virtio-non-transitional';
}
