import type { Logger } from 'pino';
import type { ClusterConfig } from '../../../api/cluster-config';
import { keyFields } from '../../../api/log-fields';
import { EventRecorder, Expectations, isConflict, keyOf, unobservedQueue } from '../../kube';
import type { Informer, KubeClient, MakeQueue, WorkQueue } from '../../kube';
import { claimKeys } from '../context';
import { makeExportCaches, type ExportCaches, type ExportContext, type SharedCaches } from './context';
import { syncExport } from './execute';
import { addressOf, type ProxyAddress } from './external';

export interface ExportControllerOptions {
  readonly client: KubeClient;
  /** Caches of the controller of VMs, which starts and stops them. */
  readonly shared: SharedCaches;
  readonly config: () => ClusterConfig;
  /** Namespace of the installation. */
  readonly namespace: string;
  /** Address of the proxy of downloads; undefined if that of an Ingress is used. */
  external(): ProxyAddress | undefined;
  /** Image of the exporters: that of the importers. */
  readonly image: string;
  readonly log: Logger;
  /** Creates the work queues, by name. Default: queues without metrics. */
  readonly makeQueue?: MakeQueue;
}

/** Passes at a time. */
const WORKERS = 3;

/** The controller of VirtualMachineExports. */
export class ExportController {
  private readonly caches: ExportCaches;
  private readonly context: ExportContext;
  private readonly queue: WorkQueue;

  public constructor(options: ExportControllerOptions) {
    const { client, shared, namespace, external, config, image, log, makeQueue = unobservedQueue } = options;
    const warn =
      (what: string) =>
      (error: unknown): void =>
        log.warn({ error: String(error) }, what);
    this.caches = makeExportCaches(client, shared, namespace, warn('a watch failed; resuming it'));
    this.context = {
      client,
      caches: this.caches,
      image,
      external: () => external() ?? addressOf(this.caches.ingresses.list()),
      config,
      recorder: new EventRecorder(client, { component: 'virt-controller', onError: warn('an event was not written') }),
      expectations: new Expectations(),
      now: Date.now,
    };
    this.queue = makeQueue('virt-controller-vmexport', {
      onError: (key, error) =>
        log[isConflict(error) ? 'debug' : 'warn'](
          { ...keyFields('vmexport', key), error: String(error) },
          'a pass failed; retrying',
        ),
    });
    this.wire();
  }

  /** Runs until `signal` is aborted, then finishes the passes in progress. */
  public async run(signal: AbortSignal): Promise<void> {
    const { exports, pods, ingresses, ...shared } = this.caches;
    const all = [exports, pods, ingresses, ...Object.values(shared)] as unknown as Informer<never>[];
    await Promise.race([Promise.all(all.map((cache) => cache.start())), aborted(signal)]);
    const running = signal.aborted ? [] : [this.queue.run(WORKERS, (key) => syncExport(this.context, key))];
    await aborted(signal);
    await Promise.all([this.queue.stop(), ...running]);
    await this.context.recorder.stop();
    await Promise.all([exports.stop(), pods.stop(), ingresses.stop()]);
  }

  /** Connects caches to the queue: which change wakes which export. */
  private wire(): void {
    const { exports, pods, ingresses, vms, vmis, claims } = this.caches;
    const onAny = <T>(wake: (object: T) => void): { add: typeof wake; update: typeof wake; delete: typeof wake } => ({
      add: wake,
      update: wake,
      delete: wake,
    });
    const wake = (kind: string, key: string): void => {
      for (const vmExport of exports.byIndex('source', `${kind} ${key}`)) this.queue.add(keyOf(vmExport));
    };
    exports.onChange(onAny((vmExport) => this.queue.add(keyOf(vmExport))));
    pods.onChange(
      onAny(({ metadata }) => {
        const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachineExport');
        if (owner) this.queue.add(`${metadata.namespace}/${owner.name}`);
      }),
    );
    ingresses.onChange(
      onAny(() => {
        for (const vmExport of exports.list()) this.queue.add(keyOf(vmExport));
      }),
    );
    vms.onChange(onAny((vm) => wake('VirtualMachine', keyOf(vm))));
    vmis.onChange(
      onAny((vmi) => {
        wake('VirtualMachine', keyOf(vmi));
        for (const claim of claimKeys(vmi)) wake('PersistentVolumeClaim', claim);
      }),
    );
    claims.onChange(
      onAny((claim) => {
        wake('PersistentVolumeClaim', keyOf(claim));
        const owner = claim.metadata.ownerReferences?.find(({ kind }) => kind === 'VirtualMachineExport');
        if (owner) this.queue.add(`${claim.metadata.namespace}/${owner.name}`);
      }),
    );
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
