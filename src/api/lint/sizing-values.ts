/** Instance types and preferences whose values fail in each VM that uses them, or are ignored there. */
import { duplicates, mistake } from '../admission/rule';
import { ARCHITECTURES } from '../cluster-config';
import { acceptedBuses, attachedBuses, DISK_BUSES } from '../disk-buses';
import { type Finding, root } from '../findings';
import { kindOf } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { isDnsLabel, isLabelValue, isQualifiedName } from '../names';
import { tryParseQuantity } from '../quantity';
import { zoneExists } from '../time-zone';
import { notAllowed } from './guest-boot';
import { cpuFeatures, cpuModel, hypervValues, realtimeMask } from './guest-cpu';
import { type Json, listAt, objectAt, read, textAt } from './read';

const at = root.at('spec');

/** Returns the mistakes in an instance type or preference. */
export function sizingValues(object: KubeObject): Finding[] {
  const kind = kindOf(object) ?? '';
  const spec = kind.endsWith('type') || kind.endsWith('Preference') ? objectAt(object, 'spec') : undefined;
  if (!spec) return [];
  return kind.endsWith('Preference') ? preferenceValues(spec) : instancetypeValues(spec);
}

const instancetypeValues = (spec: Json): Finding[] => [
  ...size(spec),
  ...cpuModel(textAt(spec, 'cpu', 'model'), at.at('cpu', 'model')),
  ...realtimeMask(textAt(spec, 'cpu', 'realtime', 'mask'), vcpusOf(spec), at.at('cpu', 'realtime', 'mask')),
  ...choice(spec, ['shared', 'auto', 'supplementalPool'], 'ioThreadsPolicy'),
  ...nodeSelector(spec),
  ...devices(spec),
];

const vcpusOf = (spec: Json): number | undefined => {
  const guest = read(spec, 'cpu', 'guest');
  return typeof guest === 'number' ? guest : undefined;
};

/** The VM cannot correct these: it must not set what its instance type sets. */
function size(spec: Json): Finding[] {
  const vcpus = vcpusOf(spec);
  const [guest, most, page] = [
    read(spec, 'memory', 'guest'),
    read(spec, 'memory', 'maxGuest'),
    read(spec, 'memory', 'hugepages', 'pageSize'),
  ].map((got) => (got === undefined ? undefined : tryParseQuantity(got)?.nanos));
  const memory = at.at('memory');
  return [
    ...(vcpus !== undefined && vcpus < 1
      ? mistake(
          'instancetype-size',
          at.at('cpu', 'guest'),
          `a guest has at least 1 vCPU, not ${vcpus}`,
          'use 1 or more',
          {
            value: vcpus,
          },
        )
      : []),
    ...(guest !== undefined && most !== undefined && most < guest
      ? mistake(
          'instancetype-size',
          memory.at('maxGuest'),
          `the maximum memory is less than the memory of the guest, ${String(read(spec, 'memory', 'guest'))}`,
          'use more, or leave it out',
          { value: read(spec, 'memory', 'maxGuest') },
        )
      : []),
    ...(guest !== undefined && page !== undefined && page > 0n && guest % page !== 0n
      ? mistake(
          'instancetype-size',
          memory.at('guest'),
          `the memory is not a multiple of the size of its huge pages, ${String(read(spec, 'memory', 'hugepages', 'pageSize'))}`,
          'use a multiple, or smaller pages',
          { value: read(spec, 'memory', 'guest') },
        )
      : []),
  ];
}

function nodeSelector(spec: Json): Finding[] {
  return Object.entries(objectAt(spec, 'nodeSelector') ?? {}).flatMap(([key, value]) => {
    if (typeof value !== 'string' || (isQualifiedName(key) && isLabelValue(value))) return [];
    const cause = `"${key}=${value}" is not a valid label, so no node has it`;
    return mistake('node-selector', at.at('nodeSelector', key), cause, 'use a label of nodes', { value });
  });
}

function devices(spec: Json): Finding[] {
  const list = (['gpus', 'hostDevices'] as const).flatMap((kind) =>
    listAt(spec, kind).map((device, i) => ({ device, path: at.at(kind, i) })),
  );
  return [
    ...duplicates(list, ({ device }) => textAt(device, 'name')).flatMap(({ key, index }) => {
      const extra = { value: key, type: 'FieldValueDuplicate' } as const;
      const cause = `two devices are called "${key}"`;
      return mistake('device-name-unique', list[index].path.at('name'), cause, 'rename one of them', extra);
    }),
    ...list.flatMap(({ device, path }) => {
      const value = textAt(device, 'deviceName');
      if (value === undefined || value.includes('/')) return [];
      const cause = `"${value}" is not the name of a resource: Kubernetes rejects the Pod`;
      const remedy = 'write it like nvidia.com/GA102GL_A10';
      return mistake('device-resource-name', path.at('deviceName'), cause, remedy, { value });
    }),
  ];
}

function choice(spec: Json, allowed: readonly string[], ...fields: string[]): Finding[] {
  const got = textAt(spec, ...fields);
  return got === undefined || allowed.includes(got) ? [] : notAllowed(got, allowed, at.at(...fields));
}

/** Preferred values that VMs take over, and their webhook or libvirt then rejects. */
const CHOICES: readonly (readonly [field: string, allowed: readonly string[]])[] = [
  ['preferredDiskBus', DISK_BUSES],
  ['preferredCdromBus', acceptedBuses('cdrom').filter((bus) => attachedBuses('cdrom').includes(bus))],
  ['preferredLunBus', attachedBuses('lun')],
  ['preferredDiskCache', ['none', 'writethrough', 'writeback']],
  ['preferredDiskIO', ['native', 'threads']],
  ['preferredInputBus', ['usb', 'virtio']],
  ['preferredInputType', ['tablet']],
  ['preferredInterfaceModel', ['e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139', 'virtio']],
  ['preferredPanicDeviceModel', ['hyperv', 'isa', 'pvpanic']],
  ['preferredSoundModel', ['ich9', 'ac97']],
  ['preferredVideoType', ['vga', 'cirrus', 'virtio', 'ramfb', 'bochs']],
];

const preferenceValues = (spec: Json): Finding[] => [
  ...(objectAt(spec, 'devices') ? CHOICES.flatMap(([field, allowed]) => choice(spec, allowed, 'devices', field)) : []),
  ...choice(spec, ARCHITECTURES, 'preferredArchitecture'),
  ...choice(spec, ARCHITECTURES, 'requirements', 'architecture'),
  ...architectures(spec),
  ...cpuFeatures(listAt(spec, 'cpu', 'preferredCPUFeatures'), at.at('cpu', 'preferredCPUFeatures')),
  ...hypervValues(objectAt(spec, 'features', 'preferredHyperv'), at.at('features', 'preferredHyperv')),
  ...boot(spec),
  ...others(spec),
];

function architectures(spec: Json): Finding[] {
  const preferred = textAt(spec, 'preferredArchitecture');
  const required = textAt(spec, 'requirements', 'architecture');
  if (preferred === undefined || required === undefined || preferred === required) return [];
  const cause = `the preference requires ${required}, so it rejects each VM that takes over ${preferred}`;
  const extra = { value: preferred, allowed: [required] };
  return mistake('preference-architecture', at.at('preferredArchitecture'), cause, 'make both the same', extra);
}

/** BIOS comes first, and the other settings are for a VM that boots with UEFI. */
function boot(spec: Json): Finding[] {
  const firmware = objectAt(spec, 'firmware');
  if (read(firmware, 'preferredUseBios') !== true) return [];
  const field = ['preferredEfi', 'preferredUseEfi'].find(
    (each) => ![undefined, false].includes(read(firmware, each) as false),
  );
  if (field === undefined) return [];
  const cause = 'the preference prefers BIOS and UEFI, and VMs boot with BIOS';
  return mistake('preference-boot', at.at('firmware', field), cause, 'keep one');
}

function others(spec: Json): Finding[] {
  const zone = textAt(spec, 'clock', 'preferredClockOffset', 'timezone');
  const subdomain = textAt(spec, 'preferredSubdomain');
  const seconds = read(spec, 'preferredTerminationGracePeriodSeconds');
  return [
    ...(zone === undefined || zoneExists(zone)
      ? []
      : mistake(
          'clock-time-zone',
          at.at('clock', 'preferredClockOffset', 'timezone'),
          `"${zone}" is not a time zone`,
          'write one like Europe/Berlin',
          { value: zone },
        )),
    ...(subdomain === undefined || isDnsLabel(subdomain)
      ? []
      : mistake(
          'preference-subdomain',
          at.at('preferredSubdomain'),
          `"${subdomain}" is not a DNS label: VMs that take it over are rejected`,
          'use up to 63 lower case letters, digits and dashes',
          { value: subdomain },
        )),
    ...(typeof seconds === 'number' && seconds < 0
      ? mistake(
          'preference-grace-period',
          at.at('preferredTerminationGracePeriodSeconds'),
          `a guest cannot have ${seconds} seconds to shut down`,
          'use 0 or more',
          { value: seconds },
        )
      : []),
  ];
}
