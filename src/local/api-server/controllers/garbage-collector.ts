import { OwnerReference } from '../../../api/meta';
import { Kind } from '../registry/kind';
import { DeleteOptions } from '../registry/options';
import { Change, Key } from '../store/store';
import { clone, deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Core, internalCaller, read, Target } from '../verbs/core';
import { remove } from '../verbs/delete';
import { write } from '../verbs/update';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

interface Owners {
  readonly solid: OwnerReference[];
  readonly gone: OwnerReference[];
  /** Owners in foreground deletion, which wait for this object. */
  readonly waiting: OwnerReference[];
}

/** Deletes objects without owners, and implements foreground and orphan deletion. */
export class GarbageCollector {
  private readonly queue: WorkQueue;
  private stop = () => {};
  private readonly caller = internalCaller('generic-garbage-collector');

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = controllerQueue((key) => this.process(key), log);
  }

  public start(): void {
    this.stop = this.core.store.subscribeAll((change) => this.observe(change));
    for (const key of [...this.core.store.orphaned(), ...this.core.store.finalizing()]) this.enqueue(key);
  }

  public close(): void {
    this.stop();
    void this.queue.stop();
  }

  private observe({ key, object, previous }: Change): void {
    if (!object) {
      for (const dependent of this.core.store.dependents(previous!.metadata.uid!)) this.enqueue(dependent);
      // Its owners may wait for its deletion.
      for (const owner of previous!.metadata.ownerReferences ?? []) this.enqueueUid(owner.uid);
      return;
    }
    const { metadata } = object;
    const owners = metadata.ownerReferences;
    if (metadata.deletionTimestamp && metadata.finalizers?.some((name) => name === FOREGROUND || name === ORPHAN)) {
      this.enqueue(key);
    } else if (owners?.length && (!previous || !deepEqual(owners, previous.metadata.ownerReferences))) {
      this.enqueue(key);
    }
  }

  private enqueue({ resource, namespace, name }: Key): void {
    this.queue.add(JSON.stringify([resource, namespace, name]));
  }

  private enqueueUid(uid: string): void {
    const key = this.core.store.keyOfUid(uid);
    if (key) this.enqueue(key);
  }

  private async process(text: string): Promise<void> {
    const [resource, namespace, name] = JSON.parse(text) as [string, string, string];
    const kind = this.core.kinds.byStorage(resource);
    const object = kind && read(this.core, kind, namespace, name);
    if (!kind || !object) return;
    const target: Target = { kind, namespace, name, subresource: '' };
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp && finalizers.includes(ORPHAN)) return this.orphan(target, object);
    if (deletionTimestamp && finalizers.includes(FOREGROUND)) return this.foreground(target, object);
    if (!deletionTimestamp) await this.collect(target, object);
  }

  /** Deletes the object if all of its owners are deleted or wait for it; removes references to these otherwise. */
  private async collect(target: Target, object: AnyObject): Promise<void> {
    const owners = this.classify(target.kind, object);
    const lost = [...owners.gone, ...owners.waiting];
    if (!lost.length) return;
    if (owners.solid.length) {
      const uids = lost.map((owner) => owner.uid);
      await this.dropOwners(target, object, uids);
      for (const uid of uids) this.enqueueUid(uid);
      return;
    }
    const { finalizers = [], uid } = object.metadata;
    let propagationPolicy: DeleteOptions['propagationPolicy'] = 'Background';
    if (finalizers.includes(ORPHAN)) propagationPolicy = 'Orphan';
    else if (finalizers.includes(FOREGROUND)) propagationPolicy = 'Foreground';
    else if (owners.waiting.length && this.core.store.dependents(uid!).length) propagationPolicy = 'Foreground';
    await ignoreGone(
      remove(this.core, target, { dryRun: false, propagationPolicy, preconditions: { uid } }, this.caller),
    );
  }

  private classify(kind: Kind, object: AnyObject): Owners {
    const owners: Owners = { solid: [], gone: [], waiting: [] };
    for (const reference of object.metadata.ownerReferences ?? []) {
      const ownerKind = this.core.kinds.byKind(reference.apiVersion, reference.kind);
      // The owner's kind is not served, so its existence is unknown: keep the object.
      if (!ownerKind) owners.solid.push(reference);
      else if (ownerKind.namespaced && !kind.namespaced) owners.gone.push(reference);
      else {
        const namespace = ownerKind.namespaced ? (object.metadata.namespace ?? '') : '';
        const owner = read(this.core, ownerKind, namespace, reference.name);
        if (owner?.metadata.uid !== reference.uid) owners.gone.push(reference);
        else if (owner.metadata.deletionTimestamp && owner.metadata.finalizers?.includes(FOREGROUND)) {
          owners.waiting.push(reference);
        } else owners.solid.push(reference);
      }
    }
    return owners;
  }

  private async foreground(target: Target, object: AnyObject): Promise<void> {
    const uid = object.metadata.uid!;
    const dependents = this.core.store.dependents(uid);
    for (const dependent of dependents) this.enqueue(dependent);
    const blocking = dependents.some((key) =>
      this.core.store
        .get(key)
        ?.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    );
    if (!blocking) await this.dropFinalizer(target, FOREGROUND);
  }

  private async orphan(target: Target, object: AnyObject): Promise<void> {
    const uid = object.metadata.uid!;
    for (const key of this.core.store.dependents(uid)) {
      const kind = this.core.kinds.byStorage(key.resource);
      const dependent = kind && read(this.core, kind, key.namespace, key.name);
      if (!kind || !dependent) continue;
      const other = { kind, namespace: key.namespace, name: key.name, subresource: '' };
      await this.dropOwners(other, dependent, [uid]);
    }
    await this.dropFinalizer(target, ORPHAN);
  }

  private dropOwners(target: Target, object: AnyObject, uids: readonly string[]): Promise<void> {
    return this.edit(target, object.metadata.uid!, (metadata) => {
      const kept = metadata.ownerReferences?.filter((owner) => !uids.includes(owner.uid));
      if (kept?.length) metadata.ownerReferences = kept;
      else delete metadata.ownerReferences;
    });
  }

  private dropFinalizer(target: Target, finalizer: string): Promise<void> {
    const object = read(this.core, target.kind, target.namespace, target.name);
    return this.edit(target, object?.metadata.uid ?? '', (metadata) => {
      const kept = metadata.finalizers?.filter((name) => name !== finalizer);
      if (kept?.length) metadata.finalizers = kept;
      else delete metadata.finalizers;
    });
  }

  /** Changes metadata of the object if its uid is unchanged. */
  private async edit(target: Target, uid: string, change: (metadata: AnyObject['metadata']) => void): Promise<void> {
    const transform = (current: AnyObject | undefined): AnyObject => {
      if (!current || current.metadata.uid !== uid) throw new Gone();
      const next = clone(current);
      change(next.metadata);
      return next;
    };
    await ignoreGone(write(this.core, target, transform, this.caller, 'PatchOptions'));
  }
}

class Gone extends Error {
  public readonly code = 404;
}

/** Ignores errors for objects that were deleted or recreated. */
async function ignoreGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = (error as { code?: number }).code;
    if (code !== 404 && code !== 409) throw error;
    if (code === 409 && !/UID/.test((error as Error).message)) throw error;
  }
}
