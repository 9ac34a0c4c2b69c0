/** Names that KubeVirt and its clients agree on. */

export const KUBEVIRT_API_VERSION = 'kubevirt.io/v1';

/** Holds a VMI until its Pod is gone. */
export const VMI_FINALIZER = 'kubevirt.io/foregroundDeleteVirtualMachine';
/** Holds a VM until its VMI is gone. */
export const VM_FINALIZER = 'kubevirt.io/virtualMachineControllerFinalize';

/** How PCI addresses are laid out in the guest; a VMI keeps the layout it was created with. */
export const PCI_TOPOLOGY_ANNOTATION = 'kubevirt.io/pci-topology-version';
export const PCI_TOPOLOGY_VERSION = 'v3';

/** Sidecars that rewrite the domain or cloud-init: JSON list. */
export const HOOK_SIDECARS_ANNOTATION = 'hooks.kubevirt.io/hookSidecars';
export const IGNITION_ANNOTATION = 'kubevirt.io/ignitiondata';

/** Unprivileged user that QEMU runs as (`qemu` on most distributions). */
export const RUNTIME_USER = 107;

/** Longest inline cloud-init user or network data, in bytes; more needs a Secret. */
export const CLOUD_INIT_INLINE_LIMIT = 2048;

/**
 * On the KubeVirt object, and from there on a VMI: one more CPU for the emulator when the guest's are an even number, so
 * that no core is shared with another Pod.
 */
export const EMULATOR_EVEN_PARITY = 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity';
