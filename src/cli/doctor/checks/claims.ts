import type { VirtualMachine } from '../../../api';
import { keys } from '../../../api/keys';
import type { PersistentVolumeClaim } from '../../../local/core-v1';
import { error, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { counted, fullNameOf, grouped, spanText } from '../words';

/** Claims of VMs that are not bound. */
export const claims: Check = { name: 'claims', reads: ['virtualMachines', 'claims', 'storageClasses'], find };

/** Provisioners need a moment. */
const PENDING_LIMIT_MS = 2 * 60_000;

function find({ virtualMachines = [], claims: found = [], storageClasses, now }: Facts): Finding[] {
  const users = new Map(virtualMachines.flatMap((vm) => claimsOf(vm).map((claim) => [claim, vm] as const)));
  const waiting = new Set(
    (storageClasses ?? [])
      .filter(({ volumeBindingMode }) => volumeBindingMode === 'WaitForFirstConsumer')
      .map(({ metadata }) => metadata.name),
  );
  const unbound = found.flatMap((claim) => {
    const vm = users.get(fullNameOf(claim));
    if (!vm) return [];
    if (claim.status?.phase === 'Lost') return [{ claim, vm, cause: LOST }];
    const age = now - Date.parse(claim.metadata.creationTimestamp ?? '');
    const name = claim.spec?.storageClassName;
    // it is bound when the VM starts
    const mayWait = (storageClasses === undefined || waiting.has(name)) && !isStarting(vm);
    return age < PENDING_LIMIT_MS || mayWait ? [] : [{ claim, vm, cause: causeOf(claim, storageClasses) }];
  });
  return [...grouped(unbound, ({ cause }) => cause)].map(([cause, of]) => finding(cause, of, now));
}

const LOST = 'its volume no longer exists';

interface Unbound {
  readonly claim: PersistentVolumeClaim;
  readonly vm: VirtualMachine;
}

function finding(cause: string, of: readonly Unbound[], now: number): Finding {
  const [{ claim, vm }] = of as [Unbound, ...Unbound[]];
  const subject =
    of.length === 1 ? `Claim "${fullNameOf(claim)}"` : `${counted(of.length, 'claim')} (such as ${fullNameOf(claim)})`;
  const { namespace, name, creationTimestamp } = claim.metadata;
  if (cause === LOST) {
    const remedy = `restore the disk of VM "${fullNameOf(vm)}" from a backup or a snapshot, and delete the claim`;
    return error(subject, cause, remedy);
  }
  const age = spanText(now - Date.parse(creationTimestamp ?? ''));
  const remedy = `read its Events: kubectl -n ${namespace} describe pvc ${name}`;
  return error(subject, `it has been pending for ${age}, so VM "${fullNameOf(vm)}" cannot start: ${cause}`, remedy);
}

function causeOf({ metadata, spec }: PersistentVolumeClaim, classes: Facts['storageClasses']): string {
  const name = spec?.storageClassName;
  if (name === undefined) return 'it has no StorageClass, and the cluster had no default when it was created';
  const found = classes?.find(({ metadata }) => metadata.name === name);
  if (classes && !found && name !== '') return `StorageClass "${name}" does not exist`;
  // what fills the claim knows more than its provisioner, until it is done
  const {
    [keys.runningCondition]: isRunning,
    [keys.runningReason]: reason,
    [keys.runningMessage]: why,
  } = metadata.annotations ?? {};
  if (isRunning === 'false' && reason !== 'Completed' && why) return why;
  return `no volume was provisioned${found ? ` by ${found.provisioner}` : ''}`;
}

/** Whether a Pod of the VM waits for its claims. */
const isStarting = ({ status }: VirtualMachine): boolean =>
  ['Starting', 'WaitingForVolumeBinding', 'ErrorUnschedulable', 'Provisioning'].includes(status?.printableStatus ?? '');

/** `namespace/name` of the claims of a VM. */
function claimsOf({ metadata, spec }: VirtualMachine): string[] {
  return (spec.template.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim, dataVolume }) => {
    const name = persistentVolumeClaim?.claimName ?? dataVolume?.name;
    return name === undefined ? [] : [`${metadata.namespace}/${name}`];
  });
}
