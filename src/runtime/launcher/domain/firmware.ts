/** BIOS, UEFI or a kernel given by hand: `<os>`. */
import type { VirtualMachineInstance } from '../../../api';
import type { DomainFacts } from './facts';
import { DomainError, only } from './unsupported';
import { type Element, el, yesNo } from './xml';

/** libvirt's name of the architecture that the VMI asks for. */
function architecture(vmi: VirtualMachineInstance): string {
  const wanted = vmi.spec.architecture ?? 'amd64';
  if (wanted !== 'amd64') {
    throw new DomainError('spec.architecture', `this launcher runs amd64, got "${wanted}"`, 'use amd64');
  }
  return 'x86_64';
}

/** Secure boot is on unless switched off, and it is nothing without SMM, which keeps the OS from the variable store. */
function secureBoot(vmi: VirtualMachineInstance): boolean {
  const { bootloader } = vmi.spec.domain.firmware ?? {};
  if (!bootloader?.efi) return false;
  const wanted = bootloader.efi.secureBoot ?? true;
  const smm = vmi.spec.domain.features?.smm;
  if (wanted && (smm === undefined || smm.enabled === false)) {
    throw new DomainError(
      'spec.domain.firmware.bootloader.efi.secureBoot',
      'secure boot needs system management mode',
      'set features.smm.enabled to true, or secureBoot to false',
    );
  }
  return wanted;
}

/** `<os>` with machine type, loader and direct kernel boot. */
export function firmware(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const { firmware: spec, machine } = vmi.spec.domain;
  const at = 'spec.domain.firmware';
  only(machine, 'spec.domain.machine', ['type']);
  only(spec?.bootloader, `${at}.bootloader`, ['bios', 'efi']);
  only(spec?.bootloader?.bios, `${at}.bootloader.bios`, ['useSerial']);
  only(spec?.bootloader?.efi, `${at}.bootloader.efi`, ['secureBoot', 'persistent']);
  if (spec?.bootloader?.efi?.persistent) {
    throw new DomainError(
      `${at}.bootloader.efi.persistent`,
      'persistent NVRAM is not supported yet',
      'set it to false',
    );
  }
  const secure = secureBoot(vmi);
  const { code, vars, secureBootCode, secureBootVars } = facts.ovmf;
  const loader = spec?.bootloader?.efi && [
    el('loader', { readonly: 'yes', secure: yesNo(secure), type: 'pflash' }, secure ? secureBootCode : code),
    el('nvram', { template: secure ? secureBootVars : vars }, `${facts.nvramDir}/${vmi.metadata.name}_VARS.fd`),
  ];
  return [
    el(
      'os',
      {},
      el('type', { arch: architecture(vmi), machine: machine?.type || 'q35' }, 'hvm'),
      ...(loader ?? []),
      ...kernelBoot(vmi, facts),
      spec?.bootloader?.bios?.useSerial && el('bios', { useserial: 'yes' }),
      el('smbios', { mode: 'sysinfo' }),
    ),
  ];
}

function kernelBoot(vmi: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const spec = vmi.spec.domain.firmware?.kernelBoot;
  if (!spec) return [];
  only(spec, 'spec.domain.firmware.kernelBoot', ['container', 'kernelArgs']);
  if (!facts.kernelBoot?.kernel) {
    throw new DomainError('spec.domain.firmware.kernelBoot', 'its kernel was not found', 'set container.kernelPath');
  }
  const { kernel, initrd } = facts.kernelBoot;
  return [
    el('kernel', {}, kernel),
    ...(initrd ? [el('initrd', {}, initrd)] : []),
    ...(spec.kernelArgs ? [el('cmdline', {}, spec.kernelArgs)] : []),
  ];
}
