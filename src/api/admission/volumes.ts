import { CLOUD_INIT_INLINE_LIMIT } from '../constants';
import type { ClusterConfig } from '../cluster-config';
import { type Finding, type Message, named, type Path, text } from '../findings';
import type { CloudInitNoCloudSource, HostDisk, Volume, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { imagePath } from './firmware';
import { duplicates, gateOff, InstanceRule, mistake } from './rule';
import { unitsOf } from './amounts';
import { mistakesOf } from '../mistakes';

/** Sources of a volume: every field except its name. */
export const volumeSources = [
  'containerDisk',
  'dataVolume',
  'persistentVolumeClaim',
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'sysprep',
  'emptyDisk',
  'ephemeral',
  'hostDisk',
  'configMap',
  'secret',
  'downwardAPI',
  'serviceAccount',
  'downwardMetrics',
  'memoryDump',
  'containerPath',
] as const satisfies readonly (keyof Volume)[];

/** Sources of which a guest may have one, and their names in messages. */
const single = [
  ['serviceAccount', 'serviceAccount'],
  ['downwardMetrics', 'downwardMetric'],
  ['memoryDump', 'memory dump'],
] as const;

export const volumes: InstanceRule = (spec, at, config) => {
  const all = spec.volumes ?? [];
  const path = at.at('volumes');
  const again = new Map(duplicates(all, ({ name }) => name).map((each) => [each.index, each]));
  return [
    ...mistakesOf(all, (volume, i) => [
      ...nameTaken(volume, path, i, again.get(i)?.first),
      ...dataVolumeIsNamed(volume, path.at(i)),
      ...oneSource(volume, path.at(i)),
      ...source(volume, path.at(i), config),
    ]),
    ...single.flatMap(([kind, title]) => {
      const more = all.flatMap((volume, i) => (volume[kind] ? [i] : [])).slice(1);
      if (more.length === 0) return [];
      const message = `${path} must have max one ${title} volume set`;
      return mistake('volume-single', path.at(more[0]), message, 'remove all but one', { field: `${path}` });
    }),
  ];
};

function nameTaken({ name: got }: Volume, at: Path, i: number, first: number | undefined): Finding[] {
  if (first === undefined) return [];
  const message = text`${at.at(i)} and ${at.at(first)} must not have the same Name.`;
  return mistake('volume-name-unique', at.at(i, 'name'), message, 'rename one of them', { value: got });
}

function dataVolumeIsNamed({ dataVolume }: Volume, path: Path): Finding[] {
  if (!dataVolume || dataVolume.name) return [];
  const extra = { type: 'FieldValueRequired', field: `${path.at('name')}` } as const;
  return mistake(
    'data-volume-named',
    path.at('dataVolume', 'name'),
    "DataVolume 'name' must be set",
    'write the name of a DataVolume',
    extra,
  );
}

function oneSource(volume: Volume, path: Path): Finding[] {
  const sources = volumeSources.filter((each) => volume[each]);
  if (sources.length === 1) return [];
  const remedy = sources.length === 0 ? 'add a source' : `keep one of ${sources.join(', ')}`;
  const message = `${path} must have exactly one source type set`;
  return mistake('volume-one-source', path, message, remedy, { value: sources, allowed: volumeSources });
}

/** Validates the fields of the source. */
function source(volume: Volume, path: Path, config: ClusterConfig): Finding[] {
  const errors: Finding[] = [];
  if (volume.cloudInitNoCloud) errors.push(...cloudInit(volume.cloudInitNoCloud, path.at('cloudInitNoCloud')));
  else if (volume.cloudInitConfigDrive) {
    errors.push(...cloudInit(volume.cloudInitConfigDrive, path.at('cloudInitConfigDrive')));
  }
  if (volume.downwardMetrics && !config.hasGate('DownwardMetrics')) {
    const message = 'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.';
    errors.push(...gateOff('gate-downward-metrics', path, message, 'DownwardMetrics'));
  }
  if (volume.hostDisk) errors.push(...hostDisk(volume.hostDisk, path, config));
  for (const [kind, field, name] of [
    ['configMap', 'name', volume.configMap?.name],
    ['secret', 'secretName', volume.secret?.secretName],
    ['serviceAccount', 'serviceAccountName', volume.serviceAccount?.serviceAccountName],
  ] as const) {
    if (!volume[kind] || name) continue;
    const own = path.at(kind, field);
    errors.push(...mistake('volume-source-named', own, `${own} is a required field`, 'write a name'));
  }
  return errors;
}

type DataKind = 'userData' | 'networkData';

function cloudInit(data: CloudInitNoCloudSource, path: Path): Finding[] {
  const user = inline(data, 'userData', path);
  const network = inline(data, 'networkData', path);
  const errors = [...user.errors, ...network.errors];
  if (user.sources > 0 || network.sources > 0) return errors;
  const message = `${path} must have at least one userdatasource or one networkdatasource set.`;
  return [...errors, ...mistake('cloud-init-empty', path, message, 'add userData')];
}

/** Validates one kind of data: it must have one source, and must not be too long to be stored in the VM. */
function inline(data: CloudInitNoCloudSource, kind: DataKind, path: Path): { sources: number; errors: Finding[] } {
  const secret = kind === 'userData' ? data.secretRef : data.networkDataSecretRef;
  const encoded = kind === 'userData' ? data.userDataBase64 : data.networkDataBase64;
  const plain = data[kind];
  const name = kind.toLowerCase();
  const errors: Finding[] = [];
  const decoded = decodeBase64(encoded ?? '');
  if (encoded && !decoded.valid) {
    const own = path.at(`${kind}Base64`);
    const message = `${own}.${path.parts.at(-1)}.${kind}Base64 is not a valid base64 value.`;
    errors.push(...mistake('cloud-init-base64', own, message, 'encode it with base64 -w0'));
  }
  const sources = [secret?.name, encoded, plain].filter(Boolean).length;
  if (sources > 1) {
    const sourceName = kind === 'userData' ? 'userdatasource' : 'networkdata source';
    errors.push(...mistake('cloud-init-one-source', path, `${path} must have only one ${sourceName} set.`, 'keep one'));
  }
  const length = plain ? Buffer.byteLength(plain) : decoded.length;
  if (length > CLOUD_INIT_INLINE_LIMIT) {
    const reference = kind === 'userData' ? 'UserDataSecretRef' : 'NetworkDataSecretRef';
    const message = `${path} ${name} exceeds ${CLOUD_INIT_INLINE_LIMIT} byte limit. Should use ${reference} for larger data.`;
    const remedy = 'put it into a Secret, and refer to the Secret';
    errors.push(...mistake('cloud-init-size', path, message, remedy, { value: length }));
  }
  return { sources, errors };
}

/** Decodes padded base64 with line breaks anywhere. The length of broken text is that of its valid beginning. */
function decodeBase64(text: string): { valid: boolean; length: number } {
  const joined = text.replace(/[\r\n]/g, '');
  if (joined.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(joined)) {
    return { valid: true, length: Math.floor((joined.replace(/=/g, '').length * 3) / 4) };
  }
  const sound = joined.search(/[^A-Za-z0-9+/]|$/);
  return { valid: false, length: Math.floor(sound / 4) * 3 };
}

function hostDisk({ path: file, type, capacity }: HostDisk, volume: Path, config: ClusterConfig): Finding[] {
  const at = volume.at('hostDisk');
  const errors: Finding[] = [];
  if (!config.hasGate('HostDisk')) {
    errors.push(...gateOff('gate-host-disk', volume, 'HostDisk feature gate is not enabled', 'HostDisk'));
  }
  if (!file) {
    const message = `${at.at('path')} is required for hostDisk volume`;
    errors.push(
      ...mistake('host-disk-path', at.at('path'), message, 'write the path of the file', {
        type: 'FieldValueNotFound',
      }),
    );
  }
  const allowed = ['Disk', 'DiskOrCreate'];
  if (!allowed.includes(type)) {
    const message = `${at.at('type')} has invalid value '${type}', allowed are 'Disk' or 'DiskOrCreate'`;
    errors.push(...mistake('host-disk-type', at.at('type'), message, 'use an allowed type', { value: type, allowed }));
  }
  if (type === 'Disk' && unitsOf(capacity) !== 0n) {
    const message = text`${at.at('capacity')} is allowed to pass only with ${at.at('type')} equal to 'DiskOrCreate'`;
    const remedy = 'remove capacity: the file already has a size';
    errors.push(...mistake('host-disk-capacity', at.at('capacity'), message, remedy, { value: capacity }));
  }
  return errors;
}

/** Validates the path of a disk in its image. */
export const containerDisks: InstanceRule = (spec, at) =>
  mistakesOf(spec.volumes ?? [], ({ containerDisk }, i) => {
    const path = at.at('volumes', i, 'containerDisk');
    if (!containerDisk?.path) return [];
    return imagePath(path.at('path'), containerDisk.path).map((error) => ({ ...error, field: `${path}` }));
  });

/** Utility volumes belong to the platform, which adds them only to running guests. */
export const noUtilityVolumes: InstanceRule = (spec, at) => {
  if (!spec.utilityVolumes) return [];
  const message = 'cannot create VMI with utility volumes in spec, utility volumes can only be added via hotplug';
  return mistake('utility-volumes', at.at('utilityVolumes'), message, 'remove them');
};

const reserved = ['/var/run/kubevirt', '/var/run/libvirt'];

/** Each volume of a VMI must have a disk or filesystem. VMIs only: a VM gets its missing disks when it starts. */
export function volumesAreAttached(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const disks = new Set((spec.domain.devices.disks ?? []).map(({ name }) => name));
  const filesystems = new Set((spec.domain.devices.filesystems ?? []).map(({ name }) => name));
  return mistakesOf(spec.volumes ?? [], ({ name, memoryDump, containerPath }, i) => {
    if (memoryDump) return [];
    const path = at.at('volumes', i);
    const field = at.at('domain', 'volumes', i);
    const errors: Finding[] = [];
    const report = (message: string | Message, remedy: string, ...below: string[]): void => {
      const own = path.at(...below);
      errors.push(...mistake('volume-attached', own, message, remedy, { field: `${field.at(...below)}` }));
    };
    if (!disks.has(name) && !filesystems.has(name)) {
      report(`${field.at('name')} '${name}' not found.`, 'add a disk or filesystem of this name', 'name');
    }
    if (!containerPath) return errors;
    if (disks.has(name)) {
      report(`ContainerPath volume '${name}' must be mapped to a filesystem, not a disk`, 'make the disk a filesystem');
    }
    if (!filesystems.has(name)) {
      const message = text`ContainerPath volume '${name}' must have a matching filesystem defined in ${named(at.at('domain', 'devices', 'filesystems'), 'spec.domain.devices.filesystems')}`;
      report(message, 'add {name, virtiofs: {}} to domain.devices.filesystems');
    }
    const prefix = reserved.find((each) => containerPath.path.startsWith(each));
    if (prefix) {
      const message = `ContainerPath volume '${name}' uses reserved path prefix '${prefix}'`;
      report(message, 'choose another path', 'containerPath', 'path');
    }
    return errors;
  });
}
