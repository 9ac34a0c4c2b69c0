import type { Size } from 'cdk8s';
import { bestBus, type DiskDeviceName } from '../../api/disk-buses';
import type { DataVolumeTemplateSpec, Disk as DiskSpec, Filesystem, Volume } from '../../api/generated/kubevirt-v1';
import { defined } from '../defined';
import type { INamedObject } from '../resource';
import { mistakeInCode } from '../validation';
import type { DataVolumeSource } from './data-volume-source';
import { DiskDevice } from './disk-device';
import type { OwnDiskOptions, PluggableDiskOptions } from './disk-options';
import { namespaceOf } from './reference';
import { renderDataVolumeSpec } from './render';

/** Options and data of a disk. */
export interface DiskParts {
  readonly options: PluggableDiskOptions;
  /** Volume source. Undefined for an empty drive, and for a disk that is created together with its VM. */
  readonly volume?: Partial<Volume>;
  /** Source, size and options of a DataVolume that is created together with the VM. */
  readonly template?: { readonly source: DataVolumeSource; readonly size?: Size; readonly options: OwnDiskOptions };
  /** Device through which the guest sees the volume, if there is one. */
  readonly presentedAs: 'device' | 'filesystem' | 'nothing';
}

/** Options that only a device has. The guest mounts a directory by the name of the disk. */
const DEVICE_OPTIONS = [
  'blockSize',
  'bootOrder',
  'bus',
  'cache',
  'changedBlockTracking',
  'dedicatedIoThread',
  'errorPolicy',
  'hotpluggable',
  'io',
  'readOnly',
  'serial',
  'shareable',
  'tag',
] as const satisfies readonly (keyof PluggableDiskOptions)[];

/**
 * Returns how the guest sees a disk with these options.
 *
 * @throws if a directory has options that only a device has
 */
export function presentationOf(options: PluggableDiskOptions): DiskParts['presentedAs'] {
  if (options.device?.value !== DiskDevice.FILESYSTEM.value) return 'device';
  const ignored = DEVICE_OPTIONS.filter((option) => options[option] !== undefined && options[option] !== false);
  if (ignored.length > 0) {
    const cause = 'not used, because the guest mounts this volume as a directory with virtiofs';
    const remedy = 'remove it, or present the volume as a disk';
    mistakeInCode('Disk', ignored.join(', '), cause, remedy, 'disk-filesystem-options');
  }
  return 'filesystem';
}

/** Returns the name of the disk at this position. */
export function diskName({ options }: DiskParts, index: number): string {
  return options.name ?? `disk${index}`;
}

/** Renders the volume; undefined for an empty drive. `owner` creates the disk together with itself. */
export function renderVolume(parts: DiskParts, index: number, owner?: INamedObject): Volume | undefined {
  const { volume, template, options } = parts;
  const name = diskName(parts, index);
  if (!template) return volume && { name, ...volume };
  if (!owner) {
    const remedy = 'declare a DataVolume, and use Disk.dataVolume or Disk.ephemeral';
    mistakeInCode('Disk', name, 'only a VM or a pool can create a disk together with itself', remedy, 'disk-owner');
  }
  const { hotpluggable } = options;
  return { name, dataVolume: defined({ name: dataVolumeName(parts, index, owner), hotpluggable }) };
}

/**
 * Renders the disk as the guest sees it; undefined if it is not a disk. `busFromPreference` leaves a bus that is not set
 * to the VM's preference.
 */
export function renderDisk(parts: DiskParts, index: number, busFromPreference: boolean): DiskSpec | undefined {
  if (parts.presentedAs !== 'device') return undefined;
  const { options } = parts;
  const { device = DiskDevice.DISK, readOnly, hotpluggable = false } = options;
  // a preference could choose a bus that does not support hotplug
  const bus =
    options.bus?.value ??
    (busFromPreference && !hotpluggable ? undefined : bestBus(device.value as DiskDeviceName, hotpluggable));
  return defined({
    name: diskName(parts, index),
    [device.value]: {
      ...(bus ? { bus } : {}),
      ...(readOnly === undefined ? {} : { readonly: readOnly }),
      ...device._fields(),
    },
    bootOrder: options.bootOrder,
    serial: options.serial,
    cache: options.cache?.value as DiskSpec['cache'],
    io: options.io?.value as DiskSpec['io'],
    dedicatedIOThread: options.dedicatedIoThread,
    errorPolicy: options.errorPolicy?.value as DiskSpec['errorPolicy'],
    shareable: options.shareable,
    tag: options.tag,
    blockSize: options.blockSize?._render(),
    changedBlockTracking: options.changedBlockTracking,
  });
}

/** Renders the directory that is shared with the guest; undefined if the disk is not a directory. */
export function renderFilesystem(parts: DiskParts, index: number): Filesystem | undefined {
  return parts.presentedAs === 'filesystem' ? { name: diskName(parts, index), virtiofs: {} } : undefined;
}

/** Renders the DataVolume that is created together with a VM, or with each VM of a pool; undefined for existing data. */
export function renderDataVolumeTemplate(
  parts: DiskParts,
  index: number,
  owner: INamedObject,
): DataVolumeTemplateSpec | undefined {
  const { template } = parts;
  if (!template) return undefined;
  const metadata = { ...template.options.dataVolumeMetadata, name: dataVolumeName(parts, index, owner) };
  const namespace = metadata.namespace ?? namespaceOf(owner);
  return { metadata, spec: renderDataVolumeSpec(template.source, template.size, template.options, namespace) };
}

/**
 * Returns the parts of the same disk, hotpluggable.
 *
 * @throws if a volume of this kind cannot be plugged in while the guest runs
 */
export function asHotpluggable(parts: DiskParts): DiskParts {
  const { volume = {}, template } = parts;
  const options = { ...parts.options, hotpluggable: true };
  if (template) return { ...parts, options };
  const kind = (['dataVolume', 'persistentVolumeClaim'] as const).find((each) => volume[each]);
  if (!kind) {
    const cause = `a disk of type ${Object.keys(volume).join()} cannot be plugged in while the guest runs`;
    const remedy = 'use a claim or a DataVolume, or list the disk in `disks`';
    mistakeInCode('Disk', '', cause, remedy, 'disk-pluggable');
  }
  return { ...parts, options, volume: { [kind]: { ...volume[kind], hotpluggable: true } } };
}

/** Returns the name OWNER-DISK, unless the metadata sets one. The VMs of a pool append their number. */
function dataVolumeName(parts: DiskParts, index: number, owner: INamedObject): string {
  return parts.template?.options.dataVolumeMetadata?.name ?? `${owner.name}-${diskName(parts, index)}`;
}
