import type { Finding, Path } from '../findings';
import { arm64Buses, factsOfBus } from '../disk-buses';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { InstanceRule, mistake } from './rule';
import { mistakesOf } from '../mistakes';

type ArchitectureRule = (spec: VirtualMachineInstanceSpec, at: Path) => Finding[];

const videoTypes: Record<string, readonly string[]> = {
  amd64: ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs'],
  arm64: ['virtio', 'ramfb'],
  s390x: ['virtio'],
};

const unsupported = { type: 'FieldValueNotSupported' } as const;

const video: ArchitectureRule = (spec, at) => {
  const { video } = spec.domain.devices;
  if (!video) return [];
  const { type = '' } = video;
  const allowed = videoTypes[spec.architecture ?? ''];
  if (allowed.includes(type)) return [];
  const path = at.at('domain', 'devices', 'video', 'type');
  const message = `video model '${type}' is not supported on ${spec.architecture} architecture`;
  return mistake('video-type', path, message, 'use an allowed model', { value: video.type, allowed, ...unsupported });
};

/** Rejects every watchdog but the one that the architecture has. */
function watchdogIs(own: 'i6300esb' | 'diag288', message: string): ArchitectureRule {
  const other = own === 'i6300esb' ? 'diag288' : 'i6300esb';
  return ({ domain }, at) => {
    const { watchdog } = domain.devices;
    if (!watchdog || (watchdog[own] && !watchdog[other])) return [];
    return mistake('watchdog-type', at.at('domain', 'devices', 'watchdog'), message, `use ${own}: {}`, unsupported);
  };
}

const noBios: ArchitectureRule = ({ domain }, at) =>
  domain.firmware?.bootloader?.bios
    ? mistake(
        'arm64-bios',
        at.at('domain', 'firmware', 'bootloader', 'bios'),
        'Arm64 does not support bios boot, please change to uefi boot',
        'write efi: {secureBoot: false} instead',
        unsupported,
      )
    : [];

const hostPassthrough: ArchitectureRule = ({ domain }, at) => {
  const model = domain.cpu?.model;
  if (!model || model === 'host-passthrough') return [];
  const message = 'currently, host-passthrough is the only model supported on Arm64';
  return mistake('arm64-cpu-model', at.at('domain', 'cpu', 'model'), message, 'leave the model out', {
    value: model,
    ...unsupported,
  });
};

const armBuses: ArchitectureRule = ({ domain }, at) =>
  mistakesOf(domain.devices.disks ?? [], (disk, i) =>
    (['disk', 'cdrom', 'lun'] as const).flatMap((target) => {
      const bus = disk[target]?.bus;
      if (!bus || factsOfBus(bus)?.arm64) return [];
      const message = 'Arm64 not support this disk bus type, please use virtio or scsi';
      return mistake(
        'arm64-disk-bus',
        at.at('domain', 'devices', 'disks', i, target, 'bus'),
        message,
        'use virtio or scsi',
        { value: bus, allowed: arm64Buses(), ...unsupported },
      );
    }),
  );

/** Rejects a device that the architecture does not have. */
function absent(device: 'watchdog' | 'sound', message: string): ArchitectureRule {
  return ({ domain }, at) =>
    domain.devices[device]
      ? mistake(`arm64-${device}`, at.at('domain', 'devices', device), message, 'remove it', unsupported)
      : [];
}

const rules: Record<string, readonly ArchitectureRule[]> = {
  amd64: [watchdogIs('i6300esb', 'amd64 only supports I6300ESB watchdog device'), video],
  arm64: [
    noBios,
    hostPassthrough,
    armBuses,
    absent('watchdog', 'Arm64 not support Watchdog device'),
    absent('sound', 'Arm64 not support sound device'),
    video,
  ],
  s390x: [watchdogIs('diag288', 's390x only supports Diag288 watchdog device'), video],
};

/** Rejects features that the guest's architecture lacks. VMIs only: the webhook of VMs does not apply these rules. */
export const architectureHasDevices: InstanceRule = (spec, at) => {
  const wanted = spec.architecture ?? '';
  const own = Object.hasOwn(rules, wanted) ? rules[wanted] : undefined;
  if (own) return own.flatMap((rule) => rule(spec, at));
  const message = `unsupported architecture: ${wanted}`;
  return mistake('architecture', at.at('architecture'), message, 'use amd64, arm64 or s390x', {
    value: spec.architecture,
    allowed: Object.keys(rules),
  });
};
