import { isDeepStrictEqual } from 'node:util';
import type { ClusterConfig } from '../cluster-config';
import { Finding, root, text } from '../findings';
import type {
  Disk,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  VolumeStatus,
  Volume,
} from '../generated/kubevirt-v1';
import { compareQuantities } from '../quantity';
import { gateOff, mistake } from './rule';
import { hotplugDisk } from './volume-requests';

/**
 * Rejects changes to a running guest's spec, except those that hot-plug makes for the platform. Both specs have their
 * canonical form. Clients know most of these mistakes without a field.
 */
export function admitHotplug(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  config: ClusterConfig,
): Finding[] {
  const [now, before] = [vmi.spec.domain, old.spec.domain];
  if ((now.cpu?.maxSockets ?? 0) !== (before.cpu?.maxSockets ?? 0)) return refuse('CPU topology maxSockets changed');
  const [max, oldMax] = [now.memory?.maxGuest, before.memory?.maxGuest];
  if (max !== undefined && oldMax !== undefined && compareQuantities(max, oldMax) !== 0) {
    return refuse('Memory maxGuest changed');
  }
  const permanent = permanentNames(old.status?.volumeStatus ?? []);
  const utility = utilityVolumes(vmi.spec, old.spec, permanent, config);
  if (utility.length > 0) return utility;
  return storage(vmi, old, permanent, config);
}

function refuse(message: string): Finding[] {
  const remedy = 'change the VirtualMachine: it takes effect at its next start';
  return mistake('hotplug', root.at('spec'), message, remedy, { field: '' });
}

/** Volumes that the guest started with. */
function permanentNames(statuses: readonly VolumeStatus[]): ReadonlySet<string> {
  return new Set(statuses.filter(({ hotplugVolume }) => !hotplugVolume).map(({ name }) => name));
}

function storage(
  { spec, status }: VirtualMachineInstance,
  { spec: before }: VirtualMachineInstance,
  permanent: ReadonlySet<string>,
  config: ClusterConfig,
): Finding[] {
  const volumes = spec.volumes ?? [];
  const disks = spec.domain.devices.disks ?? [];
  const named = new Set(volumes.filter(({ memoryDump }) => !memoryDump).map(({ name }) => name));
  const empty = config.hasGate('DeclarativeHotplugVolumes');
  const needed =
    (spec.domain.devices.filesystems?.length ?? 0) +
    disks.filter(({ name, cdrom }) => named.has(name) || !cdrom || !empty).length;
  if (needed !== named.size) {
    return refuse(`mismatch between volumes declared (${named.size}) and required (${needed})`);
  }
  const migrated = new Set((status?.migratedVolumes ?? []).map(({ volumeName }) => volumeName));
  const oldVolumes = byName(before.volumes ?? []);
  const newDisks = byName(disks);
  const oldDisks = byName(before.domain.devices.disks ?? []);
  const kept = volumes.filter(({ name }) => permanent.has(name)).length;
  if (kept !== (before.volumes ?? []).filter(({ name }) => permanent.has(name)).length) {
    return refuse('Number of permanent volumes has changed');
  }
  for (const volume of volumes) {
    const { name } = volume;
    const was = oldVolumes.get(name);
    const problem = permanent.has(name)
      ? permanentProblem(volume, was, newDisks.get(name), oldDisks.get(name), migrated)
      : hotplugProblem(volume, was, newDisks.get(name), oldDisks.get(name), migrated);
    if (problem !== undefined) return refuse(problem);
  }
  return [];
}

function byName<T extends { name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

type Disks = [disk: Disk | undefined, oldDisk: Disk | undefined];

function permanentProblem(
  volume: Volume,
  was: Volume | undefined,
  ...[disk, oldDisk, migrated]: [...Disks, ReadonlySet<string>]
): string | undefined {
  const { name } = volume;
  if (!was) return `permanent volume ${name}, not found`;
  if (migrated.has(name)) return undefined;
  if (!isDeepStrictEqual(volume, was)) return `permanent volume ${name}, changed`;
  return isDeepStrictEqual(disk, oldDisk) ? undefined : `permanent disk ${name}, changed`;
}

function hotplugProblem(
  volume: Volume,
  was: Volume | undefined,
  ...[disk, oldDisk, migrated]: [...Disks, ReadonlySet<string>]
): string | undefined {
  const { name, dataVolume, persistentVolumeClaim, memoryDump } = volume;
  if (was) {
    if (!isDeepStrictEqual(volume, was) && !migrated.has(name)) return `hotplug volume ${name}, changed`;
    if (memoryDump) return undefined;
    if (!disk) return `volume ${name} doesn't have a matching disk`;
    return isDeepStrictEqual(disk, oldDisk) ? undefined : `hotplug disk ${name}, changed`;
  }
  if (!dataVolume && !persistentVolumeClaim && !memoryDump) return `volume ${name} is not a PVC or DataVolume`;
  if (memoryDump) return undefined;
  if (!disk) return `disk ${name} does not exist`;
  return oldDisk ? undefined : hotplugDisk(disk, name, 'Hotplug configuration');
}

/** Validates the platform's volumes: their names are unique, and they are never permanent and never change. */
function utilityVolumes(
  spec: VirtualMachineInstanceSpec,
  before: VirtualMachineInstanceSpec,
  permanent: ReadonlySet<string>,
  config: ClusterConfig,
): Finding[] {
  const own = spec.utilityVolumes ?? [];
  const path = root.at('spec', 'utilityVolumes');
  // the platform backs up running guests for their snapshots, which have no gate
  const isGated = own.some(({ type }) => type !== 'Backup');
  if (isGated && !config.hasGate('UtilityVolumes')) {
    return gateOff('gate-utility-volumes', path, 'UtilityVolumes feature gate is not enabled', 'UtilityVolumes');
  }
  const errors = own.flatMap(({ name, claimName }, i) => {
    const found: Finding[] = [];
    const at = path.at(i);
    const type = 'FieldValueRequired';
    if (!name) {
      found.push(
        ...mistake('utility-volume', at.at('name'), "UtilityVolume 'name' must be set", 'write a name', { type }),
      );
    }
    const first = own.findIndex((each) => each.name === name);
    const other = first < i ? path.at(first) : volumeAt(spec, name);
    if (other) {
      const message =
        first < i
          ? text`${at} and ${other} must not have the same Name.`
          : text`${at} conflicts with ${other}. UtilityVolume names must be unique across both volumes and utilityVolumes.`;
      const extra = { value: name, type: 'FieldValueDuplicate' } as const;
      found.push(...mistake('utility-volume', at.at('name'), message, 'rename one of them', extra));
    }
    if (!claimName) {
      const message = "UtilityVolume PVC 'claimName' must be set";
      found.push(...mistake('utility-volume', at.at('claimName'), message, 'write the name of the claim', { type }));
    }
    return found;
  });
  if (errors.length > 0) return errors;
  const lasting = own.find(({ name }) => permanent.has(name));
  if (lasting) {
    return refuse(
      `utility volume ${lasting.name} cannot be a permanent volume, utility volumes must always be hotplug`,
    );
  }
  const old = byName(before.utilityVolumes ?? []);
  const changed = own.find((volume) => old.has(volume.name) && !isDeepStrictEqual(volume, old.get(volume.name)));
  return changed ? refuse(`utility volume ${changed.name} has changed`) : [];
}

function volumeAt({ volumes = [] }: VirtualMachineInstanceSpec, name: string) {
  const i = volumes.findIndex((volume) => volume.name === name);
  return i < 0 ? undefined : root.at('spec', 'volumes', i);
}
