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
} from '../../runtime/kube';
import type { KubeClient, Requeue } from '../../runtime/kube';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../core-v1';
import type { Log } from '../log';
import { quantityOf } from '../quantity';
import { CLONING, decide, isCloning, isFor, PROVISIONED_BY, PROVISIONER, SELECTED_NODE, USER_CHECK_MS } from './decide';
import type { Action } from './decide';
import { failureText } from './failure';
import { Snapshots } from './snapshots/controller';
import { SNAPSHOT_GROUP } from './snapshots/types';
import { userOf } from './users';
import { claimRef, DEFAULT_SIZE, volumeNameOf, volumeOf } from './volume';
import { VolumeFiles } from './volume-files';

export interface StorageOptions {
  /** User agent `local-storage/…`. */
  readonly client: KubeClient;
  /** `<state>/storage`: one directory per volume. */
  readonly dir: string;
  /** Nodes of this machine; a volume of a claim that waits for no consumer belongs to the first. */
  readonly nodes: readonly string[];
  readonly log?: Log;
}

export interface Storage {
  close(): Promise<void>;
}

export const STORAGE_CLASS = 'local';

/** Provisions claims with directories and image files of this machine. */
export async function startStorage(options: StorageOptions): Promise<Storage> {
  const storage = new LocalStorage(options);
  await storage.start();
  return storage;
}

class LocalStorage implements Storage {
  private readonly queue: WorkQueue;
  private readonly events: EventRecorder;
  private readonly claims: Informer<PersistentVolumeClaim>;
  private readonly volumes: Informer<PersistentVolume>;
  private readonly classes: Informer<StorageClass>;
  private readonly files: VolumeFiles;
  private readonly snapshots: Snapshots;
  private working?: Promise<void>;

  public constructor(private readonly options: StorageOptions) {
    const { client } = options;
    this.files = new VolumeFiles(options.dir);
    const log: Log = options.log ?? (() => undefined);
    const onError = (error: unknown): void =>
      log('warn', 'watching volumes failed; retrying', { error: String(error) });
    this.claims = new Informer<PersistentVolumeClaim>(client, resources.persistentVolumeClaims, { onError });
    this.volumes = new Informer<PersistentVolume>(client, resources.persistentVolumes, { onError });
    this.classes = new Informer<StorageClass>(client, resources.storageClasses, { onError });
    this.snapshots = new Snapshots({
      client,
      log,
      files: this.files,
      claims: this.claims,
      volumes: this.volumes,
      onChange: ({ metadata }) => this.wakeCopies(metadata),
    });
    this.events = new EventRecorder(client, { component: PROVISIONER });
    this.queue = new WorkQueue({
      onError: (key, error) => log('warn', 'a claim could not be processed; retrying', { key, error: String(error) }),
    });
  }

  public async start(): Promise<void> {
    await this.files.open();
    await this.makeClass();
    const claim = (object: PersistentVolumeClaim): void => {
      this.queue.add(`claim ${keyOf(object)}`);
      this.wakeCopies(object.metadata);
    };
    const volume = (object: PersistentVolume): void => {
      this.queue.add(`volume ${keyOf(object)}`);
      const { namespace, name } = object.spec?.claimRef ?? {};
      if (namespace && name) this.queue.add(`claim ${namespace}/${name}`);
    };
    const all = (): void =>
      this.claims
        .list()
        .filter((object) => object.status?.phase !== 'Bound')
        .forEach(claim);
    this.claims.onChange({
      add: claim,
      update: claim,
      delete: (object) => {
        // also a volume that was being created, even if the claim is bound to another one
        for (const name of [object.spec?.volumeName, volumeNameOf(object)]) if (name) this.queue.add(`volume ${name}`);
      },
    });
    this.volumes.onChange({
      add: (object) => {
        volume(object);
        if (!object.spec?.claimRef) all();
      },
      update: volume,
      delete: volume,
    });
    this.classes.onChange({ add: all, update: all });
    await Promise.all([this.classes.start(), this.volumes.start(), this.claims.start()]);
    await this.snapshots.start();
    this.working = this.queue.run(1, (key) => this.work(key));
    this.claims.list().forEach(claim);
    this.volumes.list().forEach(volume);
    for (const name of await this.files.unnamed()) {
      if (this.volumes.get(name)) await this.files.name(name);
      else this.queue.add(`volume ${name}`);
    }
  }

  public async close(): Promise<void> {
    await this.queue.stop();
    await this.working;
    await this.snapshots.close();
    await Promise.all([this.claims.stop(), this.volumes.stop(), this.classes.stop()]);
    await this.events.stop();
  }

  /** Claims that copy a claim or snapshot may wait for it. */
  private wakeCopies({ namespace, name }: PersistentVolumeClaim['metadata']): void {
    for (const copy of this.claims.list()) {
      const { dataSource, dataSourceRef = dataSource } = copy.spec ?? {};
      const waits = copy.status?.phase !== 'Bound' && copy.metadata.namespace === namespace;
      if (waits && dataSourceRef?.name === name) this.queue.add(`claim ${keyOf(copy)}`);
    }
  }

  /** Creates the storage class if it is missing; keeps changes of users. */
  private async makeClass(): Promise<void> {
    const storageClass: StorageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: {
        name: STORAGE_CLASS,
        annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
      },
      provisioner: PROVISIONER,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    };
    try {
      await this.options.client.create(resources.storageClasses, storageClass);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  private async work(key: string): Promise<Requeue | void> {
    const [kind, name = ''] = key.split(' ');
    try {
      return kind === 'claim' ? await this.serve(name) : await this.reclaim(name);
    } catch (error) {
      // the watch delivers the newer state
      if (isNotFound(error) || isConflict(error)) return { requeueAfterMs: 200 };
      throw error;
    }
  }

  private async serve(key: string): Promise<Requeue | void> {
    const claim = this.claims.get(key);
    if (!claim) return;
    const { namespace } = claim.metadata;
    const source = claim.spec?.dataSourceRef ?? claim.spec?.dataSource;
    const isSnapshot = source?.kind === 'VolumeSnapshot' && source.apiGroup === SNAPSHOT_GROUP;
    const original = source && this.claims.get(`${namespace}/${source.name}`);
    if (original && isCloning(claim, original, this.classes.list())) await this.protect(original);
    const action = decide({
      claim,
      source: original,
      sourceUser: await this.userOfSource(claim, original),
      ...(isSnapshot && { restored: this.snapshots.restorable(namespace, source.name) }),
      classes: this.classes.list(),
      volumes: this.volumes.list(),
      nodes: this.options.nodes,
    });
    return this.perform(claim, action);
  }

  /** Pod that uses a claim whose copy has to wait for the end of that Pod. */
  private async userOfSource(copy: PersistentVolumeClaim, source?: PersistentVolumeClaim): Promise<string | undefined> {
    if (copy.status?.phase === 'Bound' || source?.spec?.volumeMode !== 'Block' || this.files.hasReflinks)
      return undefined;
    return userOf(this.options.client, source.metadata);
  }

  private async perform(claim: PersistentVolumeClaim, action: Action): Promise<Requeue | void> {
    const ref = { namespace: claim.metadata.namespace, name: claim.metadata.name ?? '' };
    const { client } = this.options;
    switch (action.do) {
      case 'setClass': {
        const body = { spec: { storageClassName: action.storageClass } };
        await client.patch(resources.persistentVolumeClaims, ref, body, 'merge');
        return;
      }
      case 'provision':
        return this.bind(claim, await this.provision(claim, action));
      case 'bind':
        return this.bind(claim, action.volume);
      case 'expand':
        return this.expand(claim, action.volume, action.bytes);
      case 'wait':
        this.events.record(claim, action.warn ? 'Warning' : 'Normal', action.reason, action.message);
        if (!claim.status?.phase) await this.setStatus(claim, { phase: 'Pending' });
        return { requeueAfterMs: action.retryMs };
      case 'lose': {
        // the watch of volumes may be behind that of claims
        const name = claim.spec?.volumeName ?? '';
        const volume = await client.find<PersistentVolume>(resources.persistentVolumes, { name });
        if (volume && isFor(volume, claim)) return;
        this.events.warning(claim, 'ClaimLost', action.message);
        return this.setStatus(claim, { phase: 'Lost' });
      }
      case 'release':
        return this.release(claim);
      case 'nothing':
        return;
    }
  }

  private setStatus(claim: PersistentVolumeClaim, status: object): Promise<void> {
    const { namespace, name = '' } = claim.metadata;
    const ref = { namespace, name, subresource: 'status' };
    return this.options.client.patch(resources.persistentVolumeClaims, ref, { status }, 'merge').then(() => undefined);
  }

  private async provision(
    claim: PersistentVolumeClaim,
    { storageClass, copyOf }: Extract<Action, { do: 'provision' }>,
  ): Promise<PersistentVolume> {
    const { metadata, spec = {} } = claim;
    const name = volumeNameOf(claim);
    const isBlock = spec.volumeMode === 'Block';
    const node = metadata.annotations?.[SELECTED_NODE] ?? this.options.nodes[0]!;
    const bytes = Math.ceil(quantityOf(spec.resources?.requests?.storage ?? DEFAULT_SIZE));
    await this.reporting(claim, 'ProvisioningFailed', () => this.files.create(name, { bytes, isBlock, copyOf }));
    const volume = volumeOf(claim, storageClass, { node, path: this.files.path(name, isBlock) });
    const { client } = this.options;
    const made = await client.create(resources.persistentVolumes, volume).catch(except(isAlreadyExists));
    await this.files.name(name);
    if (!made) return client.get<PersistentVolume>(resources.persistentVolumes, { name });
    this.events.normal(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
    return made;
  }

  /** Binds claim and volume to each other; each step can be repeated after a crash. */
  private async bind(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const { client } = this.options;
    const name = volume.metadata.name ?? '';
    const ref = { namespace: claim.metadata.namespace, name: claim.metadata.name ?? '' };
    if (volume.spec?.claimRef?.uid !== claim.metadata.uid) {
      await client.patch(resources.persistentVolumes, { name }, { spec: { claimRef: claimRef(claim) } }, 'merge');
    }
    if (volume.status?.phase !== 'Bound') {
      const body = { status: { phase: 'Bound' } };
      await client.patch(resources.persistentVolumes, { name, subresource: 'status' }, body, 'merge');
    }
    const metadata = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } };
    await client.patch(resources.persistentVolumeClaims, ref, { metadata, spec: { volumeName: name } }, 'merge');
    await this.setStatus(claim, {
      phase: 'Bound',
      accessModes: volume.spec?.accessModes,
      capacity: { storage: volume.spec?.capacity?.storage },
    });
  }

  private async expand(claim: PersistentVolumeClaim, volume: PersistentVolume, bytes: number): Promise<void> {
    const storage = claim.spec?.resources?.requests?.storage;
    const name = volume.metadata.name ?? '';
    const isBlock = volume.spec?.volumeMode === 'Block';
    await this.reporting(claim, 'VolumeResizeFailed', () => this.files.expand(name, bytes, isBlock));
    await this.options.client.patch(
      resources.persistentVolumes,
      { name },
      { spec: { capacity: { storage } } },
      'merge',
    );
    await this.setStatus(claim, { capacity: { storage } });
    this.events.normal(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded');
  }

  /** Reports a failure also on the claim, because its user does not read the log of the engine. */
  private async reporting(claim: PersistentVolumeClaim, reason: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.events.warning(claim, reason, failureText(error));
      throw error;
    }
  }

  /** Makes sure that a claim, if it is deleted, is kept until no other one is being cloned from it. */
  private async protect({ metadata }: PersistentVolumeClaim): Promise<void> {
    const { finalizers = [], deletionTimestamp } = metadata;
    // the API server accepts no new finalizer of a deleted object
    if (deletionTimestamp || finalizers.includes(CLONING)) return;
    await this.setFinalizers(metadata, [...finalizers, CLONING]);
  }

  /** Lets a deleted claim end, once no other one is being cloned from it. */
  private async release(claim: PersistentVolumeClaim): Promise<Requeue | void> {
    const { metadata } = claim;
    const classes = this.classes.list();
    const clone = this.claims.list().find((each) => isCloning(each, claim, classes));
    if (clone) {
      const message = `PersistentVolumeClaim "${clone.metadata.name}" is being cloned from this claim; the deletion continues when that claim is bound or deleted`;
      this.events.warning(claim, 'ClaimDeletePending', message);
      return { requeueAfterMs: USER_CHECK_MS };
    }
    await this.setFinalizers(metadata, metadata.finalizers?.filter((finalizer) => finalizer !== CLONING) ?? []);
  }

  private async setFinalizers(
    { namespace, name = '', resourceVersion }: PersistentVolumeClaim['metadata'],
    finalizers: readonly string[],
  ): Promise<void> {
    const body = { metadata: { finalizers, resourceVersion } };
    await this.options.client.patch(resources.persistentVolumeClaims, { namespace, name }, body, 'merge');
  }

  /** Reclaims a volume whose claim was deleted. */
  private async reclaim(name: string): Promise<void> {
    const cached = this.volumes.get(name);
    if (!cached) return this.removeUnnamed(name);
    if (!cached.spec?.claimRef) {
      if (!cached.status?.phase) await this.setVolumePhase(name, 'Available');
      return;
    }
    const { namespace, name: claimName = '', uid } = cached.spec.claimRef;
    if (!uid) return; // reserved for a future claim
    if (this.claims.get(`${namespace}/${claimName}`)?.metadata.uid === uid) return;
    // The caches may be old and data cannot be restored: the API server decides.
    const { client } = this.options;
    const volume = await client.find<PersistentVolume>(resources.persistentVolumes, { name });
    if (volume?.metadata.uid !== cached.metadata.uid || volume?.spec?.claimRef?.uid !== uid) return;
    const ref = { namespace, name: claimName };
    const claim = await client.find<PersistentVolumeClaim>(resources.persistentVolumeClaims, ref);
    if (claim?.metadata.uid === uid) return;
    const provisioned = volume.metadata.annotations?.[PROVISIONED_BY] === PROVISIONER;
    if (provisioned && volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
      await this.files.remove(name);
      await client.delete(resources.persistentVolumes, { name });
    } else if (volume.status?.phase !== 'Released') await this.setVolumePhase(name, 'Released');
  }

  /** Removes a volume whose claim was deleted before a PersistentVolume was created. */
  private async removeUnnamed(name: string): Promise<void> {
    if (!this.files.isUnnamed(name)) return;
    const { client } = this.options;
    if (await client.find(resources.persistentVolumes, { name })) return this.files.name(name);
    const { items } = await client.list<PersistentVolumeClaim>(resources.persistentVolumeClaims);
    if (!items.some((claim) => volumeNameOf(claim) === name)) await this.files.remove(name);
  }

  private async setVolumePhase(name: string, phase: string): Promise<void> {
    const ref = { name, subresource: 'status' };
    await this.options.client.patch(resources.persistentVolumes, ref, { status: { phase } }, 'merge');
  }
}
