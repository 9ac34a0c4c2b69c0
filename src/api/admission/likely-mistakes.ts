import type { ClusterConfig } from '../cluster-config';
import { Finding, ofKubeVirt, Path, root, text } from '../findings';
import type {
  Disk,
  Interface,
  VirtualMachine,
  VirtualMachineInstanceSpec,
  VirtualMachineSpec,
  Volume,
} from '../generated/kubevirt-v1';
import { canonicalMac } from '../mac-address';
import type { ObjectMeta } from '../meta';
import { isLabelValue, isQualifiedName } from '../names';
import { attachedBuses, defaultBus, deviceOf, diskBuses, factsOfBus } from '../disk-buses';
import { amountOf, unitsOf } from './amounts';
import { memoryIsNamed } from './memory';
import { labelsFit } from './metadata';
import { duplicates, mistake, nearest } from './rule';

/**
 * Mistakes that the platform accepts: the guest would not start, or would differ from its manifest.
 * The webhook warns of them; in code they are errors. The object must have the right shape.
 */
export function likelyMistakesOfVm(vm: VirtualMachine, config: ClusterConfig, specAt = root.at('spec')): Finding[] {
  const { template, instancetype } = vm.spec;
  const at = specAt.at('template');
  const spec = template.spec as VirtualMachineInstanceSpec | null | undefined;
  return [
    ...longName(vm.metadata),
    ...strategy(vm.spec),
    ...labelsFit((template.metadata ?? {}) as ObjectMeta, at.at('metadata')),
    ...(spec?.domain ? likelyMistakesOfSpec(spec, at.at('spec'), config, vm.spec.preference !== undefined) : []),
    ...(spec?.domain && !instancetype && !isSized(spec) ? memoryIsNamed(spec, at.at('spec')) : []),
  ];
}

export function longName({ name = '' }: ObjectMeta): Finding[] {
  if (name.length <= 63) return [];
  const message = 'name must be no more than 63 characters: it becomes a label of the guest and its Pod';
  const extra = { value: name, type: 'FieldValueTooLong' } as const;
  return mistake('name-length', root.at('metadata', 'name'), message, 'shorten the name', extra);
}

function strategy({ updateVolumesStrategy: got }: VirtualMachineSpec): Finding[] {
  const allowed = ['Replacement', 'Migration'];
  if (!got || allowed.includes(got)) return [];
  const message = `Invalid updateVolumesStrategy (${got}), which is treated as Replacement`;
  const path = root.at('spec', 'updateVolumesStrategy');
  return mistake('update-volumes-strategy', path, message, nearest(got, allowed), { value: got, allowed });
}

/** Whether there is a memory limit, which sizes a guest without other memory. */
function isSized(spec: VirtualMachineInstanceSpec): boolean {
  return unitsOf(amountOf(spec, 'limits', 'memory')) !== 0n;
}

/** @param preferred whether a preference chooses the bus of disks without one */
export function likelyMistakesOfSpec(
  spec: VirtualMachineInstanceSpec,
  at: Path,
  config: ClusterConfig,
  preferred = false,
): Finding[] {
  const { disks, interfaces } = spec.domain.devices ?? {};
  return [
    ...zeroCpus(spec, at.at('domain', 'cpu')),
    ...memory(spec, at),
    ...uuid(spec, at.at('domain', 'firmware', 'uuid')),
    ...(disks ?? []).flatMap((disk, i) => serial(disk, at.at('domain', 'devices', 'disks', i, 'serial'))),
    ...(disks ?? []).flatMap((disk, i) => {
      const written = preferred ? undefined : defaultBus('lun', spec.architecture || config.defaultArchitecture);
      return lunBus(disk, written, at.at('domain', 'devices', 'disks', i, 'lun', 'bus'));
    }),
    ...(spec.volumes ?? []).flatMap((volume, i) => source(volume, at.at('volumes', i))),
    ...cloudInitOnce(spec.volumes ?? [], at.at('volumes')),
    ...links(interfaces ?? [], at.at('domain', 'devices', 'interfaces'), config),
    ...nodeLabels(spec.nodeSelector ?? {}, at.at('nodeSelector')),
  ];
}

function zeroCpus({ domain }: VirtualMachineInstanceSpec, at: Path): Finding[] {
  return (['cores', 'sockets', 'threads', 'maxSockets'] as const).flatMap((field) => {
    if (domain.cpu?.[field] !== 0) return [];
    const path = at.at(field);
    const message = `${path} '0': must be greater than 0`;
    return mistake('cpu-positive', path, message, 'use 1 or more, or leave it out', { value: 0 });
  });
}

const MEBIBYTE = 1024n * 1024n;

function memory(spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const got = spec.domain.memory?.guest;
  if (got === undefined || got === null) return [];
  const path = at.at('domain', 'memory', 'guest');
  const guest = unitsOf(got);
  if (guest < MEBIBYTE) {
    return mistake(
      'guest-memory-tiny',
      path,
      `${path} '${got}': no guest boots with so little memory`,
      'add a unit: 512Mi',
      {
        value: got,
      },
    );
  }
  const limit = amountOf(spec, 'limits', 'memory');
  if (unitsOf(limit) === 0n || guest <= unitsOf(limit)) return [];
  const limitPath = at.at('domain', 'resources', 'limits', 'memory');
  const message = text`${path} '${got}' must be equal to or less than the memory limit ${limitPath} '${limit}'`;
  return mistake('guest-memory-limit', path, message, 'raise the limit or lower the guest memory', { value: got });
}

function uuid({ domain }: VirtualMachineInstanceSpec, path: Path): Finding[] {
  const got = domain.firmware?.uuid;
  if (!got || /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i.test(got)) return [];
  const remedy = 'write it like 5d307ca9-b3ef-428c-8861-06e72d69f223, or leave it out';
  return mistake('firmware-uuid', path, `"${got}" is not a UUID: libvirt will reject the guest`, remedy, {
    value: got,
  });
}

/** libvirt rejects a LUN on a bus that cannot pass SCSI commands. `written`: the webhook's default bus. */
function lunBus(disk: Disk, written: string | undefined, path: Path): Finding[] {
  const bus = disk.lun?.bus || written;
  const facts = factsOfBus(bus);
  if (deviceOf(disk) !== 'lun' || !facts || facts.attached.includes('lun')) return [];
  const message = `libvirt cannot attach a LUN to the bus "${bus}", so the guest would not start`;
  return mistake('lun-bus', path, message, 'write bus: scsi', { value: bus, allowed: attachedBuses('lun') });
}

/** Reports a serial number that is longer than its bus transmits. */
function serial({ serial: got, disk }: Disk, path: Path): Finding[] {
  const most = (factsOfBus(disk?.bus) ?? diskBuses.scsi).serial;
  if (!got || got.length <= most || got.length > 256) return [];
  const message = `${path} must be less than or equal to ${most} in length: the guest sees only so many characters`;
  return mistake('disk-serial-length', path, message, 'shorten the serial number', { value: got });
}

function source({ containerDisk, hostDisk, persistentVolumeClaim: claim, sysprep }: Volume, at: Path): Finding[] {
  const empty = (path: Path): Finding[] => mistake('volume-source-named', path, `${path} is empty`, 'write a name');
  const file = hostDisk?.path;
  return [
    ...(containerDisk && !containerDisk.image ? empty(at.at('containerDisk', 'image')) : []),
    ...(claim && !claim.claimName ? empty(at.at('persistentVolumeClaim', 'claimName')) : []),
    ...(file && !file.startsWith('/')
      ? mistake('host-disk-path', at.at('hostDisk', 'path'), `"${file}" is not an absolute path`, 'start it with /', {
          value: file,
        })
      : []),
    ...(file?.endsWith('/')
      ? mistake('host-disk-path', at.at('hostDisk', 'path'), `"${file}" is a directory`, 'append the name of a file', {
          value: file,
        })
      : []),
    ...(sysprep && !sysprep.configMap && !sysprep.secret
      ? mistake('sysprep-source', at.at('sysprep'), 'sysprep has no source', 'name a configMap with autounattend.xml')
      : []),
  ];
}

function cloudInitOnce(volumes: readonly Volume[], at: Path): Finding[] {
  const carriers = volumes.flatMap((volume, i) =>
    (volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive) ? [i] : [],
  );
  if (carriers.length < 2) return [];
  const message = text`${at.at(carriers[1])} has cloud-init data, as ${at.at(carriers[0])} does, and the guest reads only one of them`;
  return mistake('cloud-init-once', at.at(carriers[1]), message, 'merge the two');
}

function links(interfaces: readonly Interface[], at: Path, config: ClusterConfig): Finding[] {
  return [
    ...duplicates(interfaces, ({ macAddress }) => (macAddress ? canonicalMac(macAddress) : undefined)).flatMap(
      ({ key, index }) => {
        const message = `MAC address ${key} is used by another interface of this VM`;
        return mistake('mac-unique', at.at(index, 'macAddress'), message, 'give each interface its own address', {
          value: key,
        });
      },
    ),
    ...interfaces.flatMap(({ binding }, i) => {
      const allowed = Object.keys(config.networkBindings);
      if (!binding || allowed.includes(binding.name)) return [];
      const message = `network binding plugin "${binding.name}" is not registered`;
      const remedy = text`add it to ${ofKubeVirt('network', 'binding')} of the KubeVirt object`;
      const extra = { value: binding.name, allowed };
      return mistake('binding-registered', at.at(i, 'binding', 'name'), message, remedy, extra);
    }),
  ];
}

function nodeLabels(selector: Record<string, string>, at: Path): Finding[] {
  return Object.entries(selector).flatMap(([key, value]) => {
    if (isQualifiedName(key) && isLabelValue(value)) return [];
    const message = `"${key}=${value}" is not a valid label, so no node has it`;
    return mistake('node-selector', at.at(key), message, 'use a label of nodes', { value: value });
  });
}
