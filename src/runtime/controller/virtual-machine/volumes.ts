/** Hotpluggable volumes of a VM, which its running guest gets and loses without a restart. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type {
  ClusterConfig,
  Disk,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  Volume,
} from '../../../api';
import { canonicalForm } from '../../../api/defaulting/canonical';
import { fillInstanceSpec } from '../../../api/defaulting/instance';
import { keys } from '../../../api/keys';
import { hotplugClaim, isHotpluggable, isPluggableDisk } from '../../../api/hotplug-volumes';

type Storage = Pick<VirtualMachineInstanceSpec, 'volumes' | 'domain'>;

/** Volumes and disks for the running guest. */
export interface StorageChange {
  readonly volumes: Volume[];
  readonly disks: Disk[];
}

const byName = <T extends { name: string }>(list: readonly T[] = []): Map<string, T> =>
  new Map(list.map((item) => [item.name, item]));

/** Keyed by the specs in the cache, which are never modified. */
const pluggable = new WeakMap<VirtualMachine['spec'], boolean>();

/** Whether the VM has hotpluggable volumes. */
function hasPluggable(spec: VirtualMachine['spec']): boolean {
  const known = pluggable.get(spec) ?? spec.template.spec?.volumes?.some(isHotpluggable) ?? false;
  pluggable.set(spec, known);
  return known;
}

/** Storage of the VM's template, with the defaults of the webhook. */
function templateStorage({ metadata, spec }: VirtualMachine, config: ClusterConfig): Storage {
  const copy = canonicalForm(spec.template.spec ?? ({ domain: { devices: {} } } as VirtualMachineInstanceSpec));
  fillInstanceSpec(copy, config, metadata.name ?? '');
  return copy;
}

/**
 * The volumes and disks that the running guest gets, so that the hotpluggable ones are those of its VM; undefined if they are.
 * A medium that is replaced is removed first: it is added when the volume's status shows that the guest has released the old one.
 */
export function storageChange(
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
  config: ClusterConfig,
): StorageChange | undefined {
  if (!hasPluggable(vm.spec) && !vmi.spec.volumes?.some(isHotpluggable)) return undefined;
  const wanted = templateStorage(vm, config);
  const { volumes = [] } = vmi.spec;
  const { disks = [] } = vmi.spec.domain.devices;
  const [wantedVolumes, wantedDisks] = [byName(wanted.volumes), byName(wanted.domain.devices.disks)];
  const [oldVolumes, oldDisks] = [byName(volumes), byName(disks)];
  const busy = new Set((vmi.status?.volumeStatus ?? []).map(({ name }) => name));
  const ephemeral = new Set(ephemeralVolumes(vmi));
  const isRemoved = (volume: Volume): boolean => {
    const next = wantedVolumes.get(volume.name);
    if (!isHotpluggable(volume) || ephemeral.has(volume.name)) return false;
    const isDrive = oldDisks.get(volume.name)?.cdrom !== undefined;
    return !next || (isDrive && isHotpluggable(next) && hotplugClaim(next) !== hotplugClaim(volume));
  };
  const isAdded = (volume: Volume): boolean => {
    const { name } = volume;
    if (!isHotpluggable(volume) || oldVolumes.has(name) || busy.has(name)) return false;
    const [disk, drive] = [wantedDisks.get(name), oldDisks.get(name)];
    if (disk?.cdrom) return drive?.cdrom !== undefined;
    return disk !== undefined && !drive && isPluggableDisk(disk);
  };
  const removed = new Set(volumes.filter(isRemoved).map(({ name }) => name));
  const added = (wanted.volumes ?? []).filter(isAdded);
  if (removed.size === 0 && added.length === 0) return undefined;
  return {
    volumes: [...volumes.filter(({ name }) => !removed.has(name)), ...added],
    disks: [
      ...disks.filter(({ name, cdrom }) => cdrom !== undefined || !removed.has(name)),
      ...added.flatMap(({ name }) => (oldDisks.has(name) ? [] : (wantedDisks.get(name) ?? []))),
    ],
  };
}

/** Whether a hotplugged disk of the guest was changed in the VM: it would have to be detached and attached again. */
export function hasChangedDisk(vm: VirtualMachine, vmi: VirtualMachineInstance, config: ClusterConfig): boolean {
  if (!vmi.spec.volumes?.some(isHotpluggable)) return false;
  const wanted = templateStorage(vm, config);
  const [volumes, disks] = [byName(wanted.volumes), byName(wanted.domain.devices.disks)];
  const own = byName(vmi.spec.domain.devices.disks);
  return vmi.spec.volumes.filter(isHotpluggable).some((volume) => {
    const [next, disk, before] = [volumes.get(volume.name), disks.get(volume.name), own.get(volume.name)];
    if (!next || !disk || !before || before.cdrom) return false;
    // a preference may have completed the disk
    const isOther = !vm.spec.preference && !isDeepStrictEqual(disk, before);
    return isOther || hotplugClaim(next) !== hotplugClaim(volume);
  });
}

/** Volumes that were attached to the instance only, not to its VM. */
export const ephemeralVolumes = ({ metadata }: VirtualMachineInstance): string[] =>
  metadata.annotations?.[keys.ephemeralVolumes]?.split(',').filter(Boolean) ?? [];
