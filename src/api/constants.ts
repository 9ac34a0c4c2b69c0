/** Names that KubeVirt and its clients share. */

import { keys } from './keys';

export const KUBEVIRT_API_VERSION = 'kubevirt.io/v1';

/** Finalizer that keeps a VMI until its Pod is deleted. */
export const VMI_FINALIZER = keys.vmiFinalizer;
/** Finalizer that keeps a VM until its VMI is deleted. */
export const VM_FINALIZER = keys.vmFinalizer;

/** Layout of PCI addresses in the guest; a VMI keeps the layout it was created with. */
export const PCI_TOPOLOGY_ANNOTATION = keys.pciTopology;
export const PCI_TOPOLOGY_VERSION = 'v3';

/** Sidecars that rewrite the domain or cloud-init: JSON list. */
export const HOOK_SIDECARS_ANNOTATION = keys.hookSidecars;
export const IGNITION_ANNOTATION = keys.ignition;

/** Unprivileged user that QEMU runs as (`qemu` on most distributions). */
export const RUNTIME_USER = 107;

/** Longest inline cloud-init user or network data, in bytes; longer data requires a Secret. */
export const CLOUD_INIT_INLINE_LIMIT = 2048;

/**
 * On the KubeVirt object, and copied to VMIs: adds a CPU for the emulator when the guest has an even number of CPUs, so
 * that no core is shared with another Pod.
 */
export const EMULATOR_EVEN_PARITY = keys.emulatorEvenParity;
