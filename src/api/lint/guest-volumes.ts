/** Volumes of a guest that the webhook accepts, but that Kubernetes rejects or the guest cannot use. */
import { mistake, nearest } from '../admission/rule';
import { pluggableBuses } from '../disk-buses';
import { type Finding, type Path } from '../findings';
import { isObject, type Json, listAt, objectAt, read, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

const POD_FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const AMOUNTS = ['limits', 'requests'].flatMap((kind) =>
  ['cpu', 'memory', 'ephemeral-storage'].map((resource) => `${kind}.${resource}`),
);
const HIGHEST_MODE = 0o777;
/** The label of a file system of ISO 9660 has 32 bytes. */
const LONGEST_LABEL = 32;
/** Container of the guest in its Pod. */
const GUEST_CONTAINER = 'compute';

/** Kubernetes has these rules for the volume of the Pod, and rejects the Pod. */
const volumes: Rule = (spec, at) => {
  const errors: Finding[] = [];
  listAt(spec, 'volumes').forEach((volume, i) => {
    const fields = listAt(volume, 'downwardAPI', 'fields');
    if (fields.length > 0) errors.push(...downwardApi(fields, at.at('volumes', i, 'downwardAPI', 'fields')));
    for (const kind of ['configMap', 'secret', 'downwardAPI']) {
      const label = textAt(volume, kind, 'volumeLabel');
      if (label === undefined || Buffer.byteLength(label) <= LONGEST_LABEL) continue;
      const cause = `"${label}" has ${Buffer.byteLength(label)} bytes, and the label of a CD has at most ${LONGEST_LABEL}`;
      const path = at.at('volumes', i, kind, 'volumeLabel');
      errors.push(...mistake('volume-label', path, cause, 'shorten the label', { value: label }));
    }
  });
  return errors;
};

function downwardApi(files: readonly Json[], at: Path): Finding[] {
  const paths = new Set<string>();
  return files.flatMap((file, i) => {
    const path = textAt(file, 'path');
    const errors = path === undefined ? [] : filePath(path, paths.has(path), at.at(i, 'path'));
    if (path !== undefined) paths.add(path);
    return [...errors, ...fileField(file, at.at(i)), ...fileAmount(file, at.at(i)), ...fileMode(file, at.at(i))];
  });
}

function filePath(path: string, isTaken: boolean, at: Path): Finding[] {
  const extra = { value: path };
  if (path.startsWith('/') || path.split('/').includes('..')) {
    const cause = `"${path}" is not a path on the disk: Kubernetes rejects the Pod of the guest`;
    return mistake('downward-api-path', at, cause, 'write a relative path without .., such as labels', extra);
  }
  if (!isTaken) return [];
  const cause = `two files have the path "${path}", and the later one replaces the other`;
  return mistake('downward-api-path', at, cause, 'give each file its own path', {
    ...extra,
    type: 'FieldValueDuplicate',
  });
}

function fileField(file: Json, at: Path): Finding[] {
  const got = textAt(file, 'fieldRef', 'fieldPath');
  const [, field] = /^(metadata\.(?:labels|annotations))\['[^']*'\]$/.exec(got ?? '') ?? [];
  if (got === undefined || POD_FIELDS.includes(field ?? got)) return [];
  const cause = `a volume cannot contain the field "${got}" of the Pod: Kubernetes rejects the Pod of the guest`;
  const extra = { value: got, allowed: POD_FIELDS };
  return mistake('downward-api-field', at.at('fieldRef', 'fieldPath'), cause, nearest(got, POD_FIELDS), extra);
}

function fileAmount(file: Json, at: Path): Finding[] {
  const ref = objectAt(file, 'resourceFieldRef');
  if (!ref) return [];
  const got = textAt(ref, 'resource');
  const container = textAt(ref, 'containerName');
  const isKnown = got === undefined || AMOUNTS.includes(got) || /^(limits|requests)\.hugepages-/.test(got);
  const errors = isKnown
    ? []
    : mistake(
        'downward-api-resource',
        at.at('resourceFieldRef', 'resource'),
        `"${got}" is not an amount that a container has: Kubernetes rejects the Pod of the guest`,
        nearest(got, AMOUNTS),
        { value: got, allowed: AMOUNTS },
      );
  if (container !== undefined) return errors;
  const cause = 'the file must name the container whose amount it contains';
  const path = at.at('resourceFieldRef', 'containerName');
  return [
    ...errors,
    ...mistake('downward-api-resource', path, cause, `write ${GUEST_CONTAINER}, the container of the guest`),
  ];
}

function fileMode(file: Json, at: Path): Finding[] {
  const got = read(file, 'mode');
  if (typeof got !== 'number' || (got >= 0 && got <= HIGHEST_MODE)) return [];
  const meant = /^[0-7]{3}$/.test(`${got}`) ? `0o${got} (YAML: 0${got})` : '0o644 (YAML: 0644)';
  const cause = `${got} is not a file mode from 0 to 0o777 (${HIGHEST_MODE}): Kubernetes rejects the Pod of the guest`;
  return mistake('downward-api-mode', at.at('mode'), cause, `write ${meant}`, { value: got });
}

/** Volumes without a directory in the Pod that virtiofs could share. */
const WITHOUT_DIRECTORY = ['emptyDisk', 'cloudInitNoCloud', 'cloudInitConfigDrive', 'downwardMetrics'];

const filesystems: Rule = (spec, at) => {
  const folders = listAt(spec, 'domain', 'devices', 'filesystems');
  if (folders.length === 0) return [];
  const all = listAt(spec, 'volumes');
  return folders.flatMap(({ name }, i) => {
    const volume = all.find((each) => each.name === name);
    const source = WITHOUT_DIRECTORY.find((each) => isObject(volume?.[each]));
    if (source === undefined) return [];
    const cause = `the ${source} "${String(name)}" has no directory that virtiofs could share: Kubernetes rejects the Pod of the guest`;
    const remedy = 'use a claim, a DataVolume, a ConfigMap or a Secret, or present the volume as a disk';
    return mistake('virtiofs-volume', at.at('domain', 'devices', 'filesystems', i), cause, remedy);
  });
};

/** Disk of a guest. */
interface GuestDisk {
  readonly disk: Json;
  readonly path: Path;
  readonly device: 'disk' | 'lun';
}

/** Returns the disk that presents a volume; undefined if a file system does, or nothing. */
function diskOf(volume: Json, spec: Json, at: Path): GuestDisk | undefined {
  const disks = listAt(spec, 'domain', 'devices', 'disks');
  const i = disks.findIndex(({ name }) => name === volume.name);
  if (i < 0) return undefined;
  return {
    disk: disks[i],
    path: at.at('domain', 'devices', 'disks', i),
    device: disks[i].lun ? 'lun' : 'disk',
  };
}

/** libvirt attaches a disk to a running guest on these buses only. A CD is inserted into a drive that exists. */
const hotplug: Rule = (spec, at) => {
  const errors: Finding[] = [];
  for (const volume of listAt(spec, 'volumes')) {
    const pluggable =
      read(volume, 'dataVolume', 'hotpluggable') === true ||
      read(volume, 'persistentVolumeClaim', 'hotpluggable') === true;
    const found = pluggable ? diskOf(volume, spec, at) : undefined;
    if (!found) continue;
    const { disk, path, device } = found;
    const bus = textAt(disk, device, 'bus');
    const allowed: string[] = pluggableBuses(device);
    if (bus === undefined || allowed.includes(bus)) continue;
    const cause = `disk "${String(volume.name)}" is hotpluggable, and libvirt cannot plug a disk into the bus ${bus}`;
    const remedy = `write ${allowed[0]}, or leave it out`;
    errors.push(...mistake('hotplug-bus', path.at(device, 'bus'), cause, remedy, { value: bus, allowed }));
  }
  return errors;
};

/** Kubernetes mounts the claim read-only, and QEMU does not open the disk for writing. */
const readOnlyClaims: Rule = (spec, at) => {
  const errors: Finding[] = [];
  for (const volume of listAt(spec, 'volumes')) {
    if (read(volume, 'persistentVolumeClaim', 'readOnly') !== true) continue;
    const found = diskOf(volume, spec, at);
    if (!found) continue;
    const { disk, path, device } = found;
    if (disk.cdrom || read(disk, device, 'readonly') === true) continue;
    const cause = `the claim of disk "${String(volume.name)}" is mounted read-only, and the disk is writable: the guest does not start`;
    const remedy = 'write readonly: true, or mount the claim for writing';
    errors.push(...mistake('disk-claim-readonly', path.at(device, 'readonly'), cause, remedy));
  }
  return errors;
};

/** libvirt assigns each fixed address once. */
const pciAddresses: Rule = (spec, at) => {
  let taken: Map<string, string> | undefined;
  const errors: Finding[] = [];
  for (const list of ['disks', 'interfaces'] as const) {
    listAt(spec, 'domain', 'devices', list).forEach((device, i) => {
      const fields = list === 'disks' ? ['disk', 'pciAddress'] : ['pciAddress'];
      const got = textAt(device, ...fields);
      if (got === undefined) return;
      taken ??= new Map();
      const other = taken.get(got.toLowerCase());
      taken.set(got.toLowerCase(), other ?? String(device.name));
      if (other === undefined) return;
      const cause = `"${other}" has the PCI address ${got}, too: libvirt does not start the guest`;
      const extra = { value: got, type: 'FieldValueDuplicate' } as const;
      const path = at.at('domain', 'devices', list, i, ...fields);
      errors.push(...mistake('pci-address-unique', path, cause, 'give each device its own address', extra));
    });
  }
  return errors;
};

/** Volumes from which no firmware boots; an empty disk is empty again at each start. */
const NEVER_BOOTS = new Set([
  'emptyDisk',
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'configMap',
  'secret',
  'serviceAccount',
  'downwardAPI',
  'downwardMetrics',
  'sysprep',
]);

/** Reports an empty disk where a guest has no other disk, no kernel and no network to boot from. */
const boots: Rule = (spec, at) => {
  const all = listAt(spec, 'volumes');
  const empty = all.findIndex(({ emptyDisk }) => isObject(emptyDisk));
  if (empty < 0) return [];
  const isUseless = (volume: Json): boolean =>
    Object.keys(volume).every((key) => key === 'name' || NEVER_BOOTS.has(key));
  if (!all.every(isUseless) || objectAt(spec, 'domain', 'firmware', 'kernelBoot')) return [];
  const names = new Set(all.map(({ name }) => name));
  // a CD can be inserted into an empty drive
  if (listAt(spec, 'domain', 'devices', 'disks').some((disk) => disk.cdrom && !names.has(disk.name))) return [];
  const cards = listAt(spec, 'domain', 'devices', 'interfaces');
  if (cards.some(({ bootOrder }) => bootOrder !== undefined)) return [];
  const cause = `the guest has nothing to boot from: an emptyDisk is empty at each start, and no network has a boot order`;
  const remedy = 'add a disk with an operating system, such as Disk.containerDisk or Disk.registry (a DataVolume)';
  return mistake('boot-nothing', at.at('volumes', empty), cause, remedy);
};

/** An empty disk that the guest cannot write stays empty. */
const emptyDisks: Rule = (spec, at) => {
  const errors: Finding[] = [];
  listAt(spec, 'volumes').forEach((volume) => {
    if (!isObject(volume.emptyDisk)) return;
    const found = diskOf(volume, spec, at);
    if (!found || read(found.disk, 'disk', 'readonly') !== true) return;
    const cause = `disk "${String(volume.name)}" is empty, and the guest cannot write to it`;
    const path = found.path.at('disk', 'readonly');
    errors.push(...mistake('disk-empty-readonly', path, cause, 'remove readOnly', { value: true }));
  });
  return errors;
};

/** The image of the virtio drivers is a CD, which Windows does not mount as a hard disk. */
const driverCds: Rule = (spec, at) => {
  const errors: Finding[] = [];
  for (const volume of listAt(spec, 'volumes')) {
    const image = textAt(volume, 'containerDisk', 'image');
    if (image === undefined || !/(^|\/)virtio-container-disk([:@]|$)/.test(image)) continue;
    const found = diskOf(volume, spec, at);
    if (!found?.disk.disk) continue;
    const cause = `"${image}" contains the image of a CD, and disk "${String(volume.name)}" is a hard disk: Windows does not see the drivers`;
    const extra = { value: 'disk', allowed: ['cdrom'] };
    errors.push(...mistake('drivers-cdrom', found.path.at('disk'), cause, 'write cdrom: {bus: sata}', extra));
  }
  return errors;
};

/** Rules about the volumes of a guest. */
export const volumeValues: readonly Rule[] = [
  volumes,
  filesystems,
  hotplug,
  readOnlyClaims,
  pciAddresses,
  boots,
  emptyDisks,
  driverCds,
];
