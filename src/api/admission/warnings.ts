import { Path, root } from '../field-error';
import type {
  Disk,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  Volume,
} from '../generated/kubevirt-v1';
import type { AdmissionContext } from '../kinds/kind';
import type { ObjectMeta } from '../meta';
import { presetWarnings } from '../presets';
import { validateSchema } from '../schema';
import { unitsOf } from './amounts';
import { labelsFit } from './metadata';
import { networksOf } from './network';
import { duplicates } from './rule';

/** What is accepted, but deprecated, or will not do what it seems to. */
export function virtualMachineWarnings(vm: VirtualMachine, _context?: AdmissionContext): string[] {
  if (isMisshapen(vm)) return [];
  const { running, template, updateVolumesStrategy: strategy } = vm.spec;
  const at = root.at('spec', 'template');
  const metadata = (template.metadata ?? {}) as ObjectMeta;
  return [
    ...(running === undefined || running === null
      ? []
      : ['spec.running is deprecated, please use spec.runStrategy instead.']),
    ...(strategy && !['Replacement', 'Migration'].includes(strategy)
      ? [`spec.updateVolumesStrategy: "${strategy}" is unknown and means Replacement; write Replacement or Migration`]
      : []),
    ...labelsFit(metadata, at.at('metadata')).map(({ path, message }) => `${path}: ${message}: the VM cannot start`),
    ...longName(vm.metadata),
    ...(template.spec ? specWarnings(template.spec, at.at('spec')) : []),
  ];
}

export function virtualMachineInstanceWarnings(vmi: VirtualMachineInstance, _context?: AdmissionContext): string[] {
  if (isMisshapen(vmi)) return [];
  return [...presetWarnings(vmi), ...longName(vmi.metadata), ...specWarnings(vmi.spec, root.at('spec'))];
}

function isMisshapen(object: VirtualMachine | VirtualMachineInstance): boolean {
  return validateSchema(object).some(({ rule }) => rule === 'schema-type' || rule === 'schema-required');
}

function longName({ name = '' }: ObjectMeta): string[] {
  if (name.length <= 63) return [];
  return [`metadata.name: longer than 63 characters: the guest's host name and the Pod's labels have it shortened`];
}

function specWarnings(spec: VirtualMachineInstanceSpec, at: Path): string[] {
  const { firmware, memory, devices } = spec.domain;
  const { disks, interfaces } = devices ?? {};
  const warnings: string[] = [];
  const uuid = firmware?.uuid;
  if (uuid && !/^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i.test(uuid)) {
    warnings.push(`${at.at('domain', 'firmware', 'uuid')}: "${uuid}" is no UUID: libvirt will refuse the guest`);
  }
  const guest = memory?.guest;
  if (guest !== undefined && guest !== null && unitsOf(guest) < 1024n * 1024n) {
    warnings.push(`${at.at('domain', 'memory', 'guest')}: ${guest} is less than 1Mi: no guest boots with that`);
  }
  (disks ?? []).forEach((disk, i) => warnings.push(...serialWarning(disk, at.at('domain', 'devices', 'disks', i))));
  const clouds = (spec.volumes ?? []).filter((volume) => volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive);
  if (clouds.length > 1) {
    const names = clouds.map(({ name }) => `"${name}"`).join(', ');
    warnings.push(`${at.at('volumes')}: ${names} all carry cloud-init data: the guest reads only one of them`);
  }
  (spec.volumes ?? []).forEach((volume, i) => warnings.push(...sourceWarnings(volume, at.at('volumes', i))));
  for (const { key, index } of duplicates(interfaces ?? [], ({ macAddress }) => macAddress?.toLowerCase())) {
    const path = at.at('domain', 'devices', 'interfaces', index, 'macAddress');
    warnings.push(`${path}: ${key} is the address of another interface of this guest too`);
  }
  return [...warnings, ...networkWarnings(spec, at)];
}

/** Guests see less of a serial number than the platform keeps. */
function serialWarning({ serial, disk }: Disk, path: Path): string[] {
  const most = disk?.bus === 'virtio' ? 20 : 36;
  if (!serial || serial.length <= most) return [];
  return [`${path.at('serial')}: the guest sees only the first ${most} characters`];
}

function sourceWarnings(volume: Volume, path: Path): string[] {
  const { containerDisk, hostDisk, persistentVolumeClaim: claim, sysprep } = volume;
  const warnings: string[] = [];
  if (containerDisk && !containerDisk.image) warnings.push(`${path.at('containerDisk', 'image')}: it is empty`);
  if (claim && !claim.claimName) warnings.push(`${path.at('persistentVolumeClaim', 'claimName')}: it is empty`);
  if (hostDisk?.path && !hostDisk.path.startsWith('/')) {
    warnings.push(`${path.at('hostDisk', 'path')}: "${hostDisk.path}" is no absolute path: the guest cannot start`);
  }
  if (sysprep && !sysprep.configMap && !sysprep.secret) {
    warnings.push(`${path.at('sysprep')}: name a ConfigMap or Secret that holds autounattend.xml`);
  }
  return warnings;
}

function networkWarnings(spec: VirtualMachineInstanceSpec, at: Path): string[] {
  const warnings: string[] = [];
  networksOf(spec).forEach(({ genie }, i) => {
    if (!genie) return;
    const path = at.at('networks', i);
    const name = JSON.stringify(genie.networkName ?? '');
    warnings.push(
      `${path.at('genie')}: CNI-Genie is deprecated and no longer maintained; use Multus: ` +
        `${path.at('multus')}: {networkName: ${name}}`,
    );
  });
  (spec.domain.devices?.interfaces ?? []).forEach(({ slirp }, i) => {
    if (!slirp) return;
    const path = at.at('domain', 'devices', 'interfaces', i);
    warnings.push(`${path.at('slirp')}: slirp is deprecated; use ${path.at('passtBinding')}: {} or masquerade: {}`);
  });
  return warnings;
}
