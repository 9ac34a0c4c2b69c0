import type { VirtualMachine, VirtualMachineInstance } from '../../../api';
import { selects } from '../../../api/kinds/label-selector';
import type { VirtualMachinePool, VirtualMachinePoolSpec } from '../../../api/generated/pool-v1beta1';
import { POOL_FINALIZER } from '../../../api/workloads';
import { isOwned } from '../virtual-machine/observed';
import { failureOf, healedAfterMs } from './healing';
import { isAvailable, isLeaving, isReleased, numberOf, ownerOf } from './observed';
import type { Observed } from './observed';
import { ordered } from './selection';
import { changeFor, isOutdated, machineOf, updatedMachine } from './template';

export type Action =
  | { do: 'addFinalizer' }
  | { do: 'removeFinalizer' }
  | { do: 'createVm'; vm: VirtualMachine }
  /** `withDisks`: whether its disks are deleted even if the pool preserves the disks of VMs that it removes. */
  | { do: 'deleteVm'; vm: VirtualMachine; why: string; withDisks: boolean }
  /** Replaces labels, annotations and spec of a VM by those of `to`. */
  | { do: 'updateVm'; vm: VirtualMachine; to: VirtualMachine }
  /** Deletes the instance of a VM, which then creates another one. */
  | { do: 'restart'; vm: VirtualMachine; vmi: VirtualMachineInstance }
  /** Removes the pool from the owners of a VM. */
  | { do: 'detach'; vm: VirtualMachine }
  /** Removes a VM from the owners of its disks, so that they are not deleted with it. */
  | { do: 'keepDisks'; vm: VirtualMachine }
  /** Removes the finalizer of a VM. */
  | { do: 'release'; vm: VirtualMachine }
  | { do: 'recheck'; afterMs: number };

/** VMs that one pass creates, deletes or changes at most, as in KubeVirt. */
export const BURST = 250;

/** Actions for one pool. Pure: the clock is in `seen`. */
export function decide(seen: Observed): Action[] {
  const { pool } = seen;
  const owned = seen.vms.filter((vm) => pool && ownerOf(vm) === pool.metadata.uid);
  const strays = seen.vms.filter((vm) => !owned.includes(vm) && !isReleased(vm) && (isLeaving(vm) || !ownerOf(vm)));
  return [...strays.map((vm): Action => ({ do: 'release', vm })), ...(pool ? manage(seen, pool, owned) : [])];
}

function manage(seen: Observed, pool: VirtualMachinePool, owned: readonly VirtualMachine[]): Action[] {
  const hasFinalizer = pool.metadata.finalizers?.includes(POOL_FINALIZER) ?? false;
  if (isLeaving(pool)) {
    const released = owned.filter((vm) => !isReleased(vm)).map((vm): Action => ({ do: 'release', vm }));
    return [...released, ...(hasFinalizer ? [{ do: 'removeFinalizer' as const }] : [])];
  }
  const members = membersOf(pool, owned);
  return [
    ...(hasFinalizer ? [] : [{ do: 'addFinalizer' as const }]),
    ...owned.filter((vm) => !members.includes(vm)).map((vm): Action => ({ do: 'detach', vm })),
    ...members.filter((vm) => isLeaving(vm) && !isReleased(vm)).flatMap((vm) => letGo(pool, vm)),
    ...(pool.spec.paused || mistakeIn(pool) ? [] : change(seen, pool, members)),
  ];
}

/** VMs that count as replicas. A VM leaves the pool when its labels no longer match. */
export const membersOf = ({ spec }: VirtualMachinePool, owned: readonly VirtualMachine[]): VirtualMachine[] =>
  owned.filter(({ metadata }) => selects(spec.selector, metadata.labels));

/** Returns why the pool cannot have VMs. The webhook rejects such pools, but may have been off when the pool was stored. */
export function mistakeIn({ spec }: VirtualMachinePool): string | undefined {
  if (!spec.virtualMachineTemplate?.spec?.template) {
    return 'spec.virtualMachineTemplate.spec.template is missing; add the template of the VMs';
  }
  return selects(spec.selector, spec.virtualMachineTemplate.metadata?.labels)
    ? undefined
    : 'spec.selector does not match spec.virtualMachineTemplate.metadata.labels; create the pool again with equal labels';
}

/** A VM that is deleted in the foreground is deleted together with its disks. */
function letGo({ spec }: VirtualMachinePool, vm: VirtualMachine): Action[] {
  const { proactive, opportunistic } = spec.scaleInStrategy ?? {};
  const preservation = proactive?.statePreservation ?? opportunistic?.statePreservation ?? 'Disabled';
  const keeps = preservation !== 'Disabled' && !vm.metadata.finalizers?.includes('foregroundDeletion');
  return [...(keeps ? [{ do: 'keepDisks' as const, vm }] : []), { do: 'release', vm }];
}

/** Replaces VMs that fail, then creates or deletes VMs, then updates them. */
function change(seen: Observed, pool: VirtualMachinePool, members: readonly VirtualMachine[]): Action[] {
  const present = members.filter((vm) => !isLeaving(vm));
  const { failing, rechecks } = heal(seen, pool.spec, present);
  const kept = present.filter((vm) => !failing.includes(vm));
  const missing = (pool.spec.replicas ?? 1) - members.length;
  const surplus = isProactive(pool.spec) ? Math.min(-missing, BURST) - (members.length - kept.length) : 0;
  const policy = pool.spec.scaleInStrategy?.proactive?.selectionPolicy ?? {};
  const doomed = surplus > 0 ? ordered(pool, kept, policy, seen).slice(0, surplus) : [];
  const isScaled = missing <= 0 && doomed.length === 0;
  return [
    ...failing.map((vm): Action => ({ do: 'deleteVm', vm, why: failureOf(vm), withDisks: false })),
    ...doomed.map((vm): Action => ({ do: 'deleteVm', vm, why: 'the pool has too many VMs', withDisks: false })),
    ...newVms(seen, pool, Math.min(missing, BURST)),
    ...(isScaled ? update(seen, pool, members, kept) : []),
    ...rechecks,
  ];
}

const isProactive = ({ scaleInStrategy }: VirtualMachinePoolSpec): boolean =>
  !scaleInStrategy?.opportunistic && !scaleInStrategy?.unmanaged;

function heal(
  { now }: Observed,
  { autohealing }: VirtualMachinePoolSpec,
  vms: readonly VirtualMachine[],
): { failing: VirtualMachine[]; rechecks: Action[] } {
  if (!autohealing) return { failing: [], rechecks: [] };
  const after = vms.map((vm) => healedAfterMs(vm, autohealing, now));
  return {
    failing: vms.filter((_, i) => after[i] === 0),
    rechecks: after.flatMap((afterMs): Action[] => (afterMs ? [{ do: 'recheck', afterMs }] : [])),
  };
}

/** VMs with the lowest free numbers. */
function newVms({ isTaken }: Observed, pool: VirtualMachinePool, count: number): Action[] {
  const actions: Action[] = [];
  for (let i = 0; actions.length < count; i++) {
    if (isTaken(`${pool.metadata.name}-${i}`)) continue;
    const vm = machineOf(pool, i);
    if (!vm) break;
    actions.push({ do: 'createVm', vm });
  }
  return actions;
}

/**
 * Writes the new template into all outdated VMs, then restarts their guests: those that are not ready at once, the others
 * while fewer VMs are unavailable than the pool allows.
 */
function update(
  seen: Observed,
  pool: VirtualMachinePool,
  members: readonly VirtualMachine[],
  kept: readonly VirtualMachine[],
): Action[] {
  const { proactive, opportunistic, unmanaged } = pool.spec.updateStrategy ?? {};
  if (unmanaged) return [];
  const outdated = kept.filter((vm) => isOutdated(pool, vm));
  const updates = outdated.flatMap((vm): Action[] => {
    const number = numberOf(pool, vm);
    const to = number === undefined ? undefined : updatedMachine(pool, number, vm);
    return to ? [{ do: 'updateVm', vm, to }] : [];
  });
  if (opportunistic) return updates.slice(0, BURST);
  const stale = kept.filter((vm) => !outdated.includes(vm) && restart(seen, vm).length > 0);
  const behind = ordered(pool, stale, proactive?.selectionPolicy ?? {}, seen).flatMap((vm) => restart(seen, vm));
  const isUp = (vm: VirtualMachine): boolean => isAvailable(seen.vmiOf(vm));
  const budget = Math.max(0, maxUnavailable(pool.spec) - members.filter((vm) => !isUp(vm)).length);
  const [down, up] = [behind.filter(({ vm }) => !isUp(vm)), behind.filter(({ vm }) => isUp(vm))];
  return [...updates, ...down, ...up.slice(0, budget)].slice(0, BURST);
}

/** The action that brings a guest in line with its VM, if one is needed. */
function restart(seen: Observed, vm: VirtualMachine): Extract<Action, { do: 'restart' | 'deleteVm' }>[] {
  const vmi = seen.vmiOf(vm);
  if (!vmi || isLeaving(vmi) || !isOwned(vm, vmi)) return [];
  switch (changeFor(vm, vmi)) {
    case 'none':
      return [];
    case 'restart':
      return [{ do: 'restart', vm, vmi }];
    case 'new disks':
      return [{ do: 'deleteVm', vm, why: 'the templates of its disks have changed', withDisks: true }];
  }
}

/** Number of VMs that may be unavailable during an update, at least one. */
export function maxUnavailable({ maxUnavailable: limit = '100%', replicas = 1 }: VirtualMachinePoolSpec): number {
  const count = typeof limit === 'number' ? limit : Math.floor((replicas * Number.parseInt(limit, 10)) / 100);
  return Math.max(1, count || 0);
}
