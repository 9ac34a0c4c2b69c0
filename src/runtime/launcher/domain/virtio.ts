/** Variant of virtio that all devices of a guest use. */
import type { DomainSpec } from '../../../api';
import type { DomainFacts } from './facts';

/** Transitional devices also support guests from before 2014; s390x, which may have no PCI, has one model. */
export function virtioModel(domain: DomainSpec, { architecture }: Pick<DomainFacts, 'architecture'>): string {
  if (architecture === 's390x') return 'virtio';
  return domain.devices.useVirtioTransitional ? 'virtio-transitional' : 'virtio-non-transitional';
}
