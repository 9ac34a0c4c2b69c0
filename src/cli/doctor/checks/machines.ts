import type { VirtualMachine, VirtualMachineInstance } from '../../../api';
import { findCondition } from '../../../api/conditions';
import type { Condition } from '../../../api/meta';
import { error, warning, type Check, type Finding } from '../finding';
import type { Facts } from '../facts';
import { counted, fullNameOf, grouped } from '../words';

/** VMs that do not run as they should, by their most frequent causes. */
export const machines: Check = { name: 'vms', reads: ['virtualMachines', 'instances'], find };

/** States of VMs that do not run without help. Of image pulls, the check of images reports more. */
const FAILING = [
  'CrashLoopBackOff',
  'ErrorUnschedulable',
  'ErrorPvcNotFound',
  'ErrorDataVolumeNotFound',
  'DataVolumeError',
  'Unknown',
] as const;
/** Causes that are reported one by one; the rest is counted. */
const MOST_CAUSES = 5;

const REMEDIES: Readonly<Record<string, string>> = {
  CrashLoopBackOff: 'read the log of the launcher, or the console of the guest: virt8s console NAME -n NAMESPACE',
  ErrorUnschedulable:
    'no node has what the VM requires: add nodes or capacity, or relax its node selector and resources',
  ErrorPvcNotFound: 'create the claim, or correct its name in the VM',
  ErrorDataVolumeNotFound: 'create the DataVolume, or correct its name in the VM',
  DataVolumeError: 'read the conditions of the DataVolume: kubectl -n NAMESPACE describe datavolume',
  Unknown: 'the node of the guest does not answer: see the findings about nodes',
};
const DEFAULT_REMEDY = 'read its conditions and Events: kubectl -n NAMESPACE describe vmi NAME';

interface Failure {
  readonly object: VirtualMachine | VirtualMachineInstance;
  /** State and reason, by which failures are counted. */
  readonly state: string;
  readonly message: string;
}

function find({ virtualMachines = [], instances = [] }: Facts): Finding[] {
  const failing = virtualMachines.flatMap((vm) => failureOf(vm) ?? []);
  const known = new Set(failing.map(({ object }) => fullNameOf(object)));
  const running = instances.filter((each) => !known.has(fullNameOf(each))).flatMap((vmi) => notSynchronized(vmi) ?? []);
  return [...findings(failing, error), ...findings(running, warning)];
}

function failureOf(vm: VirtualMachine): Failure | undefined {
  const { printableStatus, conditions = [] } = vm.status ?? {};
  const state = FAILING.find((each) => each === printableStatus);
  if (!state) return undefined;
  const list = conditions as Condition[];
  const causes = [
    findCondition(list, 'Failure'),
    ...['Synchronized', 'PodScheduled']
      .map((type) => findCondition(list, type))
      .filter((each) => each?.status === 'False'),
  ];
  return { object: vm, state, message: causes.find((each) => each?.message)?.message ?? '' };
}

/** A guest that runs, with a problem. Images that cannot be pulled have a check of their own. */
function notSynchronized(vmi: VirtualMachineInstance): Failure | undefined {
  const found = findCondition(vmi.status?.conditions as Condition[] | undefined, 'Synchronized');
  if (found?.status !== 'False' || /ImagePull/.test(found.reason ?? '')) return undefined;
  return { object: vmi, state: found.reason ?? 'not synchronized', message: found.message ?? '' };
}

function findings(failures: readonly Failure[], make: typeof error): Finding[] {
  const causes = [...grouped(failures, ({ state }) => state).values()].sort((a, b) => b.length - a.length);
  const shown = causes.slice(0, MOST_CAUSES).map((of) => {
    const { object, state, message } = of[0]!;
    const { name = '', namespace = '' } = object.metadata;
    const remedy = REMEDIES[state] ?? DEFAULT_REMEDY;
    return make(
      of.length === 1 ? `VM "${fullNameOf(object)}"` : `${counted(of.length, 'VM')} (such as ${fullNameOf(object)})`,
      message ? `${state}: ${message}` : state,
      remedy.replace('NAMESPACE', namespace).replace('NAME', name),
    );
  });
  const rest = causes.slice(MOST_CAUSES).flat();
  if (rest.length === 0) return shown;
  return [...shown, make(counted(rest.length, 'more VM'), 'other causes', 'list them: kubectl get vm -A')];
}
