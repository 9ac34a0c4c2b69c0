import type { FieldError, Path } from '../field-error';
import type { FeatureHyperv } from '../generated/kubevirt-v1';
import { hypervDependencies } from '../defaulting/features';
import { gateOff, InstanceRule, mistake, notOneOf } from './rule';
import { isPlainAbsolute } from './volumes';

const architectures = ['amd64', 'arm64', 's390x'];

export const architectureIsKnown: InstanceRule = (spec, at) =>
  notOneOf(
    'architecture',
    at.at('architecture'),
    spec.architecture,
    architectures,
    `unsupported architecture: ${spec.architecture}`,
  );

/** Machine type: one that the platform allows for the architecture. */
export const machineIsAllowed: InstanceRule = (spec, at, config) => {
  const type = spec.domain.machine?.type;
  if (!type) return [];
  const allowed = config.architecture(spec.architecture).emulatedMachines;
  if (allowed.some((pattern) => globMatches(pattern, type))) return [];
  const path = at.at('domain', 'machine', 'type');
  return mistake(
    'machine-type',
    path,
    `${path} is not supported: ${type} (allowed values: [${allowed.join(' ')}])`,
    'use an allowed one, or leave it out',
    {
      got: type,
      allowed,
      type: 'FieldValueNotSupported',
    },
  );
};

function globMatches(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === text;
  return text.startsWith(parts[0]) && text.endsWith(parts[parts.length - 1]);
}

export const bootloaderIsOne: InstanceRule = (spec, at) => {
  const { bootloader } = spec.domain.firmware ?? {};
  const path = at.at('domain', 'firmware', 'bootloader');
  if (bootloader?.bios && bootloader.efi) {
    return mistake(
      'bootloader-one',
      path,
      `${path} has both EFI and BIOS configured, but they are mutually exclusive.`,
      'keep one',
    );
  }
  const secure = bootloader?.efi && bootloader.efi.secureBoot !== false && (spec.architecture ?? 'amd64') === 'amd64';
  const smm = spec.domain.features?.smm;
  if (secure && (!smm || smm.enabled === false)) {
    return mistake(
      'secure-boot-smm',
      path,
      `${path.at('efi')} has EFI SecureBoot enabled. SecureBoot requires SMM, which is currently disabled.`,
      'set domain.features.smm: {enabled: true}, or efi.secureBoot: false',
    );
  }
  return [];
};

/** A kernel outside of the disk comes from an image. */
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
  const errors: FieldError[] = [];
  if (!image)
    errors.push(
      ...mistake(
        'kernel-image',
        path.at('container', 'image'),
        'container must be defined with an image',
        'name the image',
        { type: 'FieldValueRequired' },
      ),
    );
  if (!kernelPath && !initrdPath) {
    errors.push(
      ...mistake(
        'kernel-paths',
        path.at('container'),
        'at least one of kernelPath and initrdPath must be provided',
        'add kernelPath',
        { type: 'FieldValueRequired' },
      ),
    );
  }
  for (const [field, file] of [
    ['kernelPath', kernelPath],
    ['initrdPath', initrdPath],
  ] as const) {
    if (!file || isPlainAbsolute(file)) continue;
    errors.push(
      ...mistake(
        'kernel-path',
        path.at('container', field),
        `${path.at('container', field)} must be an absolute path to a file without relative elements`,
        'write it like /boot/vmlinuz',
        { got: file },
      ),
    );
  }
  return errors;
};

export const firmwareUuidIsOne: InstanceRule = (spec, at) => {
  const uuid = spec.domain.firmware?.uuid;
  if (!uuid || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) return [];
  return mistake(
    'firmware-uuid',
    at.at('domain', 'firmware', 'uuid'),
    `"${uuid}" is no UUID`,
    'write it like 5d307ca9-b3ef-428c-8861-06e72d69f223, or leave it out',
    { got: uuid },
  );
};

/** OEM tables name a Secret volume. */
export const acpiTablesHaveVolumes: InstanceRule = (spec, at) => {
  const acpi = spec.domain.firmware?.acpi;
  const path = at.at('domain', 'firmware', 'acpi');
  const allowed = (spec.volumes ?? []).filter(({ secret }) => secret).map(({ name }) => name);
  return (['slicNameRef', 'msdmNameRef'] as const).flatMap((field) => {
    const name = acpi?.[field];
    if (!name || allowed.includes(name)) return [];
    return mistake(
      'acpi-volume',
      path.at(field),
      `${field} does not have a matching Volume: ${name}`,
      'add a secret volume of this name',
      { got: name, allowed },
    );
  });
};

/** An enlightenment whose base is switched off. */
export const hypervDependenciesHold: InstanceRule = (spec, at) => {
  const hyperv = spec.domain.features?.hyperv;
  const states = (hyperv ?? {}) as Record<string, { enabled?: boolean } | undefined>;
  const path = at.at('domain', 'features', 'hyperv');
  const errors = Object.entries(hypervDependencies).flatMap(([feature, needed]: [string, keyof FeatureHyperv]) => {
    const on = states[feature] && states[feature].enabled !== false;
    if (!on || states[needed]?.enabled !== false) return [];
    return mistake(
      'hyperv-dependency',
      path.at(feature),
      `'${feature}' feature requires '${needed}' that was disabled.`,
      `enable ${needed}, or disable ${feature}`,
    );
  });
  const retries = hyperv?.spinlocks?.spinlocks;
  if (retries !== undefined && retries < 4096) {
    const field = path.at('spinlocks', 'spinlocks');
    errors.push(
      ...mistake('hyperv-spinlocks', field, `${field} must be at least 4096`, 'use 4096 or more', { got: retries }),
    );
  }
  if (hyperv && spec.domain.features?.hypervPassthrough?.enabled) {
    errors.push(
      ...mistake(
        'hyperv-passthrough',
        path,
        'hyperv features and hypervPassthrough are mutually exclusive',
        'keep one',
      ),
    );
  }
  return errors;
};

export const ioThreadsPolicyIsKnown: InstanceRule = (spec, at) => {
  const { ioThreadsPolicy, ioThreads } = spec.domain;
  const path = at.at('domain', 'ioThreadsPolicy');
  const errors = notOneOf(
    'io-threads-policy',
    path,
    ioThreadsPolicy,
    ['shared', 'auto', 'supplementalPool'],
    `Invalid IOThreadsPolicy (${ioThreadsPolicy})`,
    { type: 'FieldValueInvalid' },
  );
  const count = ioThreads?.supplementalPoolThreadCount ?? 0;
  if (ioThreadsPolicy === 'supplementalPool' && count < 1) {
    const field = at.at('domain', 'ioThreads', 'supplementalPoolThreadCount');
    errors.push(
      ...mistake(
        'io-threads-count',
        field,
        'the number of iothreads needs to be set and positive for the dedicated policy',
        'set it to 1 or more',
        { got: count },
      ),
    );
  }
  return errors;
};

/** Confidential guests: their gates, and what they rule out. */
export const launchSecurityIsServed: InstanceRule = (spec, at, config) => {
  const security = spec.domain.launchSecurity;
  if (!security) return [];
  const path = at.at('domain', 'launchSecurity');
  const kinds = (['sev', 'snp', 'tdx'] as const).filter((kind) => security[kind]);
  if (kinds.length > 1)
    return mistake(
      'launch-security-one',
      path,
      'one and only one launchSecurity type must be specified',
      `keep one of ${kinds.join(', ')}`,
    );
  const errors: FieldError[] = [];
  const sev = security.sev ?? security.snp;
  if (sev && !config.hasGate('WorkloadEncryptionSEV'))
    errors.push(
      ...gateOff(
        'gate-sev',
        path,
        'WorkloadEncryptionSEV feature gate is not enabled in kubevirt-config',
        'WorkloadEncryptionSEV',
      ),
    );
  if (security.tdx && !config.hasGate('WorkloadEncryptionTDX'))
    errors.push(
      ...gateOff(
        'gate-tdx',
        path,
        'WorkloadEncryptionTDX feature gate is not enabled in kubevirt-config',
        'WorkloadEncryptionTDX',
      ),
    );
  const { bootloader } = spec.domain.firmware ?? {};
  if ((sev || security.tdx) && !bootloader?.efi) errors.push(...needsEfi(path));
  return errors;
};

function needsEfi(path: Path): FieldError[] {
  return mistake(
    'launch-security-efi',
    path,
    'launchSecurity requires OVMF (UEFI)',
    'set domain.firmware.bootloader.efi: {secureBoot: false}',
  );
}
