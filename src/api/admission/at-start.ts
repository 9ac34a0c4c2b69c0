/** Mistakes that the webhook of VMs accepts, and at which the instance of the VM is rejected or does not start. */
import type { Architecture, ClusterConfig } from '../cluster-config';
import { factsOfBus } from '../disk-buses';
import { defaultFeatures } from '../defaulting/features';
import type { Finding, Path } from '../findings';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { mistakesOf } from '../mistakes';
import { architectureHasDevices } from './architecture';
import { hypervDependenciesHold } from './hyperv';
import { mistake } from './rule';

/**
 * Reports what the webhook of instances will reject when the VM starts, and what libvirt lacks on the architecture.
 *
 * @param spec template of a VM, with its instance type and preference
 * @param architecture architecture of the guest; undefined if a preference may set it that only the cluster has
 */
export function rejectedAtStart(
  spec: VirtualMachineInstanceSpec,
  at: Path,
  config: ClusterConfig,
  architecture: Architecture | undefined,
): Finding[] {
  if (architecture === undefined) return [];
  const { devices, features } = spec.domain;
  const isUsual = architecture === 'amd64' && !devices?.watchdog && !devices?.video;
  const enlightened = features?.hyperv ? enlightenmentsHold(spec, at, config, architecture) : [];
  if (isUsual) return enlightened;
  const known = { ...spec, architecture, domain: { ...spec.domain, devices: devices ?? {} } };
  return [...enlightened, ...architectureHasDevices(known, at, config), ...architectureLacks(known, at)];
}

/** With the enlightenments that the defaults add. */
function enlightenmentsHold(
  spec: VirtualMachineInstanceSpec,
  at: Path,
  config: ClusterConfig,
  architecture: Architecture,
): Finding[] {
  const { features, cpu } = structuredClone({ features: spec.domain.features, cpu: spec.domain.cpu });
  const started = { ...spec, architecture, domain: { ...spec.domain, features, cpu } };
  defaultFeatures(started);
  return hypervDependenciesHold(started, at, config);
}

/** Devices and features that QEMU has on amd64 only. The webhook accepts them for each architecture. */
export function architectureLacks(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const { architecture } = spec;
  if (architecture !== 'arm64' && architecture !== 's390x') return [];
  const lacks = (has: unknown, what: string, ...fields: string[]): Finding[] => {
    if (!has) return [];
    const cause = `${architecture} has no ${what}, so the guest does not start`;
    return mistake('architecture-lacks', at.at('domain', ...fields), cause, 'remove it, or use amd64', {
      type: 'FieldValueNotSupported',
    });
  };
  const { features, clock, devices, firmware } = spec.domain;
  const timer = clock?.timer;
  // secure boot requires System Management Mode, and is on unless it is turned off
  const efi = firmware?.bootloader?.efi;
  const isSecure = architecture === 'arm64' && efi !== undefined && efi.secureBoot !== false;
  const x86 = [
    ...lacks(
      features?.hyperv && Object.keys(features.hyperv).length > 0,
      'Hyper-V enlightenments',
      'features',
      'hyperv',
    ),
    ...lacks(isOn(features?.hypervPassthrough), 'Hyper-V enlightenments', 'features', 'hypervPassthrough'),
    ...(isSecure ? [] : lacks(isOn(features?.smm), 'System Management Mode', 'features', 'smm')),
    ...lacks(isPresent(timer?.hyperv), 'Hyper-V clock', 'clock', 'timer', 'hyperv'),
    ...lacks(isPresent(timer?.kvm), 'KVM clock', 'clock', 'timer', 'kvm'),
    ...mistakesOf(devices?.panicDevices ?? [], ({ model }, i) =>
      architecture === 'arm64' && (model === 'isa' || model === 'hyperv')
        ? mistake(
            'architecture-lacks',
            at.at('domain', 'devices', 'panicDevices', i, 'model'),
            `${architecture} has no panic device of model ${model}, so the guest does not start`,
            'use pvpanic',
            { value: model, allowed: ['pvpanic'] },
          )
        : [],
    ),
  ];
  if (architecture === 'arm64') {
    if (!isSecure) return x86;
    const path = at.at('domain', 'firmware', 'bootloader', 'efi', 'secureBoot');
    const cause = 'the UEFI of arm64 has no secure boot, so the guest does not start';
    return [...mistake('arm64-secure-boot', path, cause, 'set secureBoot: false', { value: efi.secureBoot }), ...x86];
  }
  return [
    ...x86,
    ...lacks(efi, 'UEFI', 'firmware', 'bootloader', 'efi'),
    ...lacks(features?.acpi?.enabled === true, 'ACPI', 'features', 'acpi'),
    ...lacks(devices?.sound, 'sound cards', 'devices', 'sound'),
    ...lacks(devices?.tpm && devices.tpm.enabled !== false, 'TPM', 'devices', 'tpm'),
    ...mistakesOf(devices?.inputs ?? [], ({ bus }, i) =>
      bus === 'usb' ? noBus('usb', ['virtio'], at.at('domain', 'devices', 'inputs', i, 'bus')) : [],
    ),
    ...mistakesOf(devices?.disks ?? [], (disk, i) =>
      (['disk', 'cdrom', 'lun'] as const).flatMap((target) => {
        const bus = disk[target]?.bus;
        if (!bus || factsOfBus(bus)?.arm64 !== false) return [];
        return noBus(bus, ['virtio', 'scsi'], at.at('domain', 'devices', 'disks', i, target, 'bus'));
      }),
    ),
  ];
}

function noBus(bus: string, allowed: readonly string[], path: Path): Finding[] {
  const cause = `s390x has no ${bus} bus, so the guest does not start`;
  return mistake('architecture-lacks', path, cause, `use ${allowed.join(' or ')}`, { value: bus, allowed });
}

/** Whether a feature is in the spec and not disabled. */
const isOn = (feature: { enabled?: boolean } | undefined): boolean =>
  feature !== undefined && feature.enabled !== false;

const isPresent = (timer: { present?: boolean } | undefined): boolean => timer !== undefined && timer.present !== false;
