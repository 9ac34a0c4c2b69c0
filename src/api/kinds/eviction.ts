/** Who evicts a launcher Pod wants its node empty: the guest moves, and then the Pod is gone. */
import type { ClusterConfig } from '../cluster-config';
import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import type { KubeObject, ObjectMeta } from '../meta';
import type { Find } from './kind';
import { isLauncherPod } from './launcher-pod';

/** `policy/v1` Eviction. */
export interface Eviction {
  readonly metadata?: ObjectMeta;
  readonly deleteOptions?: { readonly dryRun?: readonly string[] };
}

/** A Pod that shall go. */
export interface EvictedPod extends KubeObject {
  spec?: { nodeName?: string };
  status?: { phase?: string };
}

export type EvictionDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** The answer to who evicts, with code 429: later it may work. */
      readonly message: string;
      /** The VMI shall leave this node. */
      readonly evacuate?: {
        readonly vmi: VirtualMachineInstance;
        readonly nodeName: string;
        readonly byDescheduler: boolean;
        readonly dryRun: boolean;
      };
    };

const LET_GO: EvictionDecision = { allowed: true };
const deny = (message: string): EvictionDecision => ({ allowed: false, message });
const DOMAIN = 'kubevirt.io/domain';

/** May this Pod go now, and what has to be done before? */
export function decideEviction(
  pod: EvictedPod,
  eviction: Eviction,
  requestIsDryRun: boolean,
  { config, find }: { readonly config: ClusterConfig; readonly find: Find },
): EvictionDecision {
  const { metadata } = pod;
  const owners = metadata.ownerReferences ?? [];
  if (metadata.labels?.['kubevirt.io'] === 'hotplug-disk' && owners.length === 1) {
    const launcher = find('Pod', metadata.namespace, owners[0].name);
    return launcher ? hotplugPod(pod, launcher, find) : LET_GO;
  }
  if (!isLauncherPod(pod) || isOver(pod)) return LET_GO;
  const name = metadata.annotations?.[DOMAIN];
  if (name === undefined) return LET_GO;
  const vmi = find('VirtualMachineInstance', metadata.namespace, name) as VirtualMachineInstance | undefined;
  if (!vmi) {
    return deny(`kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io "${name}" not found`);
  }
  return launcherPod(pod, vmi, eviction, requestIsDryRun, config);
}

const isOver = ({ status }: EvictedPod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

/** It goes with the disks of its guest. */
function hotplugPod({ metadata }: EvictedPod, launcher: EvictedPod, find: Find): EvictionDecision {
  const vmi = launcher.metadata.annotations?.[DOMAIN];
  if (!isLauncherPod(launcher) || isOver(launcher) || vmi === undefined) return LET_GO;
  if (!find('VirtualMachineInstance', metadata.namespace, vmi)) return LET_GO;
  return deny(
    `cannot evict hotplug pod: ${metadata.name} associated with running vmi: ${vmi} in namespace ${metadata.namespace}`,
  );
}

function launcherPod(
  pod: EvictedPod,
  vmi: VirtualMachineInstance,
  { metadata, deleteOptions }: Eviction,
  requestIsDryRun: boolean,
  config: ClusterConfig,
): EvictionDecision {
  const { name, namespace } = vmi.metadata;
  const strategy = vmi.spec.evictionStrategy ?? config.evictionStrategy;
  const canMove = vmi.status?.conditions?.some(({ type, status }) => type === 'LiveMigratable' && status === 'True');
  if (strategy === 'LiveMigrate' && !canMove) {
    return deny(`VMI ${name} is configured with an eviction strategy but is not live-migratable`);
  }
  const leaves =
    strategy === 'LiveMigrate' || strategy === 'External' || (strategy === 'LiveMigrateIfPossible' && canMove);
  if (!leaves) return LET_GO;
  // the descheduler knows this text
  const triggered = `Eviction triggered evacuation of VMI "${namespace}/${name}"`;
  if (vmi.status?.evacuationNodeName) return deny(`Evacuation in progress: ${triggered}`);
  const nodeName = pod.spec?.nodeName ?? '';
  if ((vmi.status?.nodeName ?? '') !== nodeName) return deny('Eviction request for target Pod');
  return {
    allowed: false,
    message: triggered,
    evacuate: {
      vmi,
      nodeName,
      byDescheduler: metadata?.annotations?.['requested-by'] === 'sigs.k8s.io/descheduler',
      dryRun: requestIsDryRun || deleteOptions?.dryRun?.[0] === 'All',
    },
  };
}
