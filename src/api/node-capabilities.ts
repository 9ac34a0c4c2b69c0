/**
 * Capabilities of libvirt and QEMU of the launcher image on a node: the source of the node's labels. A program of the launcher
 * image writes it as JSON, and virt-handler of the same release reads it.
 */
export interface NodeCapabilities {
  /** Machine types of QEMU, with their aliases. */
  readonly machines: readonly string[];
  /** Architectures that QEMU can run, as Kubernetes names them. */
  readonly architectures: readonly string[];
  /** Time stamp counter of the CPU; only KVM reports it. */
  readonly tsc?: { readonly frequency: number; readonly scalable: boolean };
  /** Capabilities of guests with KVM. Missing on a node without it. */
  readonly kvm?: GuestCapabilities;
  /** Capabilities of guests whose CPU is emulated by QEMU. */
  readonly qemu: GuestCapabilities;
}

/** Capabilities of guests with one kind of virtualization. */
export interface GuestCapabilities {
  /** Named CPU models, with the model that each name stands for if it is an alias. */
  readonly models: Readonly<Record<string, string | null>>;
  /** CPU features. */
  readonly features: readonly string[];
  /** CPU of a guest with the model `host-model`. */
  readonly hostModel?: {
    readonly name: string;
    readonly vendor?: string;
    /** Features that the guest has in addition to those of the model. */
    readonly required: readonly string[];
  };
  /** Hyper-V enlightenments, by their names in KubeVirt's API. */
  readonly hyperv: readonly string[];
  /** Kinds of memory encryption. */
  readonly security: readonly GuestSecurity[];
}

export type GuestSecurity = 'sev' | 'sev-es' | 'sev-snp' | 'tdx' | 's390-pv';
