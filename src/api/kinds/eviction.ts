/** Evictions of launcher Pods. Guests are not migrated here: an eviction stops the guest, or is rejected. */
import { keys } from '../keys';
import type { ClusterConfig } from '../cluster-config';
import type { VirtualMachineInstance } from '../generated/kubevirt-v1';
import { isLauncherOf } from '../launcher-name';
import type { KubeObject } from '../meta';
import type { Find } from './kind';
import { isLauncherPod } from './launcher-pod';

/** Pod to evict. */
export interface EvictedPod extends KubeObject {
  status?: { phase?: string };
}

export type EvictionDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /**
       * `Forbidden` ends `kubectl drain` with the message, because only a user can change the outcome. After
       * `TooManyRequests` it retries every few seconds, until another controller has acted.
       */
      readonly reason: 'Forbidden' | 'TooManyRequests';
      readonly message: string;
    };

const ALLOWED: EvictionDecision = { allowed: true };
const DOMAIN = keys.domain;

/** Decides whether this Pod may be evicted. The decision changes no object. */
export function decideEviction(
  pod: EvictedPod,
  { config, find }: { readonly config: ClusterConfig; readonly find: Find },
): EvictionDecision {
  const { metadata } = pod;
  const owners = metadata.ownerReferences ?? [];
  if (metadata.labels?.['kubevirt.io'] === 'hotplug-disk' && owners.length === 1) {
    const launcher = find('Pod', metadata.namespace, owners[0].name);
    return launcher ? hotplugPod(pod, launcher, find) : ALLOWED;
  }
  if (!isLauncherPod(pod) || isOver(pod)) return ALLOWED;
  const vmi = instanceOf(pod, find);
  // a Pod without its guest has nothing to lose
  return vmi ? launcherPod(vmi, config) : ALLOWED;
}

const isOver = ({ status }: EvictedPod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

/** Returns the VMI that a launcher Pod belongs to. The annotation alone does not prove it: every user may write it. */
function instanceOf(pod: EvictedPod, find: Find): VirtualMachineInstance | undefined {
  const { metadata } = pod;
  const name = metadata.annotations?.[DOMAIN];
  if (name === undefined) return undefined;
  const vmi = find('VirtualMachineInstance', metadata.namespace, name) as VirtualMachineInstance | undefined;
  return vmi && isLauncherOf(vmi, pod) ? vmi : undefined;
}

/** An attachment Pod is deleted together with its guest: its eviction succeeds as soon as the launcher has ended. */
function hotplugPod({ metadata }: EvictedPod, launcher: EvictedPod, find: Find): EvictionDecision {
  if (!isLauncherPod(launcher) || isOver(launcher)) return ALLOWED;
  const vmi = instanceOf(launcher, find);
  if (!vmi) return ALLOWED;
  const { name, namespace } = metadata;
  const message = `cannot evict hotplug pod: ${name} associated with running vmi: ${vmi.metadata.name} in namespace ${namespace}`;
  return { allowed: false, reason: 'TooManyRequests', message };
}

function launcherPod(vmi: VirtualMachineInstance, config: ClusterConfig): EvictionDecision {
  const { name, namespace } = vmi.metadata;
  const own = vmi.spec.evictionStrategy;
  const strategy = own ?? config.evictionStrategy;
  const subject = `VMI "${namespace}/${name}" has evictionStrategy ${strategy}`;
  if (strategy === 'External') {
    const message = `${subject}: another controller has to move or stop it; the eviction succeeds after that`;
    return { allowed: false, reason: 'TooManyRequests', message };
  }
  if (strategy !== 'LiveMigrate') return ALLOWED;
  const stop = ownedByMachine(vmi) ? `stop it ("virtctl stop ${name} -n ${namespace}")` : 'delete it';
  const where = own === undefined ? ' in the KubeVirt object' : '';
  const message =
    `${subject}${where} and is not live-migratable${obstacle(vmi)}: ${stop}, or set evictionStrategy ` +
    'LiveMigrateIfPossible or None, then drain again';
  return { allowed: false, reason: 'Forbidden', message };
}

const ownedByMachine = ({ metadata }: VirtualMachineInstance): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'VirtualMachine' && controller) ?? false;

/** Returns the handler's reason why the guest cannot migrate. */
function obstacle({ status }: VirtualMachineInstance): string {
  const condition = status?.conditions?.find(({ type }) => type === 'LiveMigratable');
  return condition?.status === 'False' && condition.message
    ? ` (${condition.message})`
    : ' (virt8s does not migrate guests yet)';
}
