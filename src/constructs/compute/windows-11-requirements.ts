import { Size, SizeRoundingBehavior } from 'cdk8s';
import { type CodeFinding, root, ValidationError } from '../../api/findings';
import { mistakeInCode } from '../validation';
import type { VirtualMachineProps } from './vm-props';
import type { WindowsProps } from './windows-props';

/** Least size of the disk that setup accepts. Microsoft requires 64 GB. */
const SMALLEST_DISK = Size.gibibytes(52);
/** Sockets that the Pro edition uses; the Home edition uses one. */
const MOST_SOCKETS = 2;
const LEAST_MEMORY = Size.gibibytes(4);

const mebibytes = (size: Size | undefined): number =>
  size?.toMebibytes({ rounding: SizeRoundingBehavior.NONE }) ?? Infinity;

/**
 * Rejects a VM on which the setup of Windows 11 would stop.
 *
 * @param subject path of the construct
 * @param props properties of the user
 * @param whole the same with defaults
 */
export function requireWhatSetupRequires(subject: string, props: WindowsProps, whole: VirtualMachineProps): void {
  const sockets = props.cpu?._render().sockets ?? 1;
  if (sockets > MOST_SOCKETS) {
    const cause = `Windows 11 uses at most ${MOST_SOCKETS} sockets, and the guest has ${sockets}`;
    mistakeInCode(subject, 'cpu', cause, `use Cpu.cores(${props.cpu?.vcpus})`, 'windows-requirements');
  }
  const { sysprep, installer } = props;
  const release = sysprep?._release();
  if (release?.isServer) {
    const cause = `the answers are for Windows Server ("${release.value}")`;
    mistakeInCode(subject, 'sysprep', cause, 'use WindowsRelease.WINDOWS_11, or WindowsServer', 'windows-release');
  }
  const disk = props.disks?.[0]?._blankSize();
  // an answer file of the user may turn the checks of setup off, and an installed Windows does not repeat them
  if ((!installer && !disk) || (sysprep && !sysprep.admin)) return;
  const found: CodeFinding[] = [];
  const stops = (property: string, what: string, remedy: string): void => {
    const cause = `${what}, on which the setup of Windows 11 stops`;
    found.push({ rule: 'windows-requirements', path: root, subject, property, cause, remedy });
  };
  if (whole.firmware?._render()?.bootloader?.bios) {
    stops('firmware', 'the guest boots with BIOS', 'use Firmware.efi()');
  }
  if (whole.devices?.tpm?._render().enabled === false) {
    stops('devices.tpm', 'the guest has no TPM', 'use Tpm.PERSISTENT, or leave it out');
  }
  if (mebibytes(whole.memory) < mebibytes(LEAST_MEMORY) && !whole.memoryOptions?.quantity) {
    stops('memory', `the guest has ${mebibytes(whole.memory)} MiB of memory`, 'use Size.gibibytes(4) or more');
  }
  const size = props.cpu?._render();
  if (props.cpu?.vcpus === 1 && (size?.cores ?? size?.sockets)) {
    stops('cpu', 'the guest has one vCPU', 'use Cpu.cores(2) or more');
  }
  if (mebibytes(disk) < mebibytes(SMALLEST_DISK)) {
    stops('disks[0]', `the first disk has ${mebibytes(disk) / 1024} GiB`, 'use Size.gibibytes(64) or more');
  }
  if (found.length > 0) throw new ValidationError(found);
}
