import type { cdi, KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import type { ClusterConfig } from '../../../api/cluster-config';

export interface DataVolume extends KubeObject {
  spec: cdi.DataVolumeSpec;
  status?: { phase?: string; conditions?: { type: string; status: string; message?: string; reason?: string }[] };
}

/** The VM's DataVolumes by name (`undefined`: not there yet), or that the cluster has no such kind. */
export type DataVolumes = ReadonlyMap<string, DataVolume | undefined> | 'not installed';

/** All that is known of one VM in one moment. */
export interface Observed {
  readonly vm: VirtualMachine;
  /** The VMI of the VM's name. */
  readonly vmi?: VirtualMachineInstance;
  readonly dataVolumes: DataVolumes;
  readonly config: ClusterConfig;
  readonly now: number;
}

export const isOwned = (vm: VirtualMachine, vmi: VirtualMachineInstance): boolean =>
  vmi.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === vm.metadata.uid) ?? false;
