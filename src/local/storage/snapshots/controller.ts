import { keys } from '../../../api/keys';
import {
  EventRecorder,
  except,
  Informer,
  isAlreadyExists,
  isConflict,
  isNotFound,
  keyOf,
  resources,
  WorkQueue,
} from '../../../runtime/kube';
import type { KubeClient, Requeue } from '../../../runtime/kube';
import type { PersistentVolume, PersistentVolumeClaim } from '../../core-v1';
import type { Log } from '../../log';
import { PROVISIONER } from '../decide';
import { failureText } from '../failure';
import { userOf } from '../users';
import type { VolumeFiles } from '../volume-files';
import {
  contentName,
  CONTENT_BOUND,
  decideContent,
  decideSnapshot,
  handleOf,
  restorable,
  restoringFrom,
  type Action,
  type ContentAction,
} from './decide';
import { SNAPSHOT_GROUP, type VolumeSnapshot, type VolumeSnapshotClass, type VolumeSnapshotContent } from './types';

export interface SnapshotsOptions {
  readonly client: KubeClient;
  readonly files: VolumeFiles;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  /** Called when a snapshot has changed. */
  readonly onChange: (snapshot: VolumeSnapshot) => void;
  readonly log: Log;
}

const CLASS = 'local';

/** Takes and deletes snapshots of local volumes, as the snapshot controller and a CSI driver do. */
export class Snapshots {
  private readonly snapshots: Informer<VolumeSnapshot>;
  private readonly contents: Informer<VolumeSnapshotContent>;
  private readonly classes: Informer<VolumeSnapshotClass>;
  private readonly events: EventRecorder;
  private readonly queue: WorkQueue;
  private working?: Promise<void>;

  public constructor(private readonly options: SnapshotsOptions) {
    const { client, log } = options;
    const onError = (error: unknown): void =>
      log('warn', 'watching snapshots failed; retrying', { error: String(error) });
    const informer = { onError, optional: true };
    this.snapshots = new Informer<VolumeSnapshot>(client, resources.volumeSnapshots, informer);
    this.contents = new Informer<VolumeSnapshotContent>(client, resources.volumeSnapshotContents, informer);
    this.classes = new Informer<VolumeSnapshotClass>(client, resources.volumeSnapshotClasses, informer);
    this.events = new EventRecorder(client, { component: PROVISIONER });
    this.queue = new WorkQueue({
      onError: (key, error) =>
        log('warn', 'a snapshot could not be processed; retrying', { key, error: String(error) }),
    });
  }

  public async start(): Promise<void> {
    await this.makeClass();
    const snapshot = (object: VolumeSnapshot): void => {
      this.queue.add(`snapshot ${keyOf(object)}`);
      this.queue.add(`content ${object.spec.source.volumeSnapshotContentName ?? contentName(object)}`);
      this.options.onChange(object);
    };
    const content = (object: VolumeSnapshotContent): void => {
      this.queue.add(`content ${keyOf(object)}`);
      const { namespace, name } = object.spec.volumeSnapshotRef;
      this.queue.add(`snapshot ${namespace}/${name}`);
    };
    const waiting = (): void =>
      this.snapshots
        .list()
        .filter(({ status }) => !status?.readyToUse)
        .forEach(snapshot);
    this.snapshots.onChange({ add: snapshot, update: snapshot, delete: snapshot });
    this.contents.onChange({ add: content, update: content, delete: content });
    this.classes.onChange({ add: waiting, update: waiting });
    const claim = ({ metadata }: PersistentVolumeClaim): void =>
      this.snapshots
        .list()
        .filter(({ metadata: { namespace }, spec, status }) => {
          const isSource = spec.source.persistentVolumeClaimName === metadata.name;
          return isSource && namespace === metadata.namespace && !status?.readyToUse;
        })
        .forEach(snapshot);
    /** A deleted snapshot waits for the claims that it is the source of. */
    const restored = ({ metadata: { namespace }, spec }: PersistentVolumeClaim): void => {
      const source = spec?.dataSourceRef ?? spec?.dataSource;
      const named = source?.kind === 'VolumeSnapshot' && this.snapshots.get(`${namespace}/${source.name}`);
      if (named && named.metadata.deletionTimestamp) snapshot(named);
    };
    const changed = (object: PersistentVolumeClaim): void => {
      claim(object);
      restored(object);
    };
    this.options.claims.onChange({ add: changed, update: changed, delete: restored });
    await Promise.all([this.snapshots.start(), this.contents.start(), this.classes.start()]);
    await this.updateClass();
    this.working = this.queue.run(1, (key) => this.work(key));
  }

  public async close(): Promise<void> {
    await this.queue.stop();
    await this.working;
    await Promise.all([this.snapshots.stop(), this.contents.stop(), this.classes.stop()]);
    await this.events.stop();
  }

  /** Data of a snapshot for a claim, or the cause for which it has none. */
  public restorable(namespace: string | undefined, name: string): ReturnType<typeof restorable> {
    const snapshot = this.snapshots.get(`${namespace}/${name}`);
    return restorable(snapshot, this.contents.get(snapshot?.status?.boundVolumeSnapshotContentName ?? ''));
  }

  /** Creates the class if it is missing. A cluster without the definitions has no snapshots. */
  private async makeClass(): Promise<void> {
    const snapshotClass: VolumeSnapshotClass = {
      apiVersion: `${SNAPSHOT_GROUP}/v1`,
      kind: 'VolumeSnapshotClass',
      metadata: {
        name: CLASS,
        annotations: {
          'snapshot.storage.kubernetes.io/is-default-class': 'true',
          ...(!this.options.files.hasReflinks && { [keys.offlineSnapshots]: 'true' }),
        },
      },
      driver: PROVISIONER,
      deletionPolicy: 'Delete',
    };
    await this.options.client
      .create(resources.volumeSnapshotClasses, snapshotClass)
      .catch(except(isAlreadyExists, isNotFound));
  }

  /** Keeps changes of users, except for one fact: the storage folder may have been moved to another file system. */
  private async updateClass(): Promise<void> {
    const found = this.classes.get(CLASS);
    const wanted = this.options.files.hasReflinks ? undefined : 'true';
    if (found?.driver !== PROVISIONER || found.metadata.annotations?.[keys.offlineSnapshots] === wanted) return;
    const body = { metadata: { annotations: { [keys.offlineSnapshots]: wanted ?? null } } };
    await this.options.client
      .patch(resources.volumeSnapshotClasses, { name: CLASS }, body, 'merge')
      .catch(except(isNotFound));
  }

  private async work(key: string): Promise<Requeue | void> {
    const [kind, name = ''] = key.split(' ');
    try {
      return await (kind === 'snapshot' ? this.syncSnapshot(name) : this.syncContent(name));
    } catch (error) {
      // the watch delivers the newer state
      if (isNotFound(error) || isConflict(error)) return { requeueAfterMs: 200 };
      throw error;
    }
  }

  private async syncSnapshot(key: string): Promise<void> {
    const snapshot = this.snapshots.get(key);
    if (!snapshot) return;
    const { source } = snapshot.spec;
    const claim = this.options.claims.get(`${snapshot.metadata.namespace}/${source.persistentVolumeClaimName}`);
    const action = decideSnapshot({
      snapshot,
      content: this.contents.get(source.volumeSnapshotContentName ?? contentName(snapshot)),
      classes: this.classes.list(),
      claim,
      volume: this.options.volumes.get(claim?.spec?.volumeName ?? ''),
      restoring: await this.restoring(snapshot),
    });
    await this.perform(snapshot, action);
  }

  /** Claim that needs the data of a deleted snapshot. The cache may be old and data cannot be restored: the API server decides. */
  private async restoring(snapshot: VolumeSnapshot | undefined): Promise<string | undefined> {
    if (!snapshot?.metadata.deletionTimestamp) return undefined;
    const { namespace } = snapshot.metadata;
    const { items } = await this.options.client.list<PersistentVolumeClaim>(resources.persistentVolumeClaims, {
      namespace,
    });
    return restoringFrom(snapshot, items);
  }

  private async perform(snapshot: VolumeSnapshot, action: Action): Promise<void> {
    const { client } = this.options;
    const { namespace, name = '', resourceVersion } = snapshot.metadata;
    const setStatus = (status: VolumeSnapshot['status']): Promise<unknown> =>
      client.patch(resources.volumeSnapshots, { namespace, name, subresource: 'status' }, { status }, 'merge');
    switch (action.do) {
      case 'setFinalizers': {
        const body = { metadata: { finalizers: action.finalizers, resourceVersion } };
        await client.patch(resources.volumeSnapshots, { namespace, name }, body, 'merge');
        return;
      }
      case 'createContent':
        await client.create(resources.volumeSnapshotContents, action.content).catch(except(isAlreadyExists));
        this.events.normal(snapshot, 'CreatingSnapshot', `Waiting for a snapshot ${namespace}/${name} to be created.`);
        return;
      case 'deleteContent':
        await client
          .delete(resources.volumeSnapshotContents, { name: action.content.metadata.name ?? '' })
          .catch(except(isNotFound));
        return;
      case 'wait':
        this.events.warning(snapshot, 'SnapshotDeletePending', action.message);
        return;
      case 'setStatus':
        await setStatus({ ...action.status, ...(!action.status.error && { error: null as never }) });
        if (action.status.readyToUse)
          this.events.normal(snapshot, 'SnapshotReady', `Snapshot ${namespace}/${name} is ready to use.`);
        return;
      case 'fail':
        if (snapshot.status?.error?.message === action.message) return;
        this.events.warning(snapshot, 'SnapshotCreationFailed', action.message);
        await setStatus({ readyToUse: false, error: { message: action.message, time: new Date().toISOString() } });
        return;
      case 'nothing':
        return;
    }
  }

  private async syncContent(name: string): Promise<Requeue | void> {
    const content = this.contents.get(name);
    if (!content) return;
    const { namespace, name: ownerName } = content.spec.volumeSnapshotRef;
    const owner = this.snapshots.get(`${namespace}/${ownerName}`);
    const restoring = content.metadata.deletionTimestamp ? await this.restoring(owner) : undefined;
    const action = decideContent({ content, owner, user: await this.userOf(content), restoring });
    return this.performContent(content, action);
  }

  /** Pod that uses the volume of a content, if the volume has to be copied and cannot be copied while Pods use it. */
  private async userOf(content: VolumeSnapshotContent): Promise<string | undefined> {
    const { files, volumes, client } = this.options;
    const volume = volumes.get(content.spec.source.volumeHandle ?? '');
    const ref = volume?.spec?.claimRef;
    if (content.status?.readyToUse || files.hasReflinks || volume?.spec?.volumeMode !== 'Block' || !ref)
      return undefined;
    // taken before an interruption of this process
    if (await files.facts(handleOf(content))) return undefined;
    return userOf(client, ref);
  }

  private async performContent(content: VolumeSnapshotContent, action: ContentAction): Promise<Requeue | void> {
    const { client, files } = this.options;
    const { name = '', resourceVersion, finalizers = [] } = content.metadata;
    const setFinalizers = (wanted: readonly string[]): Promise<unknown> =>
      client.patch(
        resources.volumeSnapshotContents,
        { name },
        { metadata: { finalizers: wanted, resourceVersion } },
        'merge',
      );
    const setStatus = (status: object): Promise<unknown> =>
      client.patch(resources.volumeSnapshotContents, { name, subresource: 'status' }, { status }, 'merge');
    const report = (handle: string, { bytes, at }: { bytes: number; at: number }): Promise<unknown> =>
      setStatus({ snapshotHandle: handle, readyToUse: true, restoreSize: bytes, creationTime: at * 1e6, error: null });
    const fail = async (message: string): Promise<void> => {
      if (content.status?.error?.message === message) return;
      await setStatus({ readyToUse: false, error: { message, time: new Date().toISOString() } });
    };
    switch (action.do) {
      case 'protect':
        await setFinalizers([...finalizers, CONTENT_BOUND]);
        return;
      case 'take':
        try {
          await files.snapshot(action.handle, action.volume);
        } catch (error) {
          await fail(failureText(error));
          throw error;
        }
        await report(action.handle, (await files.facts(action.handle))!);
        return;
      case 'adopt': {
        const facts = await files.facts(action.handle);
        await (facts ? report(action.handle, facts) : fail(`no snapshot has the handle ${action.handle}`));
        return;
      }
      case 'fail':
        await fail(action.message);
        return { requeueAfterMs: action.retryMs };
      case 'discard':
        if (action.handle !== undefined) await files.remove(action.handle);
        await setFinalizers(finalizers.filter((finalizer) => finalizer !== CONTENT_BOUND));
        return;
      case 'nothing':
        return;
    }
  }
}
