import type { VirtualMachineInstance } from '../../../api';
import { imageOf } from '../instance/rendering';
import { REFUSED_RETRY_MS } from './observed';
import type { Launched } from './observed';

const LIST = 'kubectl get vmi -A -l kubevirt.io/outdatedLauncherImage';
const METHODS = 'spec.workloadUpdateStrategy.workloadUpdateMethods';

/** Longest cause in a message, so that the remedy after it is not cut off. */
const MOST_CAUSE = 500;

/** Message for instances that would have to be migrated. */
export const blockedByMigration = (evicts: boolean): string =>
  evicts
    ? `guests that can be live-migrated keep their outdated launchers, because virt8s does not migrate guests yet: restart ` +
      `their VMs (${LIST}), or remove LiveMigrate from ${METHODS}, so that they are evicted`
    : `guests keep their outdated launchers, because ${METHODS} is only LiveMigrate and virt8s does not migrate guests yet: ` +
      `add Evict, which stops them in batches, or restart their VMs (${LIST})`;

export const NO_BATCH =
  'guests keep their outdated launchers, because spec.workloadUpdateStrategy.batchEvictionSize is 0: use 1 or more';

/** Message for an eviction that was accepted. */
export const evicted = ({ pod }: Launched, launcherImage: string): string =>
  `Evicted launcher Pod ${pod.metadata.name}: its image is "${imageOf(pod)}", and that of this version is "${launcherImage}"`;

/** Message for an eviction that was rejected. */
export function refused({ vmi, pod }: Launched, cause: string): string {
  const shown = cause.length > MOST_CAUSE ? `${cause.slice(0, MOST_CAUSE)}…` : cause;
  const minutes = REFUSED_RETRY_MS / 60_000;
  return (
    `launcher Pod ${pod.metadata.name} has the image of an earlier version, and its eviction failed: ${shown}. ` +
    `virt-controller retries after ${minutes} minutes; to update the guest now, ${remedy(vmi)}`
  );
}

const remedy = ({ metadata: { name, namespace, ownerReferences } }: VirtualMachineInstance): string =>
  ownerReferences?.some(({ kind, controller }) => controller && kind === 'VirtualMachine')
    ? `restart it ("virtctl restart ${name} -n ${namespace}")`
    : `delete the instance, which ends the guest, and create it again`;
