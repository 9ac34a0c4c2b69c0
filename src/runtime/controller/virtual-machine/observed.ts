import type { cdi, ClusterConfig, Find, KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import type { ClaimInfo } from '../pod';

export interface DataVolume extends KubeObject {
  /** Removed from cached objects. */
  spec?: cdi.DataVolumeSpec;
  status?: { phase?: string; conditions?: { type: string; status: string; message?: string; reason?: string }[] };
}

/**
 * The VM's DataVolumes by name (`undefined`: does not exist yet); or that the cluster lacks the kind; or why they could
 * not be read, and when to retry unless a cache wakes the VM.
 */
export type DataVolumes =
  | ReadonlyMap<string, DataVolume | undefined>
  | 'not installed'
  | { readonly unknown: string; readonly retryMs?: number };

/** Everything observed about one VM at one moment. */
export interface Observed {
  readonly vm: VirtualMachine;
  /** VMI with the name of the VM. */
  readonly vmi?: VirtualMachineInstance;
  readonly dataVolumes: DataVolumes;
  /** Names of the VM's DataVolumes that CDI deleted after they had filled their claims. */
  readonly collected: ReadonlySet<string>;
  /** Existing claims that the template refers to. */
  readonly claims: ReadonlyMap<string, ClaimInfo>;
  /** Looks up instance type and preference; undefined when they need not be read. */
  readonly references?: Find;
  /** The platform's current configuration. */
  readonly config: ClusterConfig;
  readonly now: number;
}

export const isOwned = (vm: VirtualMachine, vmi: VirtualMachineInstance): boolean =>
  vmi.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === vm.metadata.uid) ?? false;
