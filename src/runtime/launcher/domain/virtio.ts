/** The flavour of virtio that all devices of a guest have. */
import type { DomainSpec } from '../../../api';
import type { DomainFacts } from './facts';

/** Transitional devices also speak the protocol of guests from before 2014; s390x, which may have no PCI, has one name. */
export function virtioModel(domain: DomainSpec, { architecture }: Pick<DomainFacts, 'architecture'>): string {
  if (architecture === 's390x') return 'virtio';
  return domain.devices.useVirtioTransitional ? 'virtio-transitional' : 'virtio-non-transitional';
}
