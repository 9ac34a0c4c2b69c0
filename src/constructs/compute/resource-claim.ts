import type { VirtualMachineInstanceResourceClaim } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { nameOf } from '../storage/reference';

const REMEDY = 'use fromClaim for a ResourceClaim, fromTemplate for a ResourceClaimTemplate';

/** Options of a guest's resource claim. */
export interface VmResourceClaimOptions {
  /**
   * Name of the claim within the VM, a DNS label.
   * @default - name of the ResourceClaim or ResourceClaimTemplate
   */
  readonly name?: string;
}

/**
 * Claim for devices that Kubernetes allocates dynamically (DRA). The claims of a VM's devices are added to the VM
 * automatically; list a claim in `resourceClaims` only if something else uses it. An object of another kind is
 * rejected.
 */
export class VmResourceClaim {
  /**
   * Uses a ResourceClaim that exists in the VM's namespace.
   *
   * @param claim ResourceClaim
   * @param options name of the claim within the guest
   * @example
   * const claim = VmResourceClaim.fromClaim({ name: 'gpu' });
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { gpus: [Gpu.fromClaim(claim, 'gpu')] },
   * });
   */
  public static fromClaim(claim: INamedObject, options: VmResourceClaimOptions = {}): VmResourceClaim {
    const name = options.name ?? claim.name;
    return new VmResourceClaim(name, {
      name,
      resourceClaimName: nameOf('VmResourceClaim.fromClaim', claim, ['ResourceClaim'], REMEDY),
    });
  }

  /**
   * Creates a claim for the guest at each start, from a ResourceClaimTemplate in the VM's namespace.
   *
   * @param template ResourceClaimTemplate
   * @param options name of the claim within the guest
   * @example
   * const claim = VmResourceClaim.fromTemplate({ name: 'one-gpu' });
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   devices: { gpus: [Gpu.fromClaim(claim, 'gpu')] },
   * });
   */
  public static fromTemplate(template: INamedObject, options: VmResourceClaimOptions = {}): VmResourceClaim {
    const name = options.name ?? template.name;
    return new VmResourceClaim(name, {
      name,
      resourceClaimTemplateName: nameOf('VmResourceClaim.fromTemplate', template, ['ResourceClaimTemplate'], REMEDY),
    });
  }

  /** Name of the claim within the VM. */
  public readonly name: string;

  private constructor(
    name: string,
    private readonly spec: VirtualMachineInstanceResourceClaim,
  ) {
    this.name = name;
  }

  /** @internal */
  public _render(): VirtualMachineInstanceResourceClaim {
    return this.spec;
  }
}
