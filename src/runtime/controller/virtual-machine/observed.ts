import type { cdi, ClusterConfig, Find, KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import type { ClaimInfo } from '../pod';

export interface DataVolume extends KubeObject {
  /** Not kept of one that exists. */
  spec?: cdi.DataVolumeSpec;
  status?: { phase?: string; conditions?: { type: string; status: string; message?: string; reason?: string }[] };
}

/**
 * The VM's DataVolumes by name (`undefined`: not there yet), or that the cluster has no such kind, or why nothing is
 * known of them, and when to ask again unless a cache wakes the VM.
 */
export type DataVolumes =
  | ReadonlyMap<string, DataVolume | undefined>
  | 'not installed'
  | { readonly unknown: string; readonly retryMs?: number };

/** All that is known of one VM in one moment. */
export interface Observed {
  readonly vm: VirtualMachine;
  /** The VMI of the VM's name. */
  readonly vmi?: VirtualMachineInstance;
  readonly dataVolumes: DataVolumes;
  /** Names of the VM's DataVolumes that CDI deleted after they had filled their claims. */
  readonly collected: ReadonlySet<string>;
  /** Claims that the template names and that exist. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
  /** What instance type and preference are read from; undefined when nothing had to be read. */
  readonly references?: Find;
  /** The platform's configuration now. */
  readonly config: ClusterConfig;
  readonly now: number;
}

export const isOwned = (vm: VirtualMachine, vmi: VirtualMachineInstance): boolean =>
  vmi.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === vm.metadata.uid) ?? false;
