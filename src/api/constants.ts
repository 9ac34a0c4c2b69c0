/** Names that KubeVirt and its clients agree on. */

import { keys } from './keys';

export const KUBEVIRT_API_VERSION = 'kubevirt.io/v1';

/** Holds a VMI until its Pod is gone. */
export const VMI_FINALIZER = keys.vmiFinalizer;
/** Holds a VM until its VMI is gone. */
export const VM_FINALIZER = keys.vmFinalizer;

/** How PCI addresses are laid out in the guest; a VMI keeps the layout it was created with. */
export const PCI_TOPOLOGY_ANNOTATION = keys.pciTopology;
export const PCI_TOPOLOGY_VERSION = 'v3';

/** Sidecars that rewrite the domain or cloud-init: JSON list. */
export const HOOK_SIDECARS_ANNOTATION = keys.hookSidecars;
export const IGNITION_ANNOTATION = keys.ignition;

/** Unprivileged user that QEMU runs as (`qemu` on most distributions). */
export const RUNTIME_USER = 107;

/** Longest inline cloud-init user or network data, in bytes; more needs a Secret. */
export const CLOUD_INIT_INLINE_LIMIT = 2048;

/**
 * On the KubeVirt object, and from there on a VMI: one more CPU for the emulator when the guest's are an even number, so
 * that no core is shared with another Pod.
 */
export const EMULATOR_EVEN_PARITY = keys.emulatorEvenParity;
