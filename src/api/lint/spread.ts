/** Topology spread constraints whose selector leaves out the guests that they are to spread. */
import { mistake } from '../admission/rule';
import type { Finding } from '../findings';
import { type LabelSelector, selects } from '../kinds/label-selector';
import type { KubeObject } from '../meta';
import { type Guests, guestsIn, guestsOf } from './network-guests';
import { isObject, listAt } from './read';
import type { World } from './world';

/** Kinds of other Pods, relative to which a guest may be spread. */
const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Pod', 'Job', 'CronJob'];

/**
 * Kubernetes counts the Pods that the selector matches. Reported only for labels that nothing in the app has: a guest may
 * be spread relative to other Pods.
 */
export function spreadSelectsGuests(object: KubeObject, world: World): Finding[] {
  const guests = guestsIn(object);
  if (guests?.spec.topologySpreadConstraints === undefined) return [];
  return listAt(guests.spec, 'topologySpreadConstraints').flatMap(({ labelSelector }, i) => {
    if (!isObject(labelSelector) || isOfPlatform(labelSelector) || matches(labelSelector, guests)) return [];
    const isForOthers =
      guestsOf(world).some((each) => matches(labelSelector, each)) ||
      WORKLOADS.some((kind) => world.all(kind).length > 0);
    if (isForOthers) return [];
    const path = guests.at.at('topologySpreadConstraints', i, 'labelSelector');
    const cause = 'no guest of this app has these labels, so the constraint spreads nothing';
    const remedy =
      'use labels of the instances, which come from the template (instanceMetadata), or scheduling.spread()';
    return mistake('spread-selector', path, cause, remedy);
  });
}

/** The platform adds labels to its Pods. */
const isOfPlatform = (selector: LabelSelector): boolean => /kubevirt\.io|virt8s\.io/.test(JSON.stringify(selector));

function matches(selector: LabelSelector, { podLabels }: Guests): boolean {
  try {
    return selects(selector, podLabels);
  } catch {
    // a selector of another shape
    return true;
  }
}
