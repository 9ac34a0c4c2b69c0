import type { KubeObject } from '../../../api/meta';
import { Informer, isNotFound, resources, type Requeue } from '../../../runtime/kube';
import type { Node, Pod } from '../../core-v1';
import { QueueController, type ControllerContext } from '../controller';
import { readyCondition } from '../pods';
import { timestamp } from '../status';
import { decide, disruption, readyStatus } from './health';

interface Lease extends KubeObject {
  spec?: { renewTime?: string };
}

interface Heartbeat {
  type: string;
  lastHeartbeatTime?: string | null;
}

/** Last sign of life of a node, by this process's own clock: that of the node may be wrong. */
interface Sign {
  seenAt: number;
  heartbeat?: string | null;
  renewed?: string;
}

const LEASES = 'kube-node-lease';

/** Reports nodes that stopped reporting, and taints nodes by their conditions. */
export class NodeLifecycleController extends QueueController {
  private readonly nodes: Informer<Node>;
  private readonly pods: Informer<Pod>;
  private readonly leases: Informer<Lease>;
  private readonly signs = new Map<string, Sign>();
  private wereAllDown = false;

  public constructor(context: ControllerContext) {
    super('node-controller', context, 1);
    const { client, informers, log } = context;
    this.nodes = informers.get('nodes');
    this.pods = informers.get('pods');
    this.leases = new Informer<Lease>(client, resources.leases, {
      namespace: LEASES,
      transform: ({ apiVersion, kind, metadata: { name, namespace, resourceVersion, uid }, spec }) => ({
        apiVersion,
        kind,
        metadata: { name, namespace, resourceVersion, uid },
        spec: { renewTime: spec?.renewTime },
      }),
      onError: (error) => log('warn', 'watching node leases failed; retrying', { error: String(error) }),
    });
    const changed = (node: Node): void => {
      this.observe(node);
      // whether Pods are evicted depends on how many nodes are down
      for (const { metadata } of this.nodes.list()) this.enqueue(metadata.name ?? '');
    };
    this.nodes.onChange({
      add: (node) => {
        // after a restart of this program, the node is not new
        if (isNew(node)) {
          this.events.normal(node, 'RegisteredNode', `Registered Node ${node.metadata.name} in Controller`);
        }
        changed(node);
      },
      update: (node, before) => {
        this.observe(node);
        if (relevant(node) !== relevant(before)) changed(node);
      },
      delete: (node) => {
        this.signs.delete(node.metadata.name ?? '');
        this.expectations.forget(node.metadata.name ?? '');
        this.events.normal(node, 'RemovingNode', `Removing Node ${node.metadata.name} from Controller`);
      },
    });
    const renewed = ({ metadata, spec }: Lease): void => {
      const sign = this.signs.get(metadata.name ?? '');
      if (!sign || sign.renewed === spec?.renewTime) return;
      sign.renewed = spec?.renewTime;
      sign.seenAt = performance.now();
    };
    this.leases.onChange({ add: renewed, update: renewed });
  }

  public override async close(): Promise<void> {
    await super.close();
    await this.leases.stop();
  }

  protected async startInformers(): Promise<void> {
    await this.context.informers.start('nodes');
    await this.leases.start();
  }

  protected async reconcile(name: string): Promise<Requeue | void> {
    const node = this.nodes.get(name);
    if (!node) return;
    const zone = disruption(this.nodes.list());
    if (this.wereAllDown && !zone.allDown) this.restartClocks();
    this.wereAllDown = zone.allDown;
    const silentMs = performance.now() - (this.signs.get(name)?.seenAt ?? performance.now());
    const plan = decide({ node, silentMs, ...zone, now: Date.now() });
    try {
      await this.write(name, node, plan);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (plan.lost) {
      this.events.normal(node, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
      await this.markPods(name);
    }
    return { requeueAfterMs: plan.requeueAfterMs };
  }

  private observe(node: Node): void {
    const { name = '' } = node.metadata;
    const conditions: readonly Heartbeat[] = node.status?.conditions ?? [];
    const heartbeat = conditions.find(({ type }) => type === 'Ready')?.lastHeartbeatTime;
    const sign = this.signs.get(name);
    if (sign && sign.heartbeat === heartbeat) return;
    this.signs.set(name, { ...sign, heartbeat, seenAt: performance.now() });
  }

  /** After all nodes were down, the cause was probably here: each node gets the whole time again. */
  private restartClocks(): void {
    for (const sign of this.signs.values()) sign.seenAt = performance.now();
  }

  private async write(name: string, node: Node, { conditions, taints }: ReturnType<typeof decide>): Promise<void> {
    const { client } = this.context;
    const { resourceVersion, uid } = node.metadata;
    let written: KubeObject | undefined;
    if (conditions) {
      const body = { metadata: { uid, resourceVersion }, status: { conditions } };
      written = await client.patch(resources.nodes, { name, subresource: 'status' }, body, 'strategic');
    }
    if (taints) {
      // The list is replaced as a whole, so the version must be the one that was examined.
      const version = written?.metadata.resourceVersion ?? resourceVersion;
      const body = { metadata: { uid, resourceVersion: version }, spec: { taints } };
      written = await client.patch(resources.nodes, { name }, body, 'merge');
    }
    if (written) this.expectations.expect(name, this.nodes, written.metadata.resourceVersion);
  }

  /** Pods of a node that is down are not ready: Services stop sending to them. */
  private async markPods(name: string): Promise<void> {
    await this.context.informers.start('pods');
    for (const pod of this.pods.list()) {
      if (pod.spec.nodeName !== name || readyCondition(pod)?.status !== 'True') continue;
      const { namespace, name: podName = '', uid } = pod.metadata;
      const condition = { type: 'Ready', status: 'False', lastTransitionTime: timestamp(Date.now()) };
      const body = { metadata: { uid }, status: { conditions: [condition] } };
      this.events.warning(pod, 'NodeNotReady', 'Node is not ready');
      try {
        const path = { namespace, name: podName, subresource: 'status' };
        await this.context.client.patch(resources.pods, path, body, 'strategic');
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
}

const isNew = ({ metadata }: Node): boolean => Date.now() - Date.parse(metadata.creationTimestamp ?? '') < 60_000;

const relevant = (node: Node): string =>
  JSON.stringify([
    readyStatus(node),
    node.spec,
    node.status?.conditions?.map(({ type, status }) => [type, status]),
    node.metadata.labels?.['node.kubernetes.io/exclude-disruption'],
  ]);
