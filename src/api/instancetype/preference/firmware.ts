import type { VirtualMachineInstanceSpec } from '../../generated/kubevirt-v1';
import type { FirmwarePreferences } from '../../generated/instancetype-v1beta1';

/** Sets BIOS or EFI where the VM has neither. `preferredEfi` replaces the two older fields. */
export function preferFirmware(preference: FirmwarePreferences, { domain }: VirtualMachineInstanceSpec): void {
  const firmware = (domain.firmware ??= {});
  const bootloader = (firmware.bootloader ??= {});
  if (preference.preferredUseBios && !bootloader.efi) bootloader.bios ??= {};
  if (bootloader.bios && preference.preferredUseBiosSerial != null) {
    bootloader.bios.useSerial ??= preference.preferredUseBiosSerial;
  }
  if (preference.preferredEfi && !bootloader.bios && !bootloader.efi) {
    bootloader.efi = structuredClone(preference.preferredEfi);
    return;
  }
  if (preference.preferredUseEfi && !bootloader.bios) bootloader.efi ??= {};
  if (bootloader.efi && preference.preferredUseSecureBoot != null) {
    bootloader.efi.secureBoot ??= preference.preferredUseSecureBoot;
  }
}
