/** Compares the disks of a running guest with those that it should have. Pure. */
import type { VirtualMachineInstanceSpec } from '../../../api';
import { isHotpluggable, isPluggableDisk } from '../../../api/hotplug-volumes';
import type { LiveDisk } from './live-disks';

export type DiskChange =
  /** `insert`: the drive exists. */
  | { readonly do: 'attach' | 'insert'; readonly name: string }
  | { readonly do: 'detach' | 'eject'; readonly disk: LiveDisk }
  /** The guest cannot get this disk while it runs. */
  | { readonly do: 'reject'; readonly name: string; readonly why: string };

export interface PlanInput {
  readonly live: readonly LiveDisk[];
  readonly spec: VirtualMachineInstanceSpec;
  /** Volumes that virt-handler has provided. */
  readonly available: ReadonlySet<string>;
  /** Directory of the provided disks: others are the guest's from its start and stay. */
  readonly directory: string;
}

/** Changes that lead from the disks of the guest to those of the spec. */
export function planDisks({ live, spec, available, directory }: PlanInput): DiskChange[] {
  const disks = new Map((spec.domain.devices.disks ?? []).map((disk) => [disk.name, disk]));
  const wanted = new Set((spec.volumes ?? []).filter(isHotpluggable).map(({ name }) => name));
  const removed = live
    .filter(({ name, path }) => path?.startsWith(`${directory}/`) && !wanted.has(name))
    .map((disk): DiskChange => ({ do: disk.isCdrom ? 'eject' : 'detach', disk }));
  const added = [...wanted].flatMap((name): DiskChange[] => {
    const disk = disks.get(name);
    const has = live.find((each) => each.name === name);
    if (!disk || has?.path !== undefined || !available.has(name)) return [];
    if (has) return [{ do: 'insert', name }];
    if (isPluggableDisk(disk)) return [{ do: 'attach', name }];
    const why = disk.cdrom ? 'the running guest has no drive for it' : 'its bus cannot get a disk while the guest runs';
    return [{ do: 'reject', name, why: `${why}; use bus scsi or virtio, or restart the VM` }];
  });
  return [...removed, ...added];
}
