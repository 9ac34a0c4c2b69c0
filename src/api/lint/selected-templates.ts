/** Labels of a VM that a selector of Pods was meant for: only the labels of its template are on its Pods. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { GUEST_TEMPLATES } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { selectableLabels, selectionsOf } from '../references';
import { guestsOf, selectedGuests } from './network-guests';
import { keyOf, objectAt, textsAt } from './read';
import type { World } from './world';

/** Labels that each kind selects Pods by. */
const SELECTORS: Readonly<Record<string, readonly string[]>> = {
  Service: ['spec', 'selector'],
  'NetworkPolicy.networking.k8s.io': ['spec', 'podSelector', 'matchLabels'],
  'PodDisruptionBudget.policy': ['spec', 'selector', 'matchLabels'],
};
const WORKLOADS = ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

/** Reports a selector that matches no Pod, but the labels that a VM has itself. */
export function selectorsMeanTemplates(object: KubeObject, world: World): Finding[] {
  const key = keyOf(object);
  if (!Object.hasOwn(SELECTORS, key)) return [];
  const labels = textsAt(object, ...SELECTORS[key]);
  const entries = Object.entries(labels);
  const { namespace } = object.metadata;
  if (entries.length === 0 || selectedGuests(world, namespace, labels).length > 0) return [];
  const meant = guestsOf(world).find(
    (each) => each.namespace === namespace && entries.every(([name, value]) => ownLabels(each.object)[name] === value),
  );
  if (!meant || isAnswered(object, world)) return [];
  const { kind, metadata } = meant.object;
  const cause = `no Pod has these labels: ${kind} "${metadata.name}" has them itself, and its Pods have those of its template`;
  const field = [...GUEST_TEMPLATES[kind as keyof typeof GUEST_TEMPLATES], 'metadata', 'labels'].join('.');
  const remedy = `add them to ${field} (podLabels of a construct)`;
  return mistake('selects-template', root.at(...SELECTORS[key]), cause, remedy, {
    value: entries.map((pair) => pair.join('=')),
  });
}

const ownLabels = (object: KubeObject): Readonly<Record<string, unknown>> =>
  objectAt(object, 'metadata', 'labels') ?? {};

/** Whether the Pods of other workloads have the labels, or the selector has more conditions. */
function isAnswered(object: KubeObject, world: World): boolean {
  const [selection] = selectionsOf(object);
  const { namespace } = object.metadata;
  return WORKLOADS.some((kind) =>
    world
      .all(kind)
      .some((other) => other.namespace === namespace && selection?.matches(selectableLabels(other.object()) ?? {})),
  );
}
