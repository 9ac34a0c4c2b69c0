import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../api';
import { isConditionTrue } from '../../../api/conditions';
import { POOL_FINALIZER } from '../../../api/workloads';
import type { VirtualMachinePool } from '../../../api/generated/pool-v1beta1';

/** Everything observed about one pool at one moment. */
export interface Observed {
  /** Undefined if no pool of this name exists. */
  readonly pool?: VirtualMachinePool;
  /** VMs of the pool, and those that an earlier pool of the same name has left. */
  readonly vms: readonly VirtualMachine[];
  readonly now: number;
  /** Whether the namespace has a VM of this name. */
  isTaken(name: string): boolean;
  /** VMI of a VM of the pool. */
  vmiOf(vm: VirtualMachine): VirtualMachineInstance | undefined;
  /** Labels of the node on which the guest of the VM runs. */
  nodeLabelsOf(vm: VirtualMachine): Readonly<Record<string, string>> | undefined;
}

const KIND = 'VirtualMachinePool';

const controllerOf = ({ metadata }: KubeObject) =>
  metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === KIND);

/** UID of the pool that controls a VM. */
export const ownerOf = (vm: VirtualMachine): string | undefined => controllerOf(vm)?.uid;

export const isReleased = ({ metadata }: VirtualMachine): boolean => !metadata.finalizers?.includes(POOL_FINALIZER);

/**
 * `namespace/name` of the pool that is responsible for a VM: the one that controls it, or the one whose finalizer the VM
 * still has after its owner reference was removed.
 */
export function poolKeyOf(vm: VirtualMachine): string | undefined {
  const { namespace, name = '' } = vm.metadata;
  const owner = controllerOf(vm)?.name ?? (isReleased(vm) ? undefined : /^(.+)-\d+$/.exec(name)?.[1]);
  return owner === undefined ? undefined : `${namespace}/${owner}`;
}

/** Number of a VM in its pool; undefined if its name has none. */
export function numberOf({ metadata }: VirtualMachinePool, vm: VirtualMachine): number | undefined {
  const prefix = `${metadata.name}-`;
  const { name = '' } = vm.metadata;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d{0,8})$/.test(rest) ? Number(rest) : undefined;
}

export const isLeaving = ({ metadata }: KubeObject): boolean => Boolean(metadata.deletionTimestamp);

export const isReady = ({ status }: VirtualMachine): boolean => isConditionTrue(status?.conditions, 'Ready');

/** Whether the guest of the VM is ready. The status of the VM follows later. */
export function isAvailable(vmi: VirtualMachineInstance | undefined): boolean {
  if (!vmi || isLeaving(vmi) || vmi.status?.phase !== 'Running') return false;
  return isConditionTrue(vmi.status.conditions, 'Ready');
}
