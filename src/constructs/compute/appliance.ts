import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { Firmware, KernelBoot } from './firmware';
import { referencesOf } from './render-vm';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';

/** Properties of an appliance. */
export interface ApplianceProps extends VirtualMachineProps {
  /** Kernel to boot and its initial ramdisk, from a container image. */
  readonly kernel: KernelBoot;
}

/**
 * Virtual machine whose kernel comes from a container image, so that it needs neither a disk nor a boot loader.
 *
 * Defaults: one vCPU and 256 MiB of memory (unless an instance type sets the size), a random number generator, and no
 * graphics card.
 *
 * @example
 * new Appliance(chart, 'router', {
 *   kernel: KernelBoot.container('registry.example/router:1', {
 *     kernelPath: '/boot/vmlinuz',
 *     initrdPath: '/boot/initrd',
 *   }),
 * });
 */
export class Appliance extends VirtualMachine {
  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props kernel, and all properties of a VM
   */
  constructor(scope: Construct, id: string, props: ApplianceProps) {
    super(scope, id, props);
  }

  /** @internal */
  protected _withDefaults(props: ApplianceProps): VirtualMachineProps {
    const { kernel, firmware = Firmware.platform({}), ...own } = props;
    return {
      ...(referencesOf(own).sized ? {} : { cpu: Cpu.cores(1), memory: Size.mebibytes(256) }),
      ...defined(own),
      firmware: firmware._withKernel(kernel),
      devices: { rng: true, graphics: false, ...own.devices },
    };
  }
}
