import type { VirtualMachineInstanceResourceClaim } from '../../api/generated/kubevirt-v1';
import type { INamedObject } from '../resource';
import { nameOf } from '../storage/reference';

const REMEDY = 'use fromClaim for a ResourceClaim, fromTemplate for a ResourceClaimTemplate';

/** What a claim of a guest takes. */
export interface VmResourceClaimOptions {
  /**
   * Its name in the VM, a DNS label.
   * @default - name of the claim or template
   */
  readonly name?: string;
}

/**
 * Devices that the cluster allocates dynamically (Kubernetes' DRA). A VM with a device of a claim holds the claim; name
 * it in `resourceClaims` only when something else uses it. Throws when an object of another kind is given.
 */
export class VmResourceClaim {
  /**
   * A ResourceClaim that exists in the VM's namespace.
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
   * A claim of the guest's own, made anew at each start from a ResourceClaimTemplate in the VM's namespace.
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

  /** Its name in the VM. */
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
