import type { Logger } from 'pino';
import { EventRecorder, isConflict, unobservedQueue } from '../../kube';
import type { Informer, KubeClient, MakeQueue, WorkQueue } from '../../kube';
import type { UpdateContext } from './context';
import { syncUpdates } from './execute';
import { LastBatch } from './last-batch';

export interface WorkloadUpdateOptions {
  readonly client: KubeClient;
  /** Caches of the controller of VMs, which starts and stops them. */
  readonly shared: UpdateContext['caches'];
  readonly launcherImage: string;
  /** Namespace of the installation. */
  readonly namespace: string;
  readonly log: Logger;
  /** Creates the work queues, by name. Default: queues without metrics. */
  readonly makeQueue?: MakeQueue;
  /** Time for which changes are collected. Default: 5 s. */
  readonly collectMs?: number;
}

/** The only key: a pass is about all instances, because batches are. */
const ALL = 'instances';
/** A pass reads all instances, so changes that follow each other have one pass. */
const COLLECT_MS = 5_000;

/** The controller that finds outdated launchers, and replaces them as the KubeVirt object says. */
export class WorkloadUpdateController {
  private readonly context: UpdateContext;
  private readonly queue: WorkQueue;

  public constructor(options: WorkloadUpdateOptions) {
    const { client, shared, launcherImage, namespace, log, makeQueue = unobservedQueue } = options;
    const onError = (error: unknown): void => log.warn({ error: String(error) }, 'an event was not written');
    this.context = {
      client,
      launcherImage,
      caches: shared,
      recorder: new EventRecorder(client, { component: 'virt-controller', onError }),
      lastBatch: new LastBatch(client, namespace),
      refusals: new Map(),
      evictions: new Map(),
      now: Date.now,
    };
    this.queue = makeQueue('virt-controller-workload-update', {
      onError: (_, error) =>
        log[isConflict(error) ? 'debug' : 'warn']({ error: String(error) }, 'guests could not be updated; retrying'),
    });
    this.wire(options.collectMs ?? COLLECT_MS);
  }

  /** Runs until `signal` is aborted, then finishes the pass in progress. */
  public async run(signal: AbortSignal): Promise<void> {
    const { vmis, pods, kubeVirts } = this.context.caches;
    const caches = [vmis, pods, kubeVirts] as unknown as Informer<never>[];
    await Promise.race([Promise.all(caches.map((cache) => cache.start())), aborted(signal)]);
    // no change wakes a launcher of the previous version that was listed before
    this.queue.add(ALL);
    const running = signal.aborted ? [] : [this.queue.run(1, () => syncUpdates(this.context))];
    await aborted(signal);
    await Promise.all([this.queue.stop(), ...running]);
    await this.context.recorder.stop();
  }

  private wire(collectMs: number): void {
    const wake = (): void => this.queue.addAfter(ALL, collectMs);
    const onAny = { add: wake, update: wake, delete: wake };
    const { vmis, pods, kubeVirts } = this.context.caches;
    for (const cache of [vmis, pods, kubeVirts] as unknown as Informer<never>[]) cache.onChange(onAny);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
