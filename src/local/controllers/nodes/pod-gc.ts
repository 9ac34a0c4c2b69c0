import { isConflict, isNotFound, keyOf, resources, type Informer, type Requeue } from '../../../runtime/kube';
import type { Node, Pod } from '../../core-v1';
import { QueueController, type ControllerContext } from '../controller';
import { isOver } from '../pods';
import { readyStatus } from './health';
import { announceDisruption } from './pods';

/** A Pod to delete at once, and the condition that names the cause. */
export interface Garbage {
  readonly pod: Pod;
  readonly reason?: string;
  readonly message: string;
}

const MAX_TERMINATED = 12_500;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
const PERIOD_MS = 20_000;
/** Time after which Pods of a missing node are deleted: it may only be missing in the cache. */
const QUARANTINE_MS = 40_000;
const TICK = 'all';

/** Pods that nothing else will delete. `goneNodes`: nodes that do not exist. Pure. */
export function garbage(
  pods: readonly Pod[],
  nodes: ReadonlyMap<string, Node>,
  goneNodes: ReadonlySet<string>,
  most = MAX_TERMINATED,
): Garbage[] {
  const ended = pods.filter(isOver).sort(byEvictionAndAge);
  const found: Garbage[] = ended.slice(0, Math.max(0, ended.length - most)).map((pod) => ({ pod, message: '' }));
  for (const pod of pods) {
    const { nodeName = '' } = pod.spec;
    const node = nodes.get(nodeName);
    const down = node && readyStatus(node) !== 'True' && node.spec?.taints?.some(({ key }) => key === OUT_OF_SERVICE);
    const deleted = Boolean(pod.metadata.deletionTimestamp);
    if (deleted && (down || !nodeName)) found.push({ pod, message: '' });
    else if (nodeName && goneNodes.has(nodeName)) {
      found.push({ pod, reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' });
    }
  }
  return found;
}

function byEvictionAndAge(a: Pod, b: Pod): number {
  const evicted = ({ status }: Pod): number => Number(status?.reason !== 'Evicted');
  const [left, right] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`) as [
    string,
    string,
  ];
  return evicted(a) - evicted(b) || (left < right ? -1 : 1);
}

/** Deletes Pods of nodes that no longer exist, and the oldest of too many Pods that have ended. */
export class PodGcController extends QueueController {
  private readonly pods: Informer<Pod>;
  private readonly nodes: Informer<Node>;
  private readonly missingSince = new Map<string, number>();

  public constructor(context: ControllerContext) {
    super('pod-garbage-collector', context, 1);
    this.pods = context.informers.get('pods');
    this.nodes = context.informers.get('nodes');
  }

  protected async startInformers(): Promise<void> {
    await this.context.informers.start('nodes');
    this.enqueue(TICK);
  }

  protected async reconcile(): Promise<Requeue> {
    const nodes = new Map(this.nodes.list().map((node) => [node.metadata.name ?? '', node]));
    const pods = await this.allPods();
    for (const found of garbage(pods, nodes, await this.goneNodes(pods, nodes))) {
      try {
        await this.collect(found);
      } catch (error) {
        if (isNotFound(error) || isConflict(error)) continue;
        const fields = { pod: keyOf(found.pod), error: String(error) };
        this.context.log('warn', 'a Pod could not be collected; retrying', fields);
      }
    }
    return { requeueAfterMs: PERIOD_MS };
  }

  /** Without workloads nothing watches Pods; a periodic list needs less memory. */
  private async allPods(): Promise<Pod[]> {
    if (this.pods.listed) return this.pods.list();
    return (await this.context.client.list<Pod>(resources.pods)).items;
  }

  /** Nodes of Pods that are missing for some time, also according to the API server. */
  private async goneNodes(pods: readonly Pod[], nodes: ReadonlyMap<string, Node>): Promise<Set<string>> {
    const missing = new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []));
    for (const name of nodes.keys()) missing.delete(name);
    for (const name of this.missingSince.keys()) if (!missing.has(name)) this.missingSince.delete(name);
    const gone = new Set<string>();
    const now = performance.now();
    for (const name of missing) {
      const since = this.missingSince.get(name) ?? now;
      this.missingSince.set(name, since);
      if (now - since < QUARANTINE_MS) continue;
      if (!(await this.context.client.find(resources.nodes, { name }))) gone.add(name);
    }
    return gone;
  }

  private async collect({ pod, reason, message }: Garbage): Promise<void> {
    const { client } = this.context;
    const { namespace, name = '', uid } = pod.metadata;
    if (!isOver(pod)) await announceDisruption(client, pod, reason, message, 'Failed');
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await client.delete(resources.pods, { namespace, name }, options);
  }
}
