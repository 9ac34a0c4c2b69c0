import type { VirtualMachineInstance } from '../../../api';
import type { ClusterConfig } from '../../../api/cluster-config';
import { keys } from '../../../api/keys';
import { launcherPodName } from '../../../api/launcher-name';
import type { MetricName } from '../../../api/metrics';
import { quantityValue, tryParseQuantity } from '../../../api/quantity';
import type { Value } from '../../kube/metrics';
import { memoryOverhead } from '../pod/memory-overhead';
import { bounded, declaredFacts } from './guest-facts';

/** Objects that the values of an instance depend on. */
export interface VmiFacts {
  readonly config: ClusterConfig;
  /** Whether a launcher Pod exists, by `namespace/name`. */
  readonly hasPod: (key: string) => boolean;
}

const idOf = ({ metadata: { namespace, name }, status }: VirtualMachineInstance) => ({
  node: status?.nodeName,
  namespace,
  name,
});

/** Whether a drain of the node can remove the guest: by migration, if the guest must be migrated. */
function isEvictable({ spec, status }: VirtualMachineInstance, config: ClusterConfig): boolean {
  if ((spec.evictionStrategy ?? config.evictionStrategy) !== 'LiveMigrate') return true;
  return status?.conditions?.some(({ type, status: is }) => type === 'LiveMigratable' && is === 'True') ?? false;
}

export const isOutdated = ({ metadata }: VirtualMachineInstance): boolean =>
  metadata.labels?.[keys.outdatedLauncher] !== undefined;

function podOf({ metadata }: VirtualMachineInstance, hasPod: VmiFacts['hasPod']): string | undefined {
  const { namespace, name = '', uid } = metadata;
  const pod = uid === undefined ? undefined : launcherPodName(name, uid);
  return pod !== undefined && hasPod(`${namespace}/${pod}`) ? pod : undefined;
}

function info(vmi: VirtualMachineInstance, { config, hasPod }: VmiFacts): Value[] {
  const { annotations = {} } = vmi.metadata;
  const { phase, guestOSInfo: os, machine } = vmi.status ?? {};
  const labels = {
    ...idOf(vmi),
    phase: phase?.toLowerCase(),
    ...declaredFacts(annotations),
    instance_type: bounded(annotations[keys.instancetypeName] ?? annotations[keys.clusterInstancetypeName]),
    preference: bounded(annotations[keys.preferenceName] ?? annotations[keys.clusterPreferenceName]),
    guest_os_kernel_release: bounded(os?.kernelRelease),
    guest_os_machine: bounded(machine?.type),
    guest_os_arch: bounded(os?.machine),
    guest_os_name: bounded(os?.name),
    guest_os_version_id: bounded(os?.versionId),
    evictable: String(isEvictable(vmi, config)),
    outdated: String(isOutdated(vmi)),
    vmi_pod: podOf(vmi, hasPod),
  };
  return [{ labels, value: 1 }];
}

function nonEvictable(vmi: VirtualMachineInstance, { config }: VmiFacts): Value[] {
  return [{ labels: idOf(vmi), value: Number(!isEvictable(vmi, config)) }];
}

/** The value in the status is that of the Pod, which another version may have created. */
function overhead(vmi: VirtualMachineInstance, { config }: VmiFacts): Value[] {
  const { namespace, name } = vmi.metadata;
  const reported = vmi.status?.memory?.memoryOverhead;
  const value = tryParseQuantity(reported)
    ? Number(quantityValue(reported))
    : Number(memoryOverhead(vmi, config).nanos / 1_000_000_000n);
  return [{ labels: { namespace, name }, value }];
}

/** The metrics of an instance. Pure. */
export const vmiMetrics = {
  kubevirt_vmi_info: info,
  kubevirt_vmi_non_evictable: nonEvictable,
  kubevirt_vmi_launcher_memory_overhead_bytes: overhead,
} satisfies { readonly [name in MetricName]?: (vmi: VirtualMachineInstance, facts: VmiFacts) => Value[] };
