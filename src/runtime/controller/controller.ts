import { keys } from '../../api/keys';
import { keyFields } from '../../api/log-fields';
import type { Logger } from 'pino';
import type { VirtualMachine, VirtualMachineInstance } from '../../api';
import { EventRecorder, Expectations, isConflict, keyOf, rateLimitOf, unobservedQueue } from '../kube';
import type { Informer, KubeClient, MakeQueue, Requeue, WorkQueue } from '../kube';
import { configReader, makeCaches, stateKeys } from './context';
import type { Caches, Context } from './context';
import { syncInstance } from './instance/execute';
import { isFinal, isHandedOver } from './instance/observed';
import { syncNode } from './node/execute';
import { Heartbeats } from './node/heartbeats';
import { claimedOwner } from './launcher-pod';
import { ImageVolumeSupport, limitsOf, withImageVolumeSupport } from './pod';
import type { ClusterVersions } from './pod';
import { syncPool } from './pool/execute';
import { poolKeyOf } from './pool/observed';
import { ownerOf } from './replica-set/decide';
import { syncReplicaSet } from './replica-set/execute';
import { startResync } from './resync';
import { ServerVersion } from './server-version';
import { WORKERS } from './settings';
import type { Workers } from './settings';
import { syncVirtualMachine } from './virtual-machine/execute';

export interface ControllerOptions {
  readonly client: KubeClient;
  /** Namespace of the KubeVirt object. */
  readonly namespace: string;
  readonly launcherImage: string;
  readonly log: Logger;
  /** Number of keys that are reconciled at the same time. Default: `WORKERS`. */
  readonly workers?: Workers;
  /** Creates the work queues, by name. Default: queues without metrics. */
  readonly makeQueue?: MakeQueue;
}

/** virt-controller: caches, a queue per kind, and the events that wake each key. The actions are decided in the folders. */
export class Controller {
  private readonly caches: Caches;
  private readonly context: Context;
  private readonly serverVersion: ServerVersion;
  private readonly imageVolumes = new ImageVolumeSupport(() => this.versions());
  private readonly queues: Record<'vms' | 'vmis' | 'nodes' | 'replicaSets' | 'pools', WorkQueue>;

  private readonly workers: Workers;
  private isWakeScheduled = false;

  public constructor({ client, namespace, launcherImage, log, ...options }: ControllerOptions) {
    const { workers = WORKERS, makeQueue = unobservedQueue } = options;
    this.workers = workers;
    const warn =
      (what: string) =>
      (error: unknown): void =>
        log.warn({ error: String(error) }, what);
    this.caches = makeCaches(client, namespace, warn('a watch failed; resuming it'));
    this.serverVersion = new ServerVersion({
      client,
      onChange: () => {
        this.imageVolumes.forget();
        this.wakeWaiting();
      },
      onError: warn('the version of the API server could not be read; retrying'),
    });
    const config = configReader(this.caches.kubeVirts, namespace);
    this.context = {
      client,
      launcherImage,
      caches: this.caches,
      recorder: new EventRecorder(client, { component: 'virt-controller', onError: warn('an event was not written') }),
      expectations: new Expectations(),
      heartbeats: new Heartbeats({ now: Date.now, monotonic: () => performance.now() }),
      config: () => withImageVolumeSupport(config(), this.imageVolumes),
      now: Date.now,
    };
    const queue = (kind: string): WorkQueue =>
      makeQueue(`virt-controller-${kind}`, {
        onError: (key, error) =>
          // a conflict means that the cache was outdated, which is expected
          log[isConflict(error) ? 'debug' : 'warn'](
            { ...keyFields(kind, key), error: String(error) },
            'a pass failed; retrying',
          ),
      });
    this.queues = {
      vms: queue('vm'),
      vmis: queue('vmi'),
      nodes: queue('node'),
      replicaSets: queue('vmirs'),
      pools: queue('vmpool'),
    };
    this.wire();
  }

  /** Caches and configuration for other controllers of this process. Their handlers are registered before `run`. */
  public get shared(): {
    readonly caches: Pick<Caches, 'vms' | 'vmis' | 'claims' | 'pods' | 'kubeVirts'>;
    readonly config: Context['config'];
  } {
    const { vms, vmis, claims, pods, kubeVirts } = this.caches;
    return { caches: { vms, vmis, claims, pods, kubeVirts }, config: this.context.config };
  }

  /** Caches that are not synced, each with the cause. */
  public get unready(): string[] {
    return Object.values(this.caches).flatMap((cache: Informer<never>) => (cache.synced ? [] : [unreadiness(cache)]));
  }

  /** Runs until `signal` is aborted, then finishes the passes in progress. */
  public async run(signal: AbortSignal): Promise<void> {
    const { vms, vmis, nodes, replicaSets, pools } = this.queues;
    // decisions wait for all required kinds; only users of an optional kind wait for the list of that kind
    const { dataVolumes, definitions, ...required } = this.caches;
    await Promise.race([
      Promise.all([
        this.serverVersion.start(),
        ...Object.values(required).map((cache) => cache.start()),
        ...[dataVolumes, definitions].map((cache) => cache.tryStart()),
      ]),
      aborted(signal),
    ]);
    for (const cache of [dataVolumes, definitions]) {
      // an empty list changes no object
      if (!cache.listed) void cache.start().then(() => this.wakeAll());
    }
    const work = (sync: (context: Context, key: string) => Promise<Requeue | void>) => (key: string) =>
      sync(this.context, key);
    const running = signal.aborted
      ? []
      : [
          vms.run(this.workers.vms, work(syncVirtualMachine)),
          vmis.run(this.workers.vmis, work(syncInstance)),
          nodes.run(this.workers.nodes, work(syncNode)),
          replicaSets.run(this.workers.vms, work(syncReplicaSet)),
          pools.run(this.workers.vms, work(syncPool)),
        ];
    const stopResync = startResync([
      { keys: () => this.caches.vms.list().map(keyOf), queue: vms },
      { keys: () => this.caches.vmis.list().map(keyOf), queue: vmis },
      { keys: () => this.caches.nodes.list().map(keyOf), queue: nodes },
      { keys: () => this.caches.replicaSets.list().map(keyOf), queue: replicaSets },
      { keys: () => this.caches.pools.list().map(keyOf), queue: pools },
    ]);
    await aborted(signal);
    stopResync();
    this.serverVersion.stop();
    await Promise.all([...Object.values(this.queues).map((queue) => queue.stop()), ...running]);
    await this.context.recorder.stop();
    await Promise.all(Object.values(this.caches).map((cache) => cache.stop()));
  }

  /** Connects caches to queues: which change wakes which key. VM and VMI have the same key. */
  private wire(): void {
    const { vms, vmis, nodes, replicaSets, pools } = this.queues;
    const onAny = <T>(wake: (object: T) => void): { add: typeof wake; update: typeof wake; delete: typeof wake } => ({
      add: wake,
      update: wake,
      delete: wake,
    });
    const wakePool = (vm: VirtualMachine | undefined): void => {
      const key = vm && poolKeyOf(vm);
      if (key !== undefined) pools.add(key);
    };
    this.caches.vms.onChange(onAny((vm) => vms.add(keyOf(vm))));
    this.caches.vms.onChange({
      ...onAny(wakePool),
      // a VM may have left its pool
      update: (after, before) => [after, before].forEach(wakePool),
    });
    this.caches.pools.onChange(onAny((pool) => pools.add(keyOf(pool))));
    this.caches.vmis.onChange(
      onAny((vmi) => {
        vmis.add(keyOf(vmi));
        vms.add(keyOf(vmi));
        wakePool(this.caches.vms.get(keyOf(vmi)));
        const uid = ownerOf(vmi);
        if (uid) for (const set of this.caches.replicaSets.byIndex('uid', uid)) replicaSets.add(keyOf(set));
      }),
    );
    this.caches.replicaSets.onChange(onAny((set) => replicaSets.add(keyOf(set))));
    this.caches.pods.onChange(
      onAny((pod) => {
        const owner = claimedOwner(pod);
        if (owner) vmis.add(owner);
      }),
    );
    this.caches.attachments.onChange(
      onAny(({ metadata }) => {
        const name = metadata.annotations?.[keys.ownerVmiName];
        if (name) vmis.add(`${metadata.namespace}/${name}`);
      }),
    );
    this.caches.claims.onChange(
      onAny((claim) => {
        for (const vmi of this.caches.vmis.byIndex('claim', keyOf(claim))) {
          vmis.add(keyOf(vmi));
          vms.add(keyOf(vmi));
        }
        for (const key of stateKeys(claim)) vmis.add(key);
      }),
    );
    this.caches.dataVolumes.onChange(
      onAny((dataVolume) => {
        const key = keyOf(dataVolume);
        for (const vmi of this.caches.vmis.byIndex('claim', key)) vmis.add(keyOf(vmi));
        for (const vm of this.caches.vms.byIndex('dataVolume', key)) vms.add(keyOf(vm));
      }),
    );
    this.caches.definitions.onChange(
      onAny((definition) => {
        for (const vmi of this.caches.vmis.byIndex('definition', keyOf(definition))) vmis.add(keyOf(vmi));
      }),
    );
    // the status of a quota changes with each Pod of its namespace; its limits change rarely
    this.caches.quotas.onChange({
      ...onAny((quota) => this.wakeNamespace(quota.metadata.namespace)),
      update: (after, before) => {
        if (String(limitsOf([after])) !== String(limitsOf([before]))) this.wakeNamespace(after.metadata.namespace);
      },
    });
    this.caches.namespaces.onChange({
      update: (after, before) => {
        if (JSON.stringify(after.metadata.labels) !== JSON.stringify(before.metadata.labels)) {
          this.wakeNamespace(after.metadata.name);
        }
      },
    });
    this.caches.nodes.onChange({
      ...onAny((node) => {
        this.imageVolumes.forget();
        nodes.add(keyOf(node));
        this.wakeWaiting();
      }),
      update: (after, before) => {
        nodes.add(keyOf(after));
        // the message for a Pod that does not fit depends on the nodes
        if (
          JSON.stringify([after.metadata.labels, after.status]) !==
          JSON.stringify([before.metadata.labels, before.status])
        ) {
          this.imageVolumes.forget();
          this.wakeWaiting();
        }
      },
    });
    this.caches.kubeVirts.onChange(
      onAny(() => {
        const { client, config } = this.context;
        client.limitRate(rateLimitOf(config().raw.controllerConfiguration));
        this.wakeWaiting();
      }),
    );
  }

  /** Nodes without the label have never had a virt-handler: their kubelets start no launcher. */
  private versions(): ClusterVersions {
    const nodes = this.caches.nodes.list().filter(({ metadata }) => metadata.labels?.[keys.schedulable] !== undefined);
    return {
      server: this.serverVersion.gitVersion,
      kubelets: nodes.map(({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
    };
  }

  private wakeAll(): void {
    for (const vm of this.caches.vms.list()) this.queues.vms.add(keyOf(vm));
    this.wakeWaiting();
  }

  /** Wakes the VMIs of the namespace whose guest does not run yet. */
  private wakeNamespace(namespace = ''): void {
    for (const vmi of this.caches.vmis.byIndex('namespace', namespace))
      if (isWaiting(vmi)) this.queues.vmis.add(keyOf(vmi));
  }

  /** Wakes the VMIs whose guest does not run yet, once for all changes that arrive together. */
  private wakeWaiting(): void {
    if (this.isWakeScheduled) return;
    this.isWakeScheduled = true;
    setImmediate(() => {
      this.isWakeScheduled = false;
      for (const vmi of this.caches.vmis.list()) if (isWaiting(vmi)) this.queues.vmis.add(keyOf(vmi));
    });
  }
}

function unreadiness({ resource: { plural, group }, staleness, failure }: Informer<never>): string {
  const name = group ? `${plural}.${group}` : plural;
  if (!staleness) return `${name}: not listed yet${failure === undefined ? '' : ` (${failure})`}`;
  return `${name}: neither list nor watch has worked for ${Math.round(staleness.forMs / 1000)} s (${staleness.cause})`;
}

const isWaiting = (vmi: VirtualMachineInstance): boolean => !isFinal(vmi) && !isHandedOver(vmi);

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
