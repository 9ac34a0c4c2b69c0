/** How many guests a pool or replica set has, and who else decides on it. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { type LabelSelector, selects } from '../kinds/label-selector';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isObject, keyOf, listAt, read, textAt } from './read';
import type { World } from './world';

const SETS = new Set(['VirtualMachinePool', 'VirtualMachineInstanceReplicaSet']);
const isSet = ({ object }: Guests): boolean => SETS.has(object.kind);

/** An eviction that would leave fewer guests than the budget asks for is refused: with as many as there are, each is. */
function budgetLeavesRoom(object: KubeObject, world: World): Finding[] {
  if (keyOf(object) !== 'PodDisruptionBudget.policy') return [];
  const least = read(object, 'spec', 'minAvailable');
  const selector = read(object, 'spec', 'selector');
  if (typeof least !== 'number' || least < 1 || !isObject(selector)) return [];
  const namespace = textAt(object, 'metadata', 'namespace');
  const chosen = guestsOf(world).filter((each) => each.namespace === namespace && chooses(selector, each));
  const counted = chosen.every((each) => !isSet(each) || typeof read(each.object, 'spec', 'replicas') === 'number');
  const total = chosen.reduce((sum, { count }) => sum + count, 0);
  if (!counted || !chosen.some(isSet) || total > least || total === 0) return [];
  if (chosen.some((each) => scalerOf(each.object, world))) return [];
  const [{ object: set }] = chosen;
  const cause = `${set.kind} "${set.metadata.name}" has ${total} guests, and ${least} must stay: none can be evicted, and no drain ends`;
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

function chooses(selector: LabelSelector, { podLabels }: Guests): boolean {
  try {
    return selects(selector, podLabels);
  } catch {
    // of another shape
    return false;
  }
}

function scalerOf({ kind, metadata }: KubeObject, world: World): string | undefined {
  return world.all('HorizontalPodAutoscaler').find(({ namespace, object }) => {
    const target = read(object(), 'spec', 'scaleTargetRef');
    return (
      namespace === metadata.namespace && textAt(target, 'kind') === kind && textAt(target, 'name') === metadata.name
    );
  })?.name;
}

/** Each apply sets the number back, and the autoscaler changes it again. */
function oneScaler(object: KubeObject, world: World): Finding[] {
  const replicas = read(object, 'spec', 'replicas');
  if (!SETS.has(object.kind) || replicas === undefined || replicas === null) return [];
  const scaler = scalerOf(object, world);
  if (scaler === undefined) return [];
  const cause = `HorizontalPodAutoscaler "${scaler}" decides how many guests there are, and each apply sets ${String(replicas)}`;
  return mistake('replicas-autoscaled', root.at('spec', 'replicas'), cause, 'leave replicas out', { value: replicas });
}

/** A static address in network configuration. */
const STATIC = /^\s*(?:-\s*)?["']?(?:addresses|address|ip_address)["']?\s*:/m;

/** All guests of a set read the same network configuration. */
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
      return mistake('address-unique', path, cause, 'use DHCP, or a VM for each address');
    }),
  );
}

/** Budgets, autoscalers and the sets that they are about. */
export const scalingRules = (object: KubeObject, world: World): Finding[] => [
  ...budgetLeavesRoom(object, world),
  ...oneScaler(object, world),
  ...addressesDiffer(object),
];
