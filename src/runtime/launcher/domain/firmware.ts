/** `<os>`: machine, firmware and boot order. */
import type { Architecture, VirtualMachineInstance, Volume } from '../../../api';
import { DomainError } from './error';
import type { DomainFacts, UefiImages } from './facts';
import { isUefi } from './guest';
import { protectionOf } from './launch-security';
import { type Element, el, yesNo } from './xml';

/** libvirt's name of an architecture, and its default machine. */
const MACHINES: Record<Architecture, { arch: string; machine: string }> = {
  amd64: { arch: 'x86_64', machine: 'q35' },
  arm64: { arch: 'aarch64', machine: 'virt' },
  s390x: { arch: 's390x', machine: 's390-ccw-virtio' },
};

interface Loader {
  code: string;
  vars?: string;
  isSecure: boolean;
  /** Keeps no variables: its whole state is measured. */
  isStateless: boolean;
}

function imagesFor(vmi: VirtualMachineInstance, images: UefiImages, secureBoot: boolean): Partial<Loader> {
  switch (protectionOf(vmi)) {
    case 'snp':
      return secureBoot ? {} : { code: images.snpCode, isStateless: true };
    case 'sev':
      return secureBoot || !images.sevVars ? {} : { code: images.sevCode, vars: images.sevVars };
    case 'tdx':
      return { code: secureBoot ? images.tdxSecureBootCode : images.tdxCode, isStateless: true };
    default: {
      const { code, vars, secureBootCode, secureBootVars } = images;
      const [chosen, store] = secureBoot ? [secureBootCode, secureBootVars] : [code, vars];
      return store ? { code: chosen, vars: store } : {};
    }
  }
}

function loaderOf(vmi: VirtualMachineInstance, images: UefiImages, secureBoot: boolean): Loader {
  const { code, vars, isStateless = false } = imagesFor(vmi, images, secureBoot);
  if (!code) {
    const protection = protectionOf(vmi);
    const what = [secureBoot ? 'secure boot' : 'UEFI', ...(protection ? [`on ${protection.toUpperCase()}`] : [])];
    throw new DomainError(
      'spec.domain.firmware.bootloader.efi',
      `the node has no image for ${what.join(' ')}`,
      secureBoot ? 'set efi.secureBoot to false' : 'use bootloader.bios',
    );
  }
  // TDX embeds its keys; libvirt's "secure" means SMM, which TDX does not have
  return { code, vars, isStateless, isSecure: secureBoot && protectionOf(vmi) !== 'tdx' };
}

/** Firmware image chosen by libvirt. arm64 keeps its variables in memory that libvirt manages. */
function chosenByFeature(vmi: VirtualMachineInstance, nvram: string): Element[] {
  const feature = (name: string): Element => el('feature', { enabled: 'yes', name });
  return [
    el('firmware', {}, feature('secure-boot'), feature('enrolled-keys')),
    ...(vmi.spec.architecture === 'arm64' ? [] : [el('nvram', { format: 'raw' }, nvram)]),
  ];
}

interface Uefi {
  byFeature: boolean;
  elements: Element[];
}

function uefi(vmi: VirtualMachineInstance, facts: DomainFacts): Uefi {
  if (!isUefi(vmi)) return { byFeature: false, elements: [] };
  const secureBoot = vmi.spec.domain.firmware?.bootloader?.efi?.secureBoot ?? true;
  const nvram = `${facts.nvramDir}/${vmi.metadata.name}_VARS.fd`;
  const byFeature = Boolean(facts.chooseUefiByFeature && secureBoot && !protectionOf(vmi));
  if (byFeature) return { byFeature, elements: chosenByFeature(vmi, nvram) };
  const { code, vars, isSecure, isStateless } = loaderOf(vmi, facts.uefi, secureBoot);
  const loader = { readonly: 'yes', secure: yesNo(isSecure), type: isStateless ? 'rom' : 'pflash' };
  const store = isStateless ? [] : [el('nvram', { template: vars }, nvram)];
  return { byFeature, elements: [el('loader', loader, code), ...store] };
}

/** A licence table of a Windows machine, stored as `<type>.bin` in a Secret. */
function acpiTable(type: 'slic' | 'msdm', name: string | undefined, volumes: Volume[], dir: string): Element[] {
  if (!name) return [];
  const at = `spec.domain.firmware.acpi.${type}NameRef`;
  const volume = volumes.find((each) => each.name === name);
  if (!volume) throw new DomainError(at, `there is no volume "${name}"`, 'add a Secret volume of this name');
  if (!volume.secret) throw new DomainError(at, `volume "${name}" is not a Secret`, 'keep the table in a Secret');
  return [el('table', { type }, `${dir}/${name}/${type}.bin`)];
}

function acpi({ spec }: VirtualMachineInstance, { secretDir }: DomainFacts): Element[] {
  const tables = spec.domain.firmware?.acpi;
  if (!tables) return [];
  const { slicNameRef, msdmNameRef } = tables;
  if (!slicNameRef && !msdmNameRef) {
    throw new DomainError('spec.domain.firmware.acpi', 'names no table', 'set slicNameRef or msdmNameRef');
  }
  const volumes = spec.volumes ?? [];
  return [
    el(
      'acpi',
      {},
      ...acpiTable('slic', slicNameRef, volumes, secretDir),
      ...acpiTable('msdm', msdmNameRef, volumes, secretDir),
    ),
  ];
}

function kernelBoot({ spec }: VirtualMachineInstance, { kernelBoot: files }: DomainFacts): Element[] {
  const boot = spec.domain.firmware?.kernelBoot;
  if (!boot) return [];
  return [
    ...(files?.kernel ? [el('kernel', {}, files.kernel)] : []),
    ...(files?.initrd ? [el('initrd', {}, files.initrd)] : []),
    ...(boot.kernelArgs ? [el('cmdline', {}, boot.kernelArgs)] : []),
  ];
}

/** Milliseconds in which a key opens the boot menu of a guest that starts paused, so that its user can see it boot. */
const MENU_TIMEOUT = 10_000;

/** The `<os>` element. */
export function firmware(vmi: VirtualMachineInstance, facts: DomainFacts): Element {
  const { firmware: spec, machine } = vmi.spec.domain;
  const { arch, machine: usual } = MACHINES[facts.architecture];
  const { byFeature, elements } = uefi(vmi, facts);
  return el(
    'os',
    { firmware: byFeature ? 'efi' : undefined },
    el('type', { arch, machine: machine?.type || usual }, 'hvm'),
    ...elements,
    ...acpi(vmi, facts),
    ...kernelBoot(vmi, facts),
    facts.architecture !== 's390x' && el('smbios', { mode: 'sysinfo' }),
    spec?.bootloader?.bios?.useSerial && el('bios', { useserial: 'yes' }),
    vmi.spec.startStrategy === 'Paused' && el('bootmenu', { enable: 'yes', timeout: MENU_TIMEOUT }),
  );
}
