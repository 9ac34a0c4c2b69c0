/** Number of guests of a pool or replica set, and the objects that depend on it. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { type LabelSelector, selects } from '../kinds/label-selector';
import type { KubeObject } from '../meta';
import { tryParseQuantity } from '../quantity';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isObject, isSame, keyOf, listAt, objectAt, read, textAt } from './read';
import type { Declared, World } from './world';

const SETS = new Set(['VirtualMachinePool', 'VirtualMachineInstanceReplicaSet']);
const isSet = ({ object }: Guests): boolean => SETS.has(object.kind);

/** Reports a budget that requires all guests, which blocks every eviction. */
function budgetLeavesRoom(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'PodDisruptionBudget.policy') return [];
  const least = read(object, 'spec', 'minAvailable');
  const selector = read(object, 'spec', 'selector');
  if (typeof least !== 'number' || least < 1 || !isObject(selector)) return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  const chosen = guestsOf(world).filter((each) => each.namespace === namespace && chooses(selector, each));
  const counted = chosen.every((each) => !isSet(each) || typeof read(each.object, 'spec', 'replicas') === 'number');
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  const scaler = chosen.length === 1 ? scalerOf(chosen[0].object, world) : undefined;
  if (scaler) return budgetLeavesMinimum(least, scaler);
  if (!counted || !chosen.some(isSet) || total > least || total === 0) return [];
  if (chosen.some((each) => scalerOf(each.object, world))) return [];
  const [{ object: set }] = chosen;
  const cause = `${set.kind} "${set.metadata.name}" has ${total} guests, and ${least} must stay, so none can be evicted and a drain never ends`;
  return mistake(
    'budget-replicas',
    root.at('spec', 'minAvailable'),
    cause,
    `use less than ${total}, or more replicas`,
    {
      value: least,
    },
  );
}

/** With as few guests as the autoscaler may leave, none can be evicted. */
function budgetLeavesMinimum(least: number, { name, object }: Declared): Finding[] {
  const min = read(object(), 'spec', 'minReplicas');
  if (typeof min !== 'number' || min > least) return [];
  const cause = `HorizontalPodAutoscaler "${name}" may leave ${min} guests, and ${least} must stay: none can be evicted then, and no drain ends`;
  const remedy = `use less than ${min}, or a greater minimum`;
  return mistake('budget-replicas', root.at('spec', 'minAvailable'), cause, remedy, { value: least });
}

/** Kubernetes evicts no Pod that two budgets are for. Reports at the later one. */
function budgetIsOnlyOne(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'PodDisruptionBudget.policy') return [];
  const others = world.all('PodDisruptionBudget').map((each) => each.object());
  if (others.length < 2) return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  const guests = guestsOf(world).filter((each) => each.namespace === namespace);
  const isFor = (budget: KubeObject, each: Guests): boolean => {
    const selector = read(budget, 'spec', 'selector');
    return budget.metadata.namespace === namespace && isObject(selector) && chooses(selector, each);
  };
  for (const each of guests.filter((one) => isFor(object, one))) {
    const first = others.find((budget) => isFor(budget, each));
    if (!first || isSame(first, object)) continue;
    const cause = `PodDisruptionBudget "${first.metadata.name}" is for the guests of ${each.object.kind} "${each.object.metadata.name}", too: Kubernetes evicts no Pod that has two`;
    return mistake('budget-one-each', root.at('spec', 'selector'), cause, 'keep one');
  }
  return [];
}

/** Two autoscalers of one target undo each other's changes. Reports at the later one. */
function scalerIsOnlyOne(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'HorizontalPodAutoscaler.autoscaling') return [];
  const target = read(object, 'spec', 'scaleTargetRef');
  const [kind, name] = [textAt(target, 'kind') ?? '', textAt(target, 'name') ?? ''];
  if (!SETS.has(kind)) return [];
  const { namespace } = object.metadata;
  const set = { apiVersion: '', kind, metadata: { name, namespace } };
  const path = root.at('spec', 'scaleTargetRef', 'name');
  const first = scalerOf(set, world);
  if (first && first.name !== object.metadata.name) {
    const cause = `HorizontalPodAutoscaler "${first.name}" scales ${kind} "${name}", too: each undoes what the other does`;
    return mistake('autoscaler-one', path, cause, 'keep one, with both metrics', { value: name });
  }
  const declared = world.find(kind, namespace, name);
  return declared ? loadIsReachable(object, guestsIn(declared)) : [];
}

/** A guest is never busier than its CPUs. */
function loadIsReachable(object: KubeObject, guests: Guests | undefined): Finding[] {
  const cpu = objectAt(guests?.spec, 'domain', 'cpu');
  const vcpus = ['sockets', 'cores', 'threads'].reduce((all, field) => all * Number(cpu?.[field] ?? 1), 1);
  const isOpen = !guests || read(guests.object, 'spec', 'virtualMachineTemplate', 'spec', 'instancetype') !== undefined;
  return listAt(object, 'spec', 'metrics').flatMap((metric, i) => {
    if (isOpen || textAt(metric, 'resource', 'name') !== 'cpu') return [];
    const got = textAt(metric, 'resource', 'target', 'averageValue');
    const load = got === undefined ? 0 : Number(tryParseQuantity(got)?.nanos ?? 0) / 1e9;
    if (load <= vcpus) return [];
    const cause = `a guest has ${vcpus} vCPU, and never ${load} busy ones: the autoscaler adds no guest`;
    const path = root.at('spec', 'metrics', i, 'resource', 'target', 'averageValue');
    return mistake('autoscaler-reach', path, cause, `use less than ${vcpus}, such as ${vcpus * 0.7}`, { value: got });
  });
}

function chooses(selector: LabelSelector, { podLabels }: Guests): boolean {
  try {
    return selects(selector, podLabels);
  } catch {
    // a selector of another shape
    return false;
  }
}

function scalerOf({ kind, metadata }: KubeObject, world: World): Declared | undefined {
  return world.all('HorizontalPodAutoscaler').find(({ namespace, object }) => {
    const target = read(object(), 'spec', 'scaleTargetRef');
    return (
      namespace === metadata.namespace && textAt(target, 'kind') === kind && textAt(target, 'name') === metadata.name
    );
  });
}

/** Returns the number of guests that a pool or replica set may reach. */
export function mostGuests(object: KubeObject, world: World): number {
  const most = read(scalerOf(object, world)?.object(), 'spec', 'maxReplicas');
  return typeof most === 'number' ? most : (guestsIn(object)?.count ?? 1);
}

/** Reports replicas beside an autoscaler: each apply would reset the number that the autoscaler chose. */
function oneScaler(object: KubeObject, world: World): Finding[] {
  const replicas = read(object, 'spec', 'replicas');
  if (!SETS.has(object.kind) || replicas === undefined || replicas === null) return [];
  const scaler = scalerOf(object, world);
  if (scaler === undefined) return [];
  const cause = `HorizontalPodAutoscaler "${scaler.name}" sets the number of guests, and each apply would reset it to ${String(replicas)}`;
  return mistake('replicas-autoscaled', root.at('spec', 'replicas'), cause, 'leave replicas out', { value: replicas });
}

/** Matches a static address in network configuration. */
const STATIC = /^\s*(?:-\s*)?["']?(?:addresses|address|ip_address)["']?\s*:/m;

/** Reports a static address in a set, whose guests all read the same network configuration. */
function addressesDiffer(object: KubeObject): Finding[] {
  const guests = guestsIn(object);
  if (!guests || !isSet(guests) || guests.count < 2) return [];
  return listAt(guests.spec, 'volumes').flatMap((volume, i) =>
    (['cloudInitNoCloud', 'cloudInitConfigDrive'] as const).flatMap((field) => {
      const text = textAt(volume, field, 'networkData');
      // name servers may be the same
      if (text === undefined || !STATIC.test(text.replace(/nameservers:[\s\S]*?addresses:/g, ''))) return [];
      const path = guests.at.at('volumes', i, field, 'networkData');
      const cause = `all ${guests.count} guests would have the same static address`;
      return mistake('address-unique', path, cause, 'use DHCP, or declare one VM for each address');
    }),
  );
}

/** Rules between sets, budgets and autoscalers. */
export const scalingRules = (object: KubeObject, world: World): Finding[] => [
  ...budgetLeavesRoom(object, world),
  ...budgetIsOnlyOne(object, world),
  ...scalerIsOnlyOne(object, world),
  ...oneScaler(object, world),
  ...addressesDiffer(object),
];
