import type { Features } from '../../api/generated/kubevirt-v1';
import { defined, definedOrNone, switched } from '../defined';
import type { HyperV } from './hyperv';

/** Features of the machine. */
export interface MachineFeatures {
  /**
   * ACPI: without it a guest cannot be asked to shut down.
   * @default true
   */
  readonly acpi?: boolean;
  /**
   * The interrupt controller.
   * @default - as the machine type has it
   */
  readonly apic?: boolean;
  /**
   * The guest is spared an exit at the end of each interrupt.
   * @default false
   */
  readonly apicEndOfInterrupt?: boolean;
  /**
   * The guest does not see that it runs on KVM.
   * @default false
   */
  readonly kvmHidden?: boolean;
  /**
   * Paravirtual spinlocks.
   * @default - as the hypervisor has it
   */
  readonly pvSpinlock?: boolean;
  /**
   * System management mode.
   * @default - on with secure boot, which needs it
   */
  readonly smm?: boolean;
}

/** Renders features as the API writes them; secure boot needs SMM. Returns nothing when no property sets any. */
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
