import { isNotFound, keyOf, resources, type Informer, type Requeue } from '../../../runtime/kube';
import type { Node, Pod, Taint } from '../../core-v1';
import { tolerates } from '../../scheduler/selectors';
import { QueueController, type ControllerContext } from '../controller';
import { announceDisruption } from './pods';

/** Time at which taints evict a Pod, in milliseconds; undefined if it tolerates them for ever. Pure. */
export function evictionTime({ metadata, spec }: Pod, taints: readonly Taint[] = [], now: number): number | undefined {
  const created = Date.parse(metadata.creationTimestamp ?? '') || 0;
  const times = taints
    .filter(({ effect }) => effect === 'NoExecute')
    .map((taint) => {
      const matching = (spec.tolerations ?? []).filter((toleration) => tolerates([toleration], taint));
      if (!matching.length) return now;
      const seconds = matching.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
      if (!seconds.length) return Infinity;
      const since = Math.max(Date.parse(taint.timeAdded ?? '') || now, created);
      return since + Math.max(0, Math.min(...seconds)) * 1000;
    });
  const first = Math.min(Infinity, ...times);
  return first === Infinity ? undefined : first;
}

/** Deletes Pods that do not tolerate the NoExecute taints of their node, or no longer do. */
export class TaintEvictionController extends QueueController {
  private readonly pods: Informer<Pod>;
  private readonly nodes: Informer<Node>;
  /** Pods that will be evicted later. */
  private readonly waiting = new Set<string>();

  public constructor(context: ControllerContext) {
    super('taint-eviction-controller', context);
    this.pods = context.informers.get('pods');
    this.nodes = context.informers.get('nodes');
    const wake = (pod: Pod): void => {
      const node = this.nodes.get(pod.spec.nodeName ?? '');
      if (node?.spec?.taints?.length) this.enqueue(keyOf(pod));
    };
    this.pods.onChange({ add: wake, update: wake, delete: (pod) => this.waiting.delete(keyOf(pod)) });
    const wakePods = (node: Node): void => this.enqueue(`${NODE}${node.metadata.name}`);
    this.nodes.onChange({
      add: (node) => {
        if (noExecute(node) !== '[]') wakePods(node);
      },
      update: (node, before) => {
        if (noExecute(node) !== noExecute(before)) wakePods(node);
      },
    });
  }

  protected startInformers(): Promise<void> {
    return this.context.informers.start('nodes');
  }

  protected async reconcile(key: string): Promise<Requeue | void> {
    if (key.startsWith(NODE)) return this.wakePods(key.slice(NODE.length));
    const pod = this.pods.get(key);
    const node = pod && this.nodes.get(pod.spec.nodeName ?? '');
    if (!pod || !node || pod.metadata.deletionTimestamp) return;
    const now = Date.now();
    const time = evictionTime(pod, node.spec?.taints, now);
    if (time === undefined) {
      if (!this.waiting.delete(key)) return;
      this.events.normal(pod, 'TaintManagerEviction', `Cancelling deletion of Pod ${key}`);
      return;
    }
    if (time > now) {
      this.waiting.add(key);
      return { requeueAfterMs: time - now };
    }
    this.waiting.delete(key);
    this.events.normal(pod, 'TaintManagerEviction', `Marking for deletion Pod ${key}`);
    const { namespace, name = '', uid } = pod.metadata;
    const message = 'Taint manager: deleting due to NoExecute taint';
    try {
      await announceDisruption(this.context.client, pod, 'DeletionByTaintManager', message);
      await this.context.client.delete(resources.pods, { namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Pods are watched only after a node was tainted. */
  private async wakePods(name: string): Promise<void> {
    await this.context.informers.start('pods');
    for (const pod of this.pods.list()) if (pod.spec.nodeName === name) this.enqueue(keyOf(pod));
  }
}

const NODE = 'node:';

const noExecute = ({ spec }: Node): string =>
  JSON.stringify((spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute'));
