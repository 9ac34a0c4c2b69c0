/** Number of guests of a pool or replica set, and the objects that depend on it. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { type LabelSelector, selects } from '../kinds/label-selector';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isObject, keyOf, listAt, read, textAt } from './read';
import type { World } from './world';

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

function chooses(selector: LabelSelector, { podLabels }: Guests): boolean {
  try {
    return selects(selector, podLabels);
  } catch {
    // a selector of another shape
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

/** Reports replicas beside an autoscaler: each apply would reset the number that the autoscaler chose. */
function oneScaler(object: KubeObject, world: World): Finding[] {
  const replicas = read(object, 'spec', 'replicas');
  if (!SETS.has(object.kind) || replicas === undefined || replicas === null) return [];
  const scaler = scalerOf(object, world);
  if (scaler === undefined) return [];
  const cause = `HorizontalPodAutoscaler "${scaler}" sets the number of guests, and each apply would reset it to ${String(replicas)}`;
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
  ...oneScaler(object, world),
  ...addressesDiffer(object),
];
