import pino from 'pino';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../../../src/api';
import { clusterConfig } from '../../../../src/api/cluster-config';
import { platformDefinitions } from '../../../../src/api/crds';
import { mutateVirtualMachine, mutateVirtualMachineInstance } from '../../../../src/api/mutate';
import { Controller } from '../../../../src/runtime/controller/controller';
import type { Pod } from '../../../../src/runtime/controller/pod';
import {
  Informer,
  isConflict,
  isNotFound,
  keyOf,
  KubeClient,
  loadKubeConfig,
  resources,
  unobservedQueue,
} from '../../../../src/runtime/kube';
import type { MakeQueue, Resource, WorkQueue } from '../../../../src/runtime/kube';
import { startTestApiServer } from '../../../support/api-server';
import type { TestApiServer } from '../../../support/api-server';
import { eventually } from '../../../support/patience';
import { FaultyProxy } from './faulty-proxy';

const NODE = 'node-1';
const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

/**
 * A real API server and the real controller behind a proxy that can fail; the test plays what is not there: webhook,
 * kubelet, handler and garbage collector.
 */
export class World {
  /** Behaviour of the kubelet for a new Pod. */
  public kubelet: (pod: Pod) => 'run' | 'ignore' = () => 'run';
  /** Behaviour of the handler for a running Pod. */
  public handler: (pod: Pod) => 'run' | 'ignore' = () => 'run';
  public readonly errors: unknown[] = [];
  private readonly pods: Informer<Pod>;
  private readonly vmis: Informer<VirtualMachineInstance>;
  private stopping?: AbortController;
  public controller?: Controller;
  private running?: Promise<void>;
  private readonly busy = new Set<Promise<void>>();
  /** Queues of the running controllers. */
  private readonly queues = new Map<string, WorkQueue>();
  /** Creates the queues of a controller, whose passes `settled` makes and waits for. */
  public readonly makeQueue: MakeQueue = (name, options) => {
    const queue = unobservedQueue(name, options);
    this.queues.set(name, queue);
    return queue;
  };

  private constructor(
    public readonly server: TestApiServer,
    /** The administrator's client; it does not go through the proxy. */
    public readonly client: KubeClient,
    public readonly proxy: FaultyProxy,
  ) {
    this.pods = new Informer<Pod>(client, resources.pods);
    this.vmis = new Informer<VirtualMachineInstance>(client, resources.virtualMachineInstances);
    this.pods.onChange({
      add: (pod) => this.later(() => this.seePod(pod)),
      update: (pod) => this.later(() => this.seePod(pod)),
    });
    this.vmis.onChange({
      update: (vmi) => this.later(() => this.seeVmi(vmi)),
      delete: (vmi) => this.later(() => this.collect(vmi)),
    });
  }

  public static async start(): Promise<World> {
    const server = await startTestApiServer();
    const config = loadKubeConfig(server.kubeconfig);
    const client = new KubeClient(config, { userAgent: 'test' });
    for (const crd of platformDefinitions) await client.create(resources.customResourceDefinitions, crd);
    for (const { metadata } of platformDefinitions) await established(client, metadata.name!);
    for (const name of ['default', 'kubevirt']) {
      await client
        .create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
        .catch(() => undefined);
    }
    const world = new World(server, client, await FaultyProxy.start(config));
    world.proxy.mutate = webhook;
    await world.addNode();
    await Promise.all([world.pods.start(), world.vmis.start()]);
    return world;
  }

  public async stop(): Promise<void> {
    await this.stopController();
    await Promise.all([this.pods.stop(), this.vmis.stop()]);
    await Promise.all(this.busy);
    this.proxy.close();
    this.client.close();
    await this.server.close();
  }

  /** Deletes all objects of these kinds, one kind after the other, and waits until the controller has released them. */
  public async clear(kinds: readonly Resource[]): Promise<void> {
    this.kubelet = () => 'run';
    this.handler = () => 'run';
    for (const kind of kinds) {
      const { items } = await this.client.list(kind);
      for (const { metadata } of items)
        await this.client.delete(kind, { namespace: metadata.namespace, name: metadata.name ?? '' });
      await this.until(
        () => this.client.list(kind),
        (left) => left.items.length === 0,
        `all ${kind.plural} are deleted`,
      );
    }
    await this.until(
      () => this.client.list(resources.pods),
      ({ items }) => items.length === 0,
      'all Pods are deleted',
    );
  }

  public startController(launcherImage = 'launcher:test'): void {
    this.stopping = new AbortController();
    const client = new KubeClient(this.proxy.config, { userAgent: 'virt-controller/test' });
    const log = pino({ level: process.env.VIRT8S_TEST_LOG ? 'info' : 'silent' }, pino.destination(2));
    const { makeQueue } = this;
    this.controller = new Controller({ client, namespace: 'kubevirt', launcherImage, log, makeQueue });
    this.running = this.controller.run(this.stopping.signal).finally(() => client.close());
  }

  public async stopController(): Promise<void> {
    this.stopping?.abort();
    await this.running;
  }

  public async restartController(): Promise<void> {
    await this.stopController();
    this.startController();
  }

  public async createVm(name: string, change: (vm: VirtualMachine) => void = () => {}): Promise<VirtualMachine> {
    const vm = mutateVirtualMachine(sampleVm(name), clusterConfig());
    change(vm);
    return this.client.create(resources.virtualMachines, vm);
  }

  public vm(name: string): Promise<VirtualMachine> {
    return this.client.get<VirtualMachine>(resources.virtualMachines, { namespace: 'default', name });
  }

  public vmi(name: string): Promise<VirtualMachineInstance | undefined> {
    return this.client.find<VirtualMachineInstance>(resources.virtualMachineInstances, { namespace: 'default', name });
  }

  public async podsOf(name: string): Promise<Pod[]> {
    const { items } = await this.client.list<Pod>(resources.pods, { namespace: 'default' });
    return items.filter((pod) => pod.metadata.ownerReferences?.some((owner) => owner.name === name));
  }

  public async eventsOf(
    kind: string,
    name: string,
  ): Promise<{ type: string; reason: string; message: string; count: number }[]> {
    const { items } = await this.client.list(resources.events, { namespace: 'default' });
    return (
      items as never as {
        involvedObject: { kind: string; name: string };
        type: string;
        reason: string;
        message: string;
        count: number;
      }[]
    ).filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name);
  }

  public patchVm(name: string, patch: object, subresource?: string): Promise<VirtualMachine> {
    return this.client.patch(resources.virtualMachines, { namespace: 'default', name, subresource }, patch, 'merge');
  }

  public patchVmi(name: string, patch: object): Promise<VirtualMachineInstance> {
    return this.client.patch(resources.virtualMachineInstances, { namespace: 'default', name }, patch, 'merge');
  }

  public patchPodStatus(pod: KubeObject, status: object): Promise<Pod> {
    const { namespace, name = '' } = pod.metadata;
    return this.client.patch(resources.pods, { namespace, name, subresource: 'status' }, { status }, 'strategic');
  }

  /** The guest ends on its own; the handler reports it and the launcher exits. */
  public async endGuest(name: string, phase: 'Succeeded' | 'Failed'): Promise<void> {
    const vmi = await this.vmi(name);
    const [pod] = (await this.podsOf(name)).filter((p) => p.status?.phase === 'Running');
    await this.patchVmi(name, { status: { phase, ...transitions(vmi, phase) } });
    if (pod) await this.patchPodStatus(pod, { phase });
  }

  /** Waits until the condition is met; if it is not, the error contains the last state. */
  public async until<T>(look: () => Promise<T>, holds: (seen: T) => boolean, what: string): Promise<T> {
    let seen: T | undefined;
    const attempt = async (): Promise<T> => {
      seen = await look();
      if (!holds(seen)) throw new Error('not yet');
      return seen;
    };
    return eventually(attempt, { everyMs: 25 }).catch((error: unknown) => {
      throw new Error(`${what}: ${String(error)}; last seen: ${JSON.stringify(seen, null, 1)}`);
    });
  }

  /**
   * Waits until the controllers know every object of the server and a further pass over each of them writes nothing, so
   * that nothing happens until the next change.
   */
  public async settled(): Promise<void> {
    for (let written = -1; written !== this.proxy.writes.length;) {
      await eventually(() => this.expectCurrent(), { everyMs: 25 });
      written = this.proxy.writes.length;
      this.wakeAll();
      await eventually(() => this.expectIdle(), { everyMs: 25 });
    }
  }

  public vmShows(name: string, printable: string): Promise<VirtualMachine> {
    return this.until(
      () => this.vm(name),
      ({ status }) => status?.printableStatus === printable,
      `${name} shows ${printable}`,
    );
  }

  private wakeAll(): void {
    const { vms, vmis } = this.controller!.shared.caches;
    for (const { metadata } of vms.list()) this.queues.get('virt-controller-vm')?.add(keyOf({ metadata }));
    for (const { metadata } of vmis.list()) this.queues.get('virt-controller-vmi')?.add(keyOf({ metadata }));
    this.queues.get('virt-controller-workload-update')?.add('instances');
  }

  private expectIdle(): void {
    for (const [name, queue] of this.queues)
      if (queue.length + queue.agesMs.length > 0) throw new Error(`${name} is not idle`);
  }

  /** Expects that each cache contains what the server has, and that the played kubelet and handler have answered. */
  private async expectCurrent(): Promise<void> {
    const { vms, vmis, pods, kubeVirts } = this.controller!.shared.caches;
    for (const cache of [this.pods, this.vmis, vms, vmis, pods, kubeVirts] as unknown as Informer<KubeObject>[]) {
      const { items } = await this.client.list(cache.resource, cache['selectors']);
      const isCurrent = ({ metadata }: KubeObject): boolean =>
        cache.get(keyOf({ metadata }))?.metadata.resourceVersion === metadata.resourceVersion;
      if (items.length !== cache.list().length || !items.every(isCurrent))
        throw new Error(`a cache of ${cache.resource.plural} is behind`);
    }
    if (this.busy.size > 0) throw new Error('the kubelet or handler is busy');
  }

  private later(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => void this.errors.push(error))
      .finally(() => this.busy.delete(done));
    this.busy.add(done);
  }

  private async addNode(): Promise<void> {
    const allocatable = {
      cpu: '8',
      memory: '16Gi',
      'devices.kubevirt.io/kvm': '1k',
      'devices.kubevirt.io/tun': '1k',
      'devices.kubevirt.io/vhost-net': '1k',
    };
    await this.client.create(resources.nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: NODE,
        labels: {
          'kubevirt.io/schedulable': 'true',
          'kubernetes.io/arch': 'amd64',
          'machine-type.node.kubevirt.io/q35': 'true',
        },
        annotations: { 'kubevirt.io/heartbeat': now() },
      },
    });
    await this.client.patch(
      resources.nodes,
      { name: NODE, subresource: 'status' },
      { status: { allocatable, nodeInfo: { kubeletVersion: 'v1.36.0' } } },
      'merge',
    );
  }

  /** Scheduler and kubelet. */
  private async seePod(pod: Pod): Promise<void> {
    const { namespace, name = '', deletionTimestamp } = pod.metadata;
    if (this.kubelet(pod) === 'ignore') return;
    if (deletionTimestamp && pod.spec.nodeName) return this.removePod(pod);
    if (deletionTimestamp || pod.status?.phase === 'Running' || pod.spec.nodeName) return;
    await this.client.request('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { apiVersion: 'v1', kind: 'Node', name: NODE },
    });
    const condition = (type: string, status: string): object => ({ type, status, lastTransitionTime: now() });
    const running = await this.patchPodStatus(pod, {
      phase: 'Running',
      conditions: [
        condition('PodScheduled', 'True'),
        condition('ContainersReady', 'True'),
        condition('Ready', 'False'),
      ],
      containerStatuses: [
        {
          name: 'compute',
          ready: true,
          image: '',
          imageID: '',
          restartCount: 0,
          state: { running: { startedAt: now() } },
        },
      ],
    });
    if (this.handler(running) === 'run') await this.handOver(running);
  }

  /** The handler's one patch. */
  public async handOver(pod: Pod): Promise<void> {
    const owner = pod.metadata.ownerReferences?.[0];
    const vmi = await this.vmi(owner?.name ?? '');
    if (!vmi || vmi.metadata.uid !== owner?.uid || vmi.metadata.deletionTimestamp) return;
    const paused = vmi.spec.startStrategy === 'Paused';
    await this.patchVmi(vmi.metadata.name ?? '', {
      metadata: { labels: { 'kubevirt.io/nodeName': NODE } },
      status: {
        nodeName: NODE,
        phase: 'Running',
        ...transitions(vmi, 'Running'),
        activePods: { [pod.metadata.uid ?? '']: NODE },
        conditions: [
          { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: now() },
          { type: 'LiveMigratable', status: 'False', lastProbeTime: null, lastTransitionTime: now() },
          ...(paused ? [{ type: 'Paused', status: 'True', lastProbeTime: null, lastTransitionTime: now() }] : []),
        ],
      },
    });
  }

  /** The handler shuts down a guest whose VMI is being deleted. */
  private async seeVmi(vmi: VirtualMachineInstance): Promise<void> {
    if (!vmi.metadata.deletionTimestamp || vmi.status?.phase !== 'Running') return;
    for (const pod of await this.podsOf(vmi.metadata.name ?? '')) {
      if (pod.metadata.ownerReferences?.[0].uid !== vmi.metadata.uid || this.handler(pod) === 'ignore') continue;
      if (pod.status?.phase === 'Running') await this.patchPodStatus(pod, { phase: 'Succeeded' });
    }
  }

  /** The garbage collector. */
  private async collect(vmi: VirtualMachineInstance): Promise<void> {
    for (const pod of this.pods.list()) {
      if (pod.metadata.ownerReferences?.[0]?.uid === vmi.metadata.uid) await this.removePod(pod);
    }
  }

  private async removePod(pod: Pod): Promise<void> {
    const { namespace, name = '', uid } = pod.metadata;
    await this.client
      .delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } })
      .catch((error: unknown) => {
        if (!isNotFound(error) && !isConflict(error)) throw new Error(`${keyOf(pod)}: ${String(error)}`);
      });
  }
}

const transitions = (vmi: VirtualMachineInstance | undefined, phase: string): object => ({
  phaseTransitionTimestamps: [
    ...(vmi?.status?.phaseTransitionTimestamps ?? []),
    { phase, phaseTransitionTimestamp: now() },
  ],
});

function webhook(method: string, path: string, body: string): string {
  if (method !== 'POST' || !path.endsWith('/virtualmachineinstances')) return body;
  return JSON.stringify(mutateVirtualMachineInstance(JSON.parse(body) as VirtualMachineInstance, clusterConfig()));
}

export function established(client: KubeClient, name: string): Promise<void> {
  return eventually(
    async () => {
      const crd = await client.get<KubeObject & { status?: { conditions?: { type: string; status: string }[] } }>(
        resources.customResourceDefinitions,
        { name },
      );
      if (!crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True'))
        throw new Error(`CRD ${name} is not established`);
    },
    { everyMs: 25 },
  );
}

export function sampleVm(name: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { 'kubevirt.io/domain': name } },
        spec: {
          domain: {
            devices: {
              disks: [{ name: 'root', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            memory: { guest: '128Mi' },
          },
          networks: [{ name: 'default', pod: {} }],
          terminationGracePeriodSeconds: 0,
          volumes: [{ name: 'root', containerDisk: { image: 'disk:test' } }],
        },
      },
    },
  };
}
