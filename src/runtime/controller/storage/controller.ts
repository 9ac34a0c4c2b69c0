import type { Logger } from 'pino';
import { isUploadTarget } from '../../../api/cdi/upload';
import { keys } from '../../../api/keys';
import { keyFields } from '../../../api/log-fields';
import { Expectations, EventRecorder, isConflict, keyOf, unobservedQueue } from '../../kube';
import type { Informer, KubeClient, MakeQueue, Requeue, WorkQueue } from '../../kube';
import { CONTENT_KINDS, contentKindOfClaim } from './content';
import { CONFIG } from './config/decide';
import { syncConfig } from './config/execute';
import { clusterOf, makeStorageCaches, type CloneTrust, type StorageCaches, type StorageContext } from './context';
import { syncDataSource } from './data-source/execute';
import { syncDataVolume } from './data-volume/execute';
import { syncImportCron } from './import-cron/execute';
import { targetOf } from './population/target';
import type { StorageClaim } from './types';
import { syncPopulation } from './population/execute';
import { ProgressReader } from './population/progress';
import { syncProfile } from './profile/execute';
import { syncTransfer } from './transfer/execute';

export interface StorageControllerOptions {
  readonly client: KubeClient;
  readonly importerImage: string;
  /** Namespace of the installation. */
  readonly namespace: string;
  /** Whether nodes mount images as volumes. */
  readonly mountsImages: () => boolean;
  readonly trust: CloneTrust;
  readonly uploadProxyUrl?: string;
  readonly log: Logger;
  /** Creates the work queues, by name. Default: queues without metrics. */
  readonly makeQueue?: MakeQueue;
}

type Sync = (context: StorageContext, key: string) => Promise<Requeue | void>;

const SYNCS = {
  dataVolumes: syncDataVolume,
  claims: syncPopulation,
  dataSources: syncDataSource,
  importCrons: syncImportCron,
  profiles: syncProfile,
  configs: syncConfig,
  transfers: syncTransfer,
} satisfies Record<string, Sync>;
/** Passes at a time of each kind. */
const WORKERS = 3;

/** The controllers of DataVolumes, of the claims that they fill, and of StorageProfiles. */
export class StorageController {
  private readonly caches: StorageCaches;
  private readonly context: StorageContext;
  private readonly queues: Readonly<Record<keyof typeof SYNCS, WorkQueue>>;
  private readonly progress: ProgressReader;

  public constructor(options: StorageControllerOptions) {
    const { client, importerImage, namespace, mountsImages, trust, uploadProxyUrl, log } = options;
    const { makeQueue = unobservedQueue } = options;
    const warn =
      (what: string) =>
      (error: unknown): void =>
        log.warn({ error: String(error) }, what);
    this.caches = makeStorageCaches(client, warn('a watch failed; resuming it'));
    this.progress = new ProgressReader(this.caches.pods, (claim) => this.queues.claims.add(claim));
    this.context = {
      client,
      importerImage,
      installNamespace: namespace,
      mountsImages,
      trust,
      uploadProxyUrl,
      caches: this.caches,
      cluster: clusterOf(this.caches),
      progress: this.progress.shown,
      recorder: new EventRecorder(client, { component: 'virt-controller', onError: warn('an event was not written') }),
      expectations: new Expectations(),
      now: Date.now,
    };
    const queue = (kind: string): WorkQueue =>
      makeQueue(`virt-controller-${kind}`, {
        onError: (key, error) =>
          log[isConflict(error) ? 'debug' : 'warn'](
            { ...keyFields(kind, key), error: String(error) },
            'a pass failed; retrying',
          ),
      });
    this.queues = {
      dataVolumes: queue('datavolume'),
      claims: queue('claim'),
      dataSources: queue('datasource'),
      importCrons: queue('dataimportcron'),
      profiles: queue('storageprofile'),
      configs: queue('cdiconfig'),
      transfers: queue('objecttransfer'),
    };
    this.wire();
  }

  /** Runs until `signal` is aborted, then finishes the passes in progress. */
  public async run(signal: AbortSignal): Promise<void> {
    const { sources, ...others } = this.caches;
    const caches = [...Object.values(sources), ...Object.values(others)] as unknown as Informer<never>[];
    await Promise.race([Promise.all(caches.map((cache) => cache.start())), aborted(signal)]);
    this.queues.configs.add(CONFIG);
    const queues = Object.entries(this.queues) as [keyof typeof SYNCS, WorkQueue][];
    const running = signal.aborted
      ? []
      : queues.map(([kind, queue]) => queue.run(WORKERS, (key) => (SYNCS[kind] as Sync)(this.context, key)));
    await aborted(signal);
    this.progress.stop();
    await Promise.all([...queues.map(([, queue]) => queue.stop()), ...running]);
    await this.context.recorder.stop();
    await Promise.all(caches.map((cache) => cache.stop()));
  }

  /** Connects caches to queues: which change wakes which key. A DataVolume and its claim have the same key. */
  private wire(): void {
    const { dataVolumes, claims, dataSources, importCrons, profiles } = this.queues;
    const onAny = <T>(wake: (object: T) => void): { add: typeof wake; update: typeof wake; delete: typeof wake } => ({
      add: wake,
      update: wake,
      delete: wake,
    });
    this.caches.dataVolumes.onChange(
      onAny((dataVolume) => {
        dataVolumes.add(keyOf(dataVolume));
        this.wakeCopies('PersistentVolumeClaim', keyOf(dataVolume));
        const cron = dataVolume.metadata.labels?.[keys.dataImportCron];
        if (cron !== undefined) importCrons.add(`${dataVolume.metadata.namespace}/${cron}`);
      }),
    );
    this.caches.dataSources.onChange(
      onAny((dataSource) => {
        dataSources.add(keyOf(dataSource));
        this.wakeCopies('DataSource', keyOf(dataSource));
        const cron = dataSource.metadata.labels?.[keys.dataImportCron];
        if (cron !== undefined) importCrons.add(`${dataSource.metadata.namespace}/${cron}`);
      }),
    );
    this.caches.importCrons.onChange(onAny((cron) => importCrons.add(keyOf(cron))));
    this.caches.claims.onChange(
      onAny((claim) => {
        if (this.caches.dataVolumes.get(keyOf(claim))) dataVolumes.add(keyOf(claim));
        this.wakePopulation(claim);
        this.wakeCopies('PersistentVolumeClaim', keyOf(claim));
      }),
    );
    for (const contentKind of CONTENT_KINDS) {
      this.caches.sources[contentKind].onChange(
        onAny((source) => {
          for (const claim of this.caches.claims.byIndex('source', `${contentKind} ${keyOf(source)}`)) {
            claims.add(keyOf(claim));
          }
          const owner = source.metadata.ownerReferences?.find(({ kind }) => kind === 'DataVolume');
          if (owner) dataVolumes.add(`${source.metadata.namespace}/${owner.name}`);
        }),
      );
    }
    this.caches.pods.onChange(
      onAny((pod) => {
        this.progress.see(pod);
        const target = targetOf(pod);
        if (target) claims.add(target);
        const cron = pod.metadata.ownerReferences?.find(({ kind }) => kind === 'DataImportCron');
        if (cron) importCrons.add(`${pod.metadata.namespace}/${cron.name}`);
      }),
    );
    this.caches.volumes.onChange(
      onAny(({ spec }) => {
        const { namespace, name } = spec?.claimRef ?? {};
        const claim = this.caches.claims.get(`${namespace}/${name}`);
        if (claim) this.wakePopulation(claim);
      }),
    );
    this.caches.classes.onChange(
      onAny((storageClass) => {
        const { name = '' } = storageClass.metadata;
        profiles.add(name);
        for (const claim of this.caches.claims.byIndex('class', name)) this.wakePopulation(claim);
        this.wakeUnbound();
      }),
    );
    this.caches.transfers.onChange(onAny((transfer) => this.queues.transfers.add(keyOf(transfer))));
    this.caches.configs.onChange(onAny((config) => this.queues.configs.add(keyOf(config))));
    this.caches.profiles.onChange(
      onAny((profile) => {
        profiles.add(profile.metadata.name ?? '');
        this.wakeUnbound();
      }),
    );
  }

  /** Wakes the claim that this one fills, or that is filled itself. */
  private wakePopulation(claim: StorageClaim): void {
    if (contentKindOfClaim(claim) || isUploadTarget(claim)) this.queues.claims.add(keyOf(claim));
    const target = targetOf(claim);
    if (target) this.queues.claims.add(target);
  }

  /** Wakes what copies or names this object. */
  private wakeCopies(kind: string, key: string): void {
    const { dataVolumes, dataSources, importCrons, sources, claims } = this.caches;
    for (const dataSource of dataSources.byIndex('names', `${kind} ${key}`))
      this.queues.dataSources.add(keyOf(dataSource));
    for (const cron of importCrons.byIndex('copied', `${kind} ${key}`)) this.queues.importCrons.add(keyOf(cron));
    for (const dataVolume of dataVolumes.byIndex('copied', `${kind} ${key}`)) {
      if (!dataVolume.status?.claimName) this.queues.dataVolumes.add(keyOf(dataVolume));
    }
    for (const source of sources.VolumeCloneSource.byIndex('copied', `${kind} ${key}`)) {
      for (const claim of claims.byIndex('source', `VolumeCloneSource ${keyOf(source)}`)) {
        if (!claim.spec.volumeName) this.queues.claims.add(keyOf(claim));
      }
    }
  }

  /** Wakes the DataVolumes whose claim could not be made: a class or its profile may be there now. */
  private wakeUnbound(): void {
    for (const dataVolume of this.caches.dataVolumes.list()) {
      if (!dataVolume.status?.claimName) this.queues.dataVolumes.add(keyOf(dataVolume));
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
