import { Attributes, isResource, Plugin } from './admission';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Keeps Pods from a new node until the node controller has seen it ready, as in Kubernetes. */
export class NodeTaintsPlugin implements Plugin {
  public readonly name = 'TaintNodesByCondition';

  public mutate(attributes: Attributes): void {
    const { operation, subresource, object } = attributes;
    if (operation !== 'CREATE' || subresource || !object || !isResource(attributes, '', 'nodes')) return;
    const taints = (object.spec?.taints ?? []) as (typeof NOT_READY)[];
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return;
    object.spec = { ...object.spec, taints: [...taints, { ...NOT_READY }] };
  }
}
