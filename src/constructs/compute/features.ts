import type { Features } from '../../api/generated/kubevirt-v1';
import { defined, definedOrNone, switched } from '../defined';
import type { HyperV } from './hyperv';

/** Features of the machine. */
export interface MachineFeatures {
  /**
   * Whether the machine has ACPI. Without ACPI, a guest cannot be asked to shut down.
   * @default true
   */
  readonly acpi?: boolean;
  /**
   * Whether the machine has an APIC (interrupt controller).
   * @default - depends on the machine type
   */
  readonly apic?: boolean;
  /**
   * Whether the guest can signal the end of an interrupt without an exit to the hypervisor.
   * @default false
   */
  readonly apicEndOfInterrupt?: boolean;
  /**
   * Whether the guest is prevented from detecting KVM.
   * @default false
   */
  readonly kvmHidden?: boolean;
  /**
   * Whether the guest uses paravirtual spinlocks.
   * @default - depends on the hypervisor
   */
  readonly pvSpinlock?: boolean;
  /**
   * Whether the machine has System Management Mode.
   * @default - true with secure boot, which requires it
   */
  readonly smm?: boolean;
}

/**
 * Renders features as the API writes them. Secure boot enables SMM. Returns undefined if no property sets a feature.
 */
export function renderFeatures(
  { acpi, apic, apicEndOfInterrupt, kvmHidden, pvSpinlock, smm }: MachineFeatures = {},
  hyperv?: HyperV,
  secureBoot = false,
): Features | undefined {
  return definedOrNone({
    acpi: switched(acpi),
    apic:
      apic === undefined && apicEndOfInterrupt === undefined
        ? undefined
        : defined({ enabled: apic, endOfInterrupt: apicEndOfInterrupt }),
    ...hyperv?._render(),
    kvm: kvmHidden === undefined ? undefined : { hidden: kvmHidden },
    pvspinlock: switched(pvSpinlock),
    smm: switched(smm ?? (secureBoot ? true : undefined)),
  });
}
