import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { Cpu } from './cpu';
import { defined } from '../defined';
import { Firmware } from './firmware';
import { referencesOf } from './render-vm';
import { VirtualMachine } from './virtual-machine';
import { VirtualMachineProps } from './vm-props';

/**
 * Virtual machine with defaults for Linux cloud images: UEFI without secure boot, a random number generator, a queue
 * for each vCPU on disks and networks, two vCPUs (more can be plugged in) and 2 GiB of memory.
 *
 * Properties override the defaults. An instance type replaces the default size, a preference replaces all other
 * defaults.
 *
 * @example
 * new LinuxServer(chart, 'web', {
 *   disks: [Disk.registry('quay.io/containerdisks/fedora:42', Size.gibibytes(20))],
 *   cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
 * });
 */
export class LinuxServer extends VirtualMachine {
  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
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
      // a preference sets these
      ...(preferred ? {} : { firmware: Firmware.efi({ secureBoot: false }) }),
      ...defined(props),
      devices: {
        ...(preferred ? {} : { rng: true, blockMultiQueue: true, networkMultiQueue: true }),
        ...props.devices,
      },
    };
  }
}
