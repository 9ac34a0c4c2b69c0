import {
  EventRecorder,
  Informer,
  isConflict,
  isNotFound,
  keyOf,
  resources,
  splitKey,
  WorkQueue,
} from '../../runtime/kube';
import type { KubeClient, Resource } from '../../runtime/kube';
import type { KubeObject } from '../../api/meta';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, PodCondition, StorageClass } from '../core-v1';
import type { Log } from '../log';
import { decide } from './decide';
import type { Cluster, Decision } from './decide';

export interface SchedulerOptions {
  /** As `system:kube-scheduler`, user agent `scheduler/…`. */
  readonly client: KubeClient;
  readonly log?: Log;
}

export interface Scheduler {
  close(): Promise<void>;
}

const NAME = 'default-scheduler';
/** Annotation with the node for which storage provisions a waiting claim. */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

const over = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
const pending = (pod: Pod): boolean =>
  !pod.spec.nodeName && !over(pod) && !pod.metadata.deletionTimestamp && (pod.spec.schedulerName ?? NAME) === NAME;

/** Assigns Pods to nodes. A Pod that fits nowhere gets a condition with the reason and is retried when the cluster changes. */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const scheduler = new LocalScheduler(options);
  await scheduler.start();
  return scheduler;
}

class LocalScheduler implements Scheduler {
  private readonly queue: WorkQueue;
  private readonly events: EventRecorder;
  private readonly pods: Informer<Pod>;
  private readonly nodes: Informer<Node>;
  private readonly claims: Informer<PersistentVolumeClaim>;
  private readonly volumes: Informer<PersistentVolume>;
  private readonly classes: Informer<StorageClass>;
  private readonly namespaces: Informer<KubeObject>;
  /** Pods that use a node, by UID. One that was bound counts before the watch shows it. */
  private readonly placed = new Map<string, Pod>();
  private working?: Promise<void>;

  public constructor(private readonly options: SchedulerOptions) {
    const { client } = options;
    const log: Log = options.log ?? (() => undefined);
    const informer = <T extends KubeObject>(resource: Resource): Informer<T> =>
      new Informer<T>(client, resource, {
        onError: (error) => log('warn', `watching ${resource.plural} failed; retrying`, { error: String(error) }),
      });
    this.queue = new WorkQueue({
      onError: (key, error) =>
        log('warn', 'a Pod could not be scheduled; retrying', { pod: key, error: String(error) }),
    });
    this.events = new EventRecorder(client, { component: NAME });
    this.pods = informer<Pod>(resources.pods);
    this.nodes = informer<Node>(resources.nodes);
    this.claims = informer<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    this.volumes = informer<PersistentVolume>(resources.persistentVolumes);
    this.classes = informer<StorageClass>(resources.storageClasses);
    this.namespaces = informer<KubeObject>(resources.namespaces);
  }

  public async start(): Promise<void> {
    const retryAll = (): void => this.retry();
    this.pods.onChange({
      add: (pod) => this.observe(pod),
      update: (pod, before) => this.observe(pod, before),
      delete: (pod) => {
        if (this.placed.delete(pod.metadata.uid ?? '')) retryAll();
      },
    });
    this.nodes.onChange({
      add: retryAll,
      update: (after, before) => {
        // ignore heartbeats, which do not affect decisions
        if (scheduling(after) !== scheduling(before)) retryAll();
      },
      delete: retryAll,
    });
    const retryClaims = (): void => this.retry(usesClaims);
    for (const informer of [this.claims, this.volumes, this.classes]) {
      (informer as Informer<KubeObject>).onChange({ add: retryClaims, update: retryClaims, delete: retryClaims });
    }
    const informers = [this.nodes, this.claims, this.volumes, this.classes, this.namespaces, this.pods];
    await Promise.all(informers.map((informer) => informer.start()));
    // one at a time, so that each decision sees the earlier ones
    this.working = this.queue.run(1, (key) => this.schedule(key));
    this.retry();
  }

  public async close(): Promise<void> {
    await this.queue.stop();
    await this.working;
    await Promise.all(
      [this.pods, this.nodes, this.claims, this.volumes, this.classes, this.namespaces].map((informer) =>
        informer.stop(),
      ),
    );
    await this.events.stop();
  }

  private observe(pod: Pod, before?: Pod): void {
    const { uid = '' } = pod.metadata;
    if (pod.spec.nodeName && !over(pod)) this.placed.set(uid, pod);
    else if (over(pod) && this.placed.delete(uid)) this.retry();
    // the status does not affect the decision, but the reason must not disappear from it
    const isSame = before !== undefined && hasReason(pod) && decisive(pod) === decisive(before);
    if (pending(pod) && !isSame) this.queue.add(keyOf(pod));
  }

  private retry(concerns: (pod: Pod) => boolean = () => true): void {
    for (const pod of this.pods.list()) if (pending(pod) && concerns(pod)) this.queue.add(keyOf(pod));
  }

  private cluster(): Cluster {
    return {
      nodes: this.nodes.list(),
      pods: [...this.placed.values()],
      claims: this.claims.list(),
      volumes: this.volumes.list(),
      classes: this.classes.list(),
      namespaces: new Map(
        this.namespaces.list().map(({ metadata }) => [metadata.name ?? '', metadata.labels ?? {}] as const),
      ),
    };
  }

  private async schedule(key: string): Promise<void> {
    const pod = this.pods.get(key);
    if (!pod || !pending(pod) || this.placed.has(pod.metadata.uid ?? '')) return;
    const decision = decide(pod, this.cluster());
    if (decision.do === 'wait') return this.refuse(pod, decision);
    await this.choose(pod, decision);
    if (decision.claims.length && !this.areBound(pod, decision.claims)) return; // their binding wakes the scheduler
    await this.bind(pod, decision.node);
  }

  /** Annotates waiting claims with the node. */
  private async choose(pod: Pod, { node, claims }: Extract<Decision, { do: 'bind' }>): Promise<void> {
    const { namespace } = pod.metadata;
    for (const name of claims) {
      const known = this.claims.get(`${namespace}/${name}`)?.metadata.annotations?.[SELECTED_NODE];
      if (known === node) continue;
      const body = { metadata: { annotations: { [SELECTED_NODE]: node } } };
      await this.options.client.patch(resources.persistentVolumeClaims, { namespace, name }, body, 'merge');
    }
  }

  private areBound(pod: Pod, claims: readonly string[]): boolean {
    return claims.every((name) => {
      const claim = this.claims.get(`${pod.metadata.namespace}/${name}`);
      return claim?.status?.phase === 'Bound';
    });
  }

  private async bind(pod: Pod, node: string): Promise<void> {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/binding`;
    const bound = { ...pod, spec: { ...pod.spec, nodeName: node } };
    this.placed.set(uid, bound);
    try {
      await this.options.client.request('POST', path, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { namespace, name, uid },
        target: { apiVersion: 'v1', kind: 'Node', name: node },
      });
    } catch (error) {
      // the watch may have shown another binding meanwhile
      if (this.placed.get(uid) === bound) this.placed.delete(uid);
      if (isNotFound(error) || isConflict(error)) return; // the watch reports the result
      throw error;
    }
    this.events.normal(pod, 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
  }

  /** Sets the Pod's condition and records an event when the reason changes. */
  private async refuse(pod: Pod, { reason, message }: Extract<Decision, { do: 'wait' }>): Promise<void> {
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.status === 'False' && known.reason === reason && known.message === message) return;
    if (reason === 'Unschedulable') this.events.warning(pod, 'FailedScheduling', message);
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const condition: PodCondition = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      lastProbeTime: null,
      lastTransitionTime: (known?.status === 'False' && known.lastTransitionTime) || now,
    };
    const { namespace, name } = splitKey(keyOf(pod));
    try {
      await this.options.client.patch(
        resources.pods,
        { namespace, name, subresource: 'status' },
        { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } },
        'strategic',
      );
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}

/** Whether a Pod has a volume from a claim, of its own or of another object. */
const usesClaims = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some((volume) => volume.persistentVolumeClaim !== undefined || 'ephemeral' in volume);

/** Whether the Pod shows why it waits. */
const hasReason = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type }) => type === 'PodScheduled') ?? false;

/** Fields of a waiting Pod that affect decisions. */
const decisive = ({ metadata, spec }: Pod): string =>
  JSON.stringify([metadata.labels, metadata.deletionTimestamp, metadata.annotations, spec]);

/** Fields of a node that affect decisions. */
const scheduling = ({ metadata, spec, status }: Node): string =>
  JSON.stringify([
    metadata.labels,
    spec?.unschedulable,
    spec?.taints,
    status?.allocatable,
    status?.conditions?.map(({ type, status: on }) => [type, on]),
  ]);
