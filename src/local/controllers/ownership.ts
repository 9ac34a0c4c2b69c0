import type { KubeObject } from '../../api/meta';
import { isNotFound, keyOf, type Informer, type KubeClient, type Resource } from '../../runtime/kube';
import type { LabelSelector } from '../core-v1';
import { controllerRef } from '../../api/owner';
import { controllerOf, orphansOf } from './informers';
import { matcherOf } from './pods';

/** Treatment of an object that a controller owns or might own. */
type Verdict = 'keep' | 'adopt' | 'release' | 'ignore';

/** Decides about one object. An owner that is being deleted changes nothing. Pure. */
export function verdictOf(owner: KubeObject, matches: boolean, { metadata }: KubeObject): Verdict {
  const reference = controllerOf(metadata);
  const ending = Boolean(owner.metadata.deletionTimestamp);
  if (reference) {
    if (reference.uid !== owner.metadata.uid) return 'ignore';
    if (matches) return 'keep';
    return ending ? 'ignore' : 'release';
  }
  const free = matches && !ending && !metadata.deletionTimestamp && metadata.namespace === owner.metadata.namespace;
  return free ? 'adopt' : 'ignore';
}

export interface ClaimOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly owner: KubeObject;
  readonly ownerResource: Resource;
  readonly resource: Resource;
  readonly selects: (object: T) => boolean;
  readonly candidates: readonly T[];
  /** Called for each object that was adopted or released. */
  readonly onWrite: (object: T) => void;
}

/** Returns the objects that belong to the owner. Adopts orphans that match, and releases objects that no longer match. */
export async function claim<T extends KubeObject>(options: ClaimOptions<T>): Promise<T[]> {
  const { owner, selects, candidates } = options;
  const claimed: T[] = [];
  let mayAdopt: Promise<boolean> | undefined;
  for (const object of candidates) {
    const verdict = verdictOf(owner, selects(object), object);
    if (verdict === 'keep') claimed.push(object);
    if (verdict === 'release') await release(options, object);
    if (verdict !== 'adopt' || !(await (mayAdopt ??= isCurrent(options)))) continue;
    const adopted = await patchOwner(options, object, controllerRef(owner));
    if (adopted) claimed.push(adopted);
  }
  return claimed;
}

/** Whether the owner still exists and is not being deleted, according to the API server. */
async function isCurrent(
  options: Pick<ClaimOptions<KubeObject>, 'client' | 'owner' | 'ownerResource'>,
): Promise<boolean> {
  const { client, owner, ownerResource } = options;
  const { namespace, name = '', uid } = owner.metadata;
  const found = await client.find(ownerResource, { namespace, name });
  return found?.metadata.uid === uid && !found?.metadata.deletionTimestamp;
}

const release = <T extends KubeObject>(options: ClaimOptions<T>, object: T): Promise<T | undefined> =>
  patchOwner(options, object, { $patch: 'delete', uid: options.owner.metadata.uid });

async function patchOwner<T extends KubeObject>(
  { client, resource, onWrite }: ClaimOptions<T>,
  { metadata }: T,
  reference: object,
): Promise<T | undefined> {
  const { namespace, name = '', uid } = metadata;
  try {
    const body = { metadata: { uid, ownerReferences: [reference] } };
    const written = await client.patch<T>(resource, { namespace, name }, body, 'strategic');
    onWrite(written);
    return written;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Objects of an owner, and orphans of its namespace that it might adopt. */
export function candidatesOf<T extends KubeObject>(informer: Informer<T>, { metadata }: KubeObject): T[] {
  return [
    ...informer.byIndex('owner', metadata.uid ?? ''),
    ...informer.byIndex('owner', orphansOf(metadata.namespace)),
  ];
}

export interface OwnedChanges<O extends KubeObject, C extends KubeObject> {
  readonly owned: Informer<O>;
  readonly owners: Informer<C>;
  readonly ownerKind: string;
  readonly selectorOf: (owner: C) => LabelSelector | undefined;
  readonly enqueue: (key: string) => void;
}

/** Enqueues the owner of each object that changes. For an orphan, enqueues all owners that might adopt it. */
export function followOwned<O extends KubeObject, C extends KubeObject>(changes: OwnedChanges<O, C>): void {
  const { owned, owners, ownerKind, selectorOf, enqueue } = changes;
  const wakeOwner = (object: O): boolean => {
    const reference = controllerOf(object.metadata);
    if (!reference) return false;
    const key = `${object.metadata.namespace}/${reference.name}`;
    if (reference.kind === ownerKind && owners.get(key)?.metadata.uid === reference.uid) enqueue(key);
    return true;
  };
  const wake = (object: O): void => {
    if (wakeOwner(object)) return;
    for (const owner of owners.list()) {
      if (owner.metadata.namespace !== object.metadata.namespace) continue;
      if (matcherOf(selectorOf(owner))(object.metadata.labels)) enqueue(keyOf(owner));
    }
  };
  owned.onChange({
    add: wake,
    update: (after, before) => {
      if (controllerOf(before.metadata)?.uid !== controllerOf(after.metadata)?.uid) wakeOwner(before);
      wake(after);
    },
    delete: wakeOwner,
  });
}
