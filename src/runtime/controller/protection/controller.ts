import type { Logger } from 'pino';
import type { KubeObject } from '../../../api';
import { keyFields } from '../../../api/log-fields';
import { EventRecorder, Expectations, isConflict, keyOf, unobservedQueue } from '../../kube';
import type { Informer, KubeClient, MakeQueue, Requeue, WorkQueue } from '../../kube';
import { syncBackup } from './backup/execute';
import { snapshotContentOf } from './backup/observed';
import { syncClone } from './clone/execute';
import { syncContent } from './content/execute';
import { makeProtectionCaches, restoreKeys, type ProtectionCaches, type ProtectionContext } from './context';
import { contentName } from './snapshot/content-of';
import { syncRestore } from './restore/execute';
import { syncSnapshot } from './snapshot/execute';
import type { Content, Restore, Snapshot } from './types';

export interface ProtectionControllerOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  /** Creates the work queues, by name. Default: queues without metrics. */
  readonly makeQueue?: MakeQueue;
}

type Sync = (context: ProtectionContext, key: string) => Promise<Requeue | void>;

const SYNCS = {
  snapshots: syncSnapshot,
  contents: syncContent,
  restores: syncRestore,
  clones: syncClone,
  backups: syncBackup,
} satisfies Record<string, Sync>;
/** Passes at a time of each kind. */
const WORKERS = 3;

/** The controllers of snapshots of VMs, their contents, restores and clones. */
export class ProtectionController {
  private readonly caches: ProtectionCaches;
  private readonly context: ProtectionContext;
  private readonly queues: Readonly<Record<keyof typeof SYNCS, WorkQueue>>;

  public constructor({ client, log, makeQueue = unobservedQueue }: ProtectionControllerOptions) {
    const warn =
      (what: string) =>
      (error: unknown): void =>
        log.warn({ error: String(error) }, what);
    this.caches = makeProtectionCaches(client, warn('a watch failed; resuming it'));
    this.context = {
      client,
      caches: this.caches,
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
      snapshots: queue('vmsnapshot'),
      contents: queue('vmsnapshotcontent'),
      restores: queue('vmrestore'),
      clones: queue('vmclone'),
      backups: queue('vmbackup'),
    };
    this.wire();
  }

  /** Snapshots in the cache. */
  public get snapshots(): readonly Snapshot[] {
    return this.caches.snapshots.list();
  }

  /** Runs until `signal` is aborted, then finishes the passes in progress. */
  public async run(signal: AbortSignal): Promise<void> {
    const caches = Object.values(this.caches) as unknown as Informer<never>[];
    await Promise.race([Promise.all(caches.map((cache) => cache.start())), aborted(signal)]);
    const queues = Object.entries(this.queues) as [keyof typeof SYNCS, WorkQueue][];
    const running = signal.aborted
      ? []
      : queues.map(([kind, queue]) => queue.run(WORKERS, (key) => (SYNCS[kind] as Sync)(this.context, key)));
    await aborted(signal);
    await Promise.all([...queues.map(([, queue]) => queue.stop()), ...running]);
    await this.context.recorder.stop();
    await Promise.all(caches.map((cache) => cache.stop()));
  }

  /** Connects caches to queues: which change wakes which key. */
  private wire(): void {
    const { snapshots, contents, restores, clones, backups } = this.queues;
    const onAny = <T>(wake: (object: T) => void): { add: typeof wake; update: typeof wake; delete: typeof wake } => ({
      add: wake,
      update: wake,
      delete: wake,
    });
    this.caches.snapshots.onChange(
      onAny((snapshot) => {
        const key = keyOf(snapshot);
        snapshots.add(key);
        for (const content of this.contentsOf(snapshot)) contents.add(keyOf(content));
        for (const restore of this.caches.restores.byIndex('snapshot', key)) restores.add(keyOf(restore));
        this.wakeClones('VirtualMachineSnapshot', snapshot);
      }),
    );
    this.caches.contents.onChange(
      onAny((content) => {
        contents.add(keyOf(content));
        const owner = content.spec.virtualMachineSnapshotName;
        if (owner !== undefined) snapshots.add(`${content.metadata.namespace}/${owner}`);
      }),
    );
    this.caches.restores.onChange(
      onAny((restore) => {
        restores.add(keyOf(restore));
        this.wakeDeleted(restore);
        this.wakeClones('VirtualMachineRestore', restore);
      }),
    );
    this.caches.backups.onChange(
      onAny((backup) => {
        backups.add(keyOf(backup));
        const content = snapshotContentOf(backup);
        if (content !== undefined) contents.add(`${backup.metadata.namespace}/${content}`);
      }),
    );
    this.caches.trackers.onChange(
      onAny((tracker) => {
        for (const backup of this.caches.backups.list()) {
          const { source } = backup.spec;
          const isItsSource = source.kind === 'VirtualMachineBackupTracker' && source.name === tracker.metadata.name;
          if (isItsSource && backup.metadata.namespace === tracker.metadata.namespace) backups.add(keyOf(backup));
        }
      }),
    );
    this.caches.clones.onChange(onAny((clone) => clones.add(keyOf(clone))));
    this.caches.claims.onChange(
      onAny((claim) => {
        this.wakeDeleted(claim);
        for (const key of restoreKeys(claim)) {
          restores.add(key);
          for (const clone of this.caches.clones.byIndex('objects', `VirtualMachineRestore ${key}`)) {
            clones.add(keyOf(clone));
          }
        }
      }),
    );
  }

  private contentsOf(snapshot: Snapshot): Content[] {
    const content = this.caches.contents.get(`${snapshot.metadata.namespace}/${contentName(snapshot)}`);
    return content ? [content] : [];
  }

  /** Wakes contents whose deletion waits for restores and their claims, after a change of one. */
  private wakeDeleted({ metadata: { namespace } }: KubeObject): void {
    for (const content of this.caches.contents.list()) {
      const { deletionTimestamp, namespace: other } = content.metadata;
      if (deletionTimestamp && other === namespace) this.queues.contents.add(keyOf(content));
    }
  }

  /** Wakes the clones that use or own this object. */
  private wakeClones(kind: string, object: Snapshot | Restore): void {
    for (const clone of this.caches.clones.byIndex('objects', `${kind} ${keyOf(object)}`)) {
      this.queues.clones.add(keyOf(clone));
    }
    const owner = object.metadata.ownerReferences?.find((each) => each.kind === 'VirtualMachineClone');
    if (owner) this.queues.clones.add(`${object.metadata.namespace}/${owner.name}`);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
