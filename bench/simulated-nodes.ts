import type { Node, Pod } from '../src/local/core-v1';
import { keys } from '../src/api/keys';
import { Informer, isNotFound, keyOf, type KubeClient, resources, WorkQueue } from '../src/runtime/kube';

/** Interval of a kubelet's leases, and of virt-handler's heartbeats. */
const RENEW_MS = 20_000;
const HEARTBEAT_MS = 60_000;
const PREFIX = 'simulated-';
/** Pods of one node, Kubernetes' default limit times two: the nodes are large. */
const MOST_PODS = 220;

const now = (): string => new Date().toISOString().replace(/\.\d+/, '');

/**
 * Nodes without machines: each Pod that is placed on one is reported as running at once, and its guest by the one write
 * that virt-handler needs. What they write costs the API server as much as real nodes would.
 */
export class SimulatedNodes {
  private readonly pods: Informer<Pod>;
  private readonly queue = new WorkQueue();
  private working?: Promise<void>;
  private timers: readonly NodeJS.Timeout[] = [];
  private readonly names: readonly string[];

  public constructor(
    private readonly client: KubeClient,
    /** Client of virt-handler. */
    private readonly handler: KubeClient,
    count: number,
  ) {
    this.names = Array.from({ length: count }, (_, i) => `${PREFIX}${i}`);
    this.pods = new Informer<Pod>(client, resources.pods, { namespace: 'default' });
    const wake = (pod: Pod): void => this.queue.add(keyOf(pod));
    this.pods.onChange({ add: wake, update: wake });
  }

  /** Registers nodes with the labels of an existing one. */
  public async start(like: Node): Promise<void> {
    for (const [i, name] of this.names.entries()) await this.register(name, i, like);
    await this.renew();
    this.timers = [
      setInterval(() => void this.renew().catch(() => undefined), RENEW_MS),
      setInterval(() => void this.beat().catch(() => undefined), HEARTBEAT_MS),
    ];
    await this.pods.start();
    this.working = this.queue.run(16, (key) => this.run(key));
  }

  public async stop(): Promise<void> {
    this.timers.forEach(clearInterval);
    await this.queue.stop();
    await this.working;
    await this.pods.stop();
  }

  private async register(name: string, index: number, { metadata, status }: Node): Promise<void> {
    const resourcesOf = { ...status?.allocatable, cpu: '256', memory: '4Ti', pods: String(MOST_PODS) };
    const devices = Object.keys(resourcesOf).filter((resource) => resource.startsWith('devices.kubevirt.io/'));
    const allocatable = { ...resourcesOf, ...Object.fromEntries(devices.map((device) => [device, '1k'])) };
    await this.client.create(resources.nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: { ...metadata.labels, 'kubernetes.io/hostname': name, [keys.schedulable]: 'true' },
        annotations: { [keys.heartbeat]: now() },
      },
      spec: { podCIDR: `10.200.${index}.0/24` },
    } as Node);
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now() };
    const report = { conditions: [{ ...ready, lastTransitionTime: now() }], capacity: allocatable, allocatable };
    await this.client.patch(resources.nodes, { name, subresource: 'status' }, { status: report }, 'merge');
    await this.client.create(resources.leases, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: 'kube-node-lease' },
      spec: { holderIdentity: name, leaseDurationSeconds: 40 },
    } as object as Pod);
  }

  private async renew(): Promise<void> {
    for (const name of this.names) {
      const spec = { renewTime: new Date().toISOString().replace('Z', '000Z') };
      await this.client.patch(resources.leases, { namespace: 'kube-node-lease', name }, { spec }, 'merge');
    }
  }

  private async beat(): Promise<void> {
    for (const name of this.names) {
      const metadata = { annotations: { [keys.heartbeat]: now() } };
      await this.handler.patch(resources.nodes, { name }, { metadata }, 'merge');
    }
  }

  private async run(key: string): Promise<void> {
    const pod = this.pods.get(key);
    const node = pod?.spec.nodeName;
    if (!pod || !node?.startsWith(PREFIX)) return;
    const { namespace, name = '', deletionTimestamp } = pod.metadata;
    try {
      if (deletionTimestamp) {
        await this.client.delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0 });
        return;
      }
      if (pod.status?.phase !== 'Pending') return;
      await this.client.patch(
        resources.pods,
        { namespace, name, subresource: 'status' },
        { status: started(pod) },
        'merge',
      );
      const [owner] = pod.metadata.ownerReferences ?? [];
      if (owner?.kind !== 'VirtualMachineInstance') return;
      const status = { phase: 'Running', nodeName: node, conditions: [{ type: 'Ready', status: 'True' }] };
      const body = { metadata: { labels: { [keys.nodeName]: node } }, status };
      await this.handler.patch(resources.virtualMachineInstances, { namespace, name: owner.name }, body, 'merge');
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function started({ spec }: Pod): object {
  const at = now();
  const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: at });
  return {
    phase: 'Running',
    podIP: '10.200.0.1',
    startTime: at,
    conditions: ['Initialized', 'ContainersReady', 'Ready'].map(condition),
    containerStatuses: spec.containers.map(({ name, image }) => ({
      ...{ name, image, imageID: image, ready: true, started: true, restartCount: 0 },
      state: { running: { startedAt: at } },
    })),
  };
}
