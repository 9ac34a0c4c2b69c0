/** Disks of a guest: device, volume and DataVolume template as one property. Pure. */
import { bestBus } from '../../../api/disk-buses';
import { call, type Expression, object, value } from '../expression';
import { literal } from '../literal';
import { metadataOf } from '../metadata';
import { claimOf, sourceExpression, sourceOf } from './claim';
import type { Surroundings } from './kind';
import { choice, each, type Fields, fieldsOf, flag, itemsOf, named, number, onlyKey, size, some, text } from './values';

type Options = Readonly<Record<string, Expression | undefined>>;

/** Parts of a manifest that describe one disk. */
interface Parts {
  readonly name: string;
  readonly disk?: Fields;
  readonly filesystem?: Fields;
  readonly volume?: Fields;
  readonly template?: Fields;
}

/** Fields that affect how disks render. */
interface MadeDisk {
  _renderDisk(index: number): unknown;
  _renderVolume(index: number, owner: { name: string }): unknown;
  _renderFilesystem(index: number): unknown;
  _renderDataVolumeTemplate(index: number, owner: object): unknown;
}

const CLAIMS = ['PersistentVolumeClaim', 'DataVolume'];

/**
 * Maps the disks of a guest in their order; undefined if the value is not a list of disks.
 *
 * @param templates templates of DataVolumes that are created with the guest
 * @param preferred whether a preference sets the bus of disks without a bus
 */
export function disksOf(
  spec: Fields,
  templates: unknown,
  preferred: boolean,
  around: Surroundings,
): Expression | undefined {
  const parts = partsOf(spec, templates);
  if (!parts || parts.length === 0) return undefined;
  const disks = parts.map((each, index) => diskOf(each, index, preferred, around));
  return disks.every((disk) => disk !== undefined) ? { type: 'list', items: disks } : undefined;
}

function partsOf(spec: Fields, templates: unknown): Parts[] | undefined {
  const devices = fieldsOf(fieldsOf(spec.domain).devices);
  const disks = itemsOf(devices.disks ?? []);
  const filesystems = itemsOf(devices.filesystems ?? []);
  const volumes = itemsOf(spec.volumes ?? []);
  const made = itemsOf(templates ?? []);
  if (!disks || !filesystems || !volumes || !made) return undefined;
  const names = [...disks, ...filesystems, ...volumes].map(({ name }) => name);
  if (!names.every((name): name is string => typeof name === 'string')) return undefined;
  return [...new Set(names)].map((name) => {
    const volume = volumes.find((each) => each.name === name);
    const dataVolume = fieldsOf(volume?.dataVolume).name;
    return {
      name,
      disk: disks.find((each) => each.name === name),
      filesystem: filesystems.find((each) => each.name === name),
      volume,
      template: made.find((each) => dataVolume !== undefined && fieldsOf(each.metadata).name === dataVolume),
    };
  });
}

/** Most specific factory that renders the disk exactly, or the one that needs the fewest patches. */
function diskOf(parts: Parts, index: number, preferred: boolean, around: Surroundings): Expression | undefined {
  const { volume } = parts;
  const options = optionsOf(parts, index, preferred, around);
  if (!volume) return parts.disk ? call('Disk.emptyCdrom', object({ ...options, device: undefined })) : undefined;
  const { name: _, ...source } = volume;
  const typed = made(parts, source, options, around);
  const rendersVolume = (each: MadeDisk): unknown => [
    each._renderVolume(index, around.object),
    each._renderDataVolumeTemplate(index, ownerOf(around)) ?? null,
  ];
  const exact = typed && around.exact<MadeDisk>(typed, [volume, parts.template ?? null], rendersVolume);
  if (exact) return exact;
  // the platform adds these volumes without a disk
  if (!parts.disk && !parts.filesystem) return undefined;
  return call('Disk.of', literal(source, around.name), object(options));
}

/** A construct also renders its namespace. */
const ownerOf = ({ object: { name, namespace } }: Surroundings): object => ({ name, metadata: { namespace } });

function made(parts: Parts, source: Fields, options: Options, around: Surroundings): Expression | undefined {
  const key = onlyKey(source);
  const fields = fieldsOf(source[key ?? '']);
  const { name: givenName } = options;
  const hidden = { name: givenName };
  switch (key) {
    case 'containerDisk':
      return withSubject('Disk.containerDisk', text(fields.image), {
        ...options,
        path: text(fields.path),
        pullPolicy: choice(around, 'PullPolicy', fields.imagePullPolicy),
        pullSecret: named(around, 'Secret', fields.imagePullSecret),
      });
    case 'emptyDisk':
      return withSubject('Disk.emptyDisk', size(fields.capacity), options);
    case 'persistentVolumeClaim':
      return withSubject('Disk.persistentVolumeClaim', named(around, CLAIMS, fields.claimName), {
        ...options,
        hotpluggable: flag(fields.hotpluggable),
        readOnlyClaim: flag(fields.readOnly),
      });
    case 'dataVolume':
      return parts.template
        ? ownDisk(parts, parts.template, { ...options, hotpluggable: flag(fields.hotpluggable) }, around)
        : withSubject('Disk.dataVolume', named(around, 'DataVolume', fields.name), {
            ...options,
            hotpluggable: flag(fields.hotpluggable),
          });
    case 'ephemeral': {
      const claim = fieldsOf(fields.persistentVolumeClaim);
      const readOnlyClaim = flag(claim.readOnly);
      return withSubject('Disk.ephemeral', named(around, CLAIMS, claim.claimName), { ...options, readOnlyClaim });
    }
    case 'hostDisk':
      return withSubject('Disk.hostDisk', text(fields.path), {
        ...options,
        createWithSize: size(fields.capacity),
        shared: flag(fields.shared),
      });
    case 'configMap':
      return withSubject('Disk.configMap', named(around, 'ConfigMap', fields.name), filesOf(fields, options));
    case 'secret':
      return withSubject('Disk.secret', named(around, 'Secret', fields.secretName), filesOf(fields, options));
    case 'serviceAccount':
      return withSubject('Disk.serviceAccount', named(around, 'ServiceAccount', fields.serviceAccountName), options);
    case 'downwardAPI':
      return withSubject('Disk.downwardApi', each(fields.fields, downwardFile), {
        ...options,
        volumeLabel: text(fields.volumeLabel),
      });
    case 'downwardMetrics':
      return call('Disk.downwardMetrics', object(options));
    case 'sysprep': {
      const { configMap, secret } = fields;
      const cd = { ...options, device: isCd(parts) ? undefined : options.device };
      const map = named(around, 'ConfigMap', fieldsOf(configMap).name);
      if (map) return call('Disk.sysprepConfigMap', map, object(cd));
      return withSubject('Disk.sysprepSecret', named(around, 'Secret', fieldsOf(secret).name), cd);
    }
    case 'memoryDump':
      if (parts.disk || parts.filesystem) return undefined;
      return withSubject('Disk.memoryDump', named(around, CLAIMS, fields.claimName), {
        ...hidden,
        hotpluggable: flag(fields.hotpluggable),
        readOnly: flag(fields.readOnly),
      });
    case 'containerPath':
      return withSubject('Disk.containerPath', text(fields.path), { ...hidden, readOnly: flag(fields.readOnly) });
    default:
      return undefined;
  }
}

const withSubject = (factory: string, subject: Expression | undefined, options: Options): Expression | undefined =>
  subject && call(factory, subject, object(options));

const filesOf = ({ optional, volumeLabel }: Fields, options: Options): Options => ({
  ...options,
  optional: flag(optional),
  volumeLabel: text(volumeLabel),
});

function downwardFile({ path, fieldRef, resourceFieldRef, mode }: Fields): Expression | undefined {
  const file = text(path);
  if (file && fieldRef !== undefined) {
    const { fieldPath, apiVersion } = fieldsOf(fieldRef);
    const options = object({ mode: number(mode), apiVersion: text(apiVersion) });
    return call('DownwardApiFile.field', file, text(fieldPath), options);
  }
  const { containerName, resource, divisor } = fieldsOf(resourceFieldRef);
  const options = object({ mode: number(mode), divisor: text(divisor) });
  return file && call('DownwardApiFile.resource', file, text(containerName), text(resource), options);
}

/** Disk whose DataVolume is created with the VM. */
function ownDisk(parts: Parts, template: Fields, options: Options, around: Surroundings): Expression | undefined {
  const { metadata: templateMetadata, spec } = template;
  const { name, ...metadata } = fieldsOf(templateMetadata);
  const fields = fieldsOf(spec);
  const claim = claimOf(fields, around);
  const usual = name === `${around.object.name}-${parts.name}`;
  const dataVolumeMetadata = usual ? metadataOf(metadata, around.name) : metadataOf(templateMetadata, around.name);
  const all = { ...options, ...claim.options, dataVolumeMetadata };
  const source = sourceOf(fields, around);
  const factory = source && { ...source, factory: source.factory === 'claim' ? 'cloneOf' : source.factory };
  if (factory && (factory.subject || ['blank', 'upload'].includes(factory.factory))) {
    const both = object({ ...all, ...factory.options, ...(factory.isCopy ? { size: claim.size } : {}) });
    if (factory.isCopy) return call(`Disk.${factory.factory}`, factory.subject, both);
    if (claim.size) return call(`Disk.${factory.factory}`, factory.subject, claim.size, both);
  }
  const from = sourceExpression(fields, around);
  return from && call('Disk.from', from, object({ size: claim.size, ...all }));
}

/** Options of all disks. */
function optionsOf(
  { name, disk, filesystem, volume }: Parts,
  index: number,
  preferred: boolean,
  around: Surroundings,
): Options {
  const own = { name: name === `disk${index}` ? undefined : value(name) };
  if (filesystem) return { ...own, device: around.choice('DiskDevice', 'filesystem') };
  if (!disk) return own;
  const kind = kindOf(disk);
  const target = fieldsOf(disk[kind]);
  return {
    ...own,
    device: deviceOf(kind, target, around),
    bus: target.bus === defaultBus(kind, volume, preferred) ? undefined : choice(around, 'DiskBus', target.bus),
    bootOrder: number(disk.bootOrder),
    serial: text(disk.serial),
    readOnly: flag(target.readonly),
    cache: choice(around, 'DiskCache', disk.cache),
    io: choice(around, 'DiskIo', disk.io),
    dedicatedIoThread: flag(disk.dedicatedIOThread),
    errorPolicy: choice(around, 'DiskErrorPolicy', disk.errorPolicy),
    shareable: flag(disk.shareable),
    tag: text(disk.tag),
    blockSize: blockSize(disk.blockSize, around),
    changedBlockTracking: flag(disk.changedBlockTracking),
  };
}

const isCd = ({ disk }: Parts): boolean => disk?.cdrom !== undefined && fieldsOf(disk.cdrom).tray === undefined;

const kindOf = (disk: Fields): 'disk' | 'cdrom' | 'lun' =>
  disk.cdrom !== undefined ? 'cdrom' : disk.lun !== undefined ? 'lun' : 'disk';

function deviceOf(kind: 'disk' | 'cdrom' | 'lun', target: Fields, around: Surroundings): Expression | undefined {
  const { pciAddress, tray, reservation } = target;
  if (kind === 'disk') return pciAddress === undefined ? undefined : special('plain', { pciAddress: text(pciAddress) });
  const more = kind === 'cdrom' ? { tray: choice(around, 'CdromTray', tray) } : { reservation: flag(reservation) };
  return special(kind, more) ?? around.choice('DiskDevice', kind);
}

function special(factory: string, entries: Options): Expression | undefined {
  const options = some(entries);
  return options && call(`DiskDevice.${factory}`, options);
}

function defaultBus(
  kind: 'disk' | 'cdrom' | 'lun',
  volume: Fields | undefined,
  preferred: boolean,
): string | undefined {
  const source = onlyKey({ ...volume, name: undefined }) === undefined ? fieldsOf(volume) : {};
  const pluggable = ['persistentVolumeClaim', 'dataVolume'].some((key) => fieldsOf(source[key]).hotpluggable === true);
  if (preferred && !pluggable) return undefined;
  return bestBus(kind, pluggable);
}

/** Block sizes of a disk. */
export function blockSize(given: unknown, around: Surroundings): Expression | undefined {
  if (given === undefined) return undefined;
  const { custom, matchVolume } = fieldsOf(given);
  const { logical, physical, discardGranularity } = fieldsOf(custom);
  if (custom !== undefined && !(number(logical) && number(physical))) return undefined;
  const sizes = {
    logical: number(logical),
    physical: number(physical),
    discardGranularity: number(discardGranularity),
  };
  const enabled = fieldsOf(matchVolume).enabled;
  const made =
    custom === undefined
      ? call('DiskBlockSize.matchVolume', enabled === false ? value(false) : undefined)
      : call('DiskBlockSize.custom', object(sizes));
  return around.exact<{ _render(): unknown }>(made, given, (each) => each._render());
}
