import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { Firmware } from './firmware';
import { referencesOf } from './render-vm';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';

/**
 * A VM with what a Linux server of the cloud is used to, unless the properties say otherwise: UEFI without secure boot,
 * randomness from the host, a queue for each vCPU on disks and networks, two vCPUs that can become more and 2 GiB of
 * memory, unless an instancetype decides. With a preference, all but the size is left to it.
 *
 * @example
 * new LinuxServer(chart, 'web', {
 *   disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20))],
 *   cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
 * });
 */
export class LinuxServer extends VirtualMachine {
  /**
   * @param scope chart, or another construct that this one belongs to
   * @param id id of the construct within its scope; the name of the object follows from it
   * @param props disks, networks and everything else of the VM
   */
  constructor(scope: Construct, id: string, props: VirtualMachineProps = {}) {
    super(scope, id, props);
  }

  /** @internal */
  protected _withDefaults(props: VirtualMachineProps): VirtualMachineProps {
    const { sized, preferred } = referencesOf(props);
    return {
      ...(sized ? {} : { cpu: Cpu.sockets(2), memory: Size.gibibytes(2) }),
      // what a preference decides is left to it
      ...(preferred ? {} : { firmware: Firmware.efi({ secureBoot: false }) }),
      ...defined(props),
      devices: {
        ...(preferred ? {} : { rng: true, blockMultiQueue: true, networkMultiQueue: true }),
        ...props.devices,
      },
    };
  }
}
