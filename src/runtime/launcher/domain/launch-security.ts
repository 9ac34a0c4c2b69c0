/** Memory that the host cannot read: AMD SEV, SEV-ES and SEV-SNP, Intel TDX, IBM Secure Execution. */
import { keys } from '../../../api/keys';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { type Element, el } from './xml';

const hex = (value: number): string => `0x${value.toString(16)}`;

/** Bits of the guest policy of SEV. */
const SEV = { noDebug: 1, encryptedState: 4 };
/** Bits of the guest policy of SEV-SNP: hyperthreads allowed, and one that must be set. */
const SNP = { smt: 0x10000, reserved: 0x20000 };

/** Kind of memory protection; SNP takes precedence over SEV if both are set. */
export function protectionOf({ spec }: VirtualMachineInstance): 'sev' | 'snp' | 'tdx' | undefined {
  const { sev, snp, tdx } = spec.domain.launchSecurity ?? {};
  if (snp) return 'snp';
  if (sev) return 'sev';
  return tdx ? 'tdx' : undefined;
}

/** Whether devices must access memory through the guest's IOMMU API, because they cannot read encrypted memory. */
export function throughIommu(vmi: VirtualMachineInstance): boolean {
  const { sev, snp } = vmi.spec.domain.launchSecurity ?? {};
  return Boolean(sev || snp) || (vmi.spec.architecture === 's390x' && vmi.spec.domain.launchSecurity !== undefined);
}

/** Value of the `iommu` attribute of a virtio device's `<driver>`. */
export const iommuOf = (vmi: VirtualMachineInstance): 'on' | undefined => (throughIommu(vmi) ? 'on' : undefined);

/** `<launchSecurity>`: amd64 only; on other architectures, only the devices' drivers differ. */
export function launchSecurity(vmi: VirtualMachineInstance, { architecture }: DomainFacts): Element[] {
  const { sev, snp, tdx } = vmi.spec.domain.launchSecurity ?? {};
  if (architecture !== 'amd64') return [];
  if (sev) {
    const policy = SEV.noDebug | (sev.policy?.encryptedState ? SEV.encryptedState : 0);
    return [
      el(
        'launchSecurity',
        { type: 'sev' },
        sev.dhCert ? el('dhCert', {}, sev.dhCert) : undefined,
        sev.session ? el('session', {}, sev.session) : undefined,
        el('policy', {}, hex(policy)),
      ),
    ];
  }
  if (snp) return [el('launchSecurity', { type: 'sev-snp' }, el('policy', {}, hex(SNP.smt | SNP.reserved)))];
  if (!tdx) return [];
  const path = vmi.metadata.annotations?.[keys.qgsSocketPath] || undefined;
  return [el('launchSecurity', { type: 'tdx' }, el('quoteGenerationService', { path }))];
}
