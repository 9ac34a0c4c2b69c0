import { type Finding, named, type Path, text } from '../findings';
import { InstanceRule, mistake } from './rule';

/** Validates the path of a file in an image: absolute, and not the root. */
export function imagePath(at: Path, file: string): Finding[] {
  if (file === '/') return mistake('image-path', at, `${at} must not point to root`, 'name a file', { value: file });
  if (isPlainAbsolute(file)) return [];
  const message = `${at} must be an absolute path to a file without relative components`;
  return mistake('image-path', at, message, 'write it like /boot/vmlinuz', { value: file });
}

/** Whether the path is absolute, without relative or empty parts; it may end with a slash. */
function isPlainAbsolute(path: string): boolean {
  const [start, ...parts] = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  return start === '' && parts.every((part) => part !== '' && part !== '.' && part !== '..') && !path.includes('\0');
}

export const bootloaderIsOne: InstanceRule = (spec, at) => {
  const { bootloader } = spec.domain.firmware ?? {};
  if (!bootloader?.bios || !bootloader.efi) return [];
  const path = at.at('domain', 'firmware', 'bootloader');
  const message = `${path} has both EFI and BIOS configured, but they are mutually exclusive.`;
  return mistake('bootloader-one', path, message, 'keep one');
};

/** Secure boot requires System Management Mode to protect its variables, except in TDX firmware, which stores none. */
export const secureBootHasSmm: InstanceRule = (spec, at) => {
  const { firmware, features, launchSecurity } = spec.domain;
  const efi = firmware?.bootloader?.efi;
  const smm = features?.smm;
  if (!efi || efi.secureBoot === false || launchSecurity?.tdx || (smm && smm.enabled !== false)) return [];
  const field = at.at('domain');
  return mistake(
    'secure-boot-smm',
    at.at('domain', 'firmware', 'bootloader', 'efi'),
    `${field} has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.`,
    'set domain.features.smm: {enabled: true}, or efi.secureBoot: false',
    { field: `${field}` },
  );
};

/** Validates a kernel that is booted from an image instead of a disk. */
export const kernelBootIsComplete: InstanceRule = (spec, at) => {
  const boot = spec.domain.firmware?.kernelBoot;
  if (!boot) return [];
  const path = at.at('domain', 'firmware', 'kernelBoot');
  if (!boot.container) {
    if (!boot.kernelArgs) return [];
    return mistake(
      'kernel-args',
      path.at('kernelArgs'),
      'kernel arguments cannot be provided without an external kernel',
      'add container with kernelPath',
    );
  }
  const { image, kernelPath, initrdPath } = boot.container;
  const container = path.at('container');
  const required = { type: 'FieldValueRequired' } as const;
  const errors: Finding[] = [];
  if (!image) {
    const message = `${container} must be defined with an image`;
    errors.push(...mistake('kernel-image', container.at('image'), message, 'write the image', required));
  }
  if (!kernelPath && !initrdPath) {
    const message = `${container} must be defined with at least one of the following: kernelPath, initrdPath`;
    errors.push(...mistake('kernel-paths', container, message, 'add kernelPath', required));
  }
  if (kernelPath) errors.push(...imagePath(container.at('kernelPath'), kernelPath));
  if (initrdPath) errors.push(...imagePath(container.at('initrdPath'), initrdPath));
  return errors;
};

/** ACPI tables must refer to a Secret volume. */
export const acpiTablesHaveVolumes: InstanceRule = (spec, at) => {
  const acpi = spec.domain.firmware?.acpi;
  if (!acpi) return [];
  const path = at.at('domain', 'firmware', 'acpi');
  const field = at.at('acpi');
  if (!acpi.slicNameRef && !acpi.msdmNameRef) {
    const message = 'ACPI was set but no SLIC nor MSDM volume reference was set';
    return mistake('acpi-volume', path, message, 'add slicNameRef, or remove acpi', { field: `${field}` });
  }
  const volumes = spec.volumes ?? [];
  const allowed = volumes.filter(({ secret }) => secret).map(({ name }) => name);
  return (['slicNameRef', 'msdmNameRef'] as const).flatMap((reference) => {
    const got = acpi[reference];
    const volume = volumes.find(({ name }) => name === got);
    if (!got || volume?.secret) return [];
    const message = volume
      ? text`${named(path, `${field}`)} refers to Volume of unsupported type.`
      : text`${named(path, `${field}`)} does not have a matching Volume.`;
    return mistake('acpi-volume', path.at(reference), message, 'add a secret volume of this name', {
      value: got,
      allowed,
      field: `${field.at(reference)}`,
    });
  });
};
