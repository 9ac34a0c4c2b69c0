import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { Firmware, KernelBoot } from './firmware';
import { referencesOf } from './render-vm';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';

/** What an appliance takes besides what every VM takes. */
export interface ApplianceProps extends VirtualMachineProps {
  /** The kernel that boots, and its ramdisk, from a container image. */
  readonly kernel: KernelBoot;
}

/**
 * A VM whose kernel comes from a container image, so that it needs no disk and no boot loader. One vCPU and 256 MiB of
 * memory (unless an instancetype decides), randomness from the host, and no screen, unless the properties say otherwise.
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
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props kernel, and what every VM takes
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
