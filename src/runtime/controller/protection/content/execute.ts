import { errorText } from '../../../../api/error-text';
import type { KubeObject } from '../../../../api';
import { except, isNotFound, isRefused, resources } from '../../../kube';
import type { Requeue } from '../../../kube';
import type { ProtectionContext } from '../context';
import { performAll } from '../perform';
import { supportOf } from '../snapshot/observe';
import { copyOf, type Claim, type Content, type VolumeBackup, type VolumeSnapshot } from '../types';
import { dependentsOf, type CloneSource } from './dependents';
import { decide, frozen, quiesceFailed, refused, type Observed } from './decide';
import { guestCopyName } from '../guest-copy';
import type { Action } from '../actions';

const LAG_RECHECK_MS = 200;
const REFUSED_RECHECK_MS = 5_000;

/** Reconciles one VirtualMachineSnapshotContent. */
export async function syncContent(context: ProtectionContext, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const content = caches.contents.get(key);
  const expected = `content ${key}`;
  if (!content) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const seen = await observe(context, content);
  const namespace = content.metadata.namespace ?? '';
  const run = (actions: readonly Action[]): Promise<Requeue | void> =>
    performAll(context, expected, namespace, actions);
  const actions = decide(seen);
  const [first, ...others] = actions;
  if (first?.do === 'freeze') {
    const began = { ...seen, now: context.now() };
    const failure = await run([first]).then(
      () => undefined,
      (error: unknown) => errorText(error),
    );
    return run([...(failure === undefined ? [frozen(began)] : quiesceFailed(seen, failure)), ...others]);
  }
  if (first?.do === 'unfreeze') {
    // the launcher thaws a guest that cannot be reached now, and one that is gone needs nothing
    await run([first]).catch(() => undefined);
    return run(others);
  }
  try {
    return await run(actions);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await run(refused(seen, (error as Error).message));
    return { requeueAfterMs: REFUSED_RECHECK_MS };
  }
}

async function observe(context: ProtectionContext, content: Content): Promise<Observed> {
  const { client, caches, now } = context;
  const { namespace = '' } = content.metadata;
  const { volumeBackups = [], virtualMachineSnapshotName: owner } = content.spec;
  const volumeSnapshots = new Map<string, VolumeSnapshot>();
  const copies = new Map<string, Claim>();
  const classes = new Map<string, string>();
  const isOpen = !content.metadata.deletionTimestamp && !(content.status?.creationTime && content.status.readyToUse);
  const look = async (backup: VolumeBackup): Promise<void> => {
    const copy = copyOf(backup);
    const name = copy ?? backup.volumeSnapshotName;
    if (name === undefined) return;
    if (copy !== undefined) {
      const claim = await client.find<Claim>(resources.persistentVolumeClaims, { namespace, name });
      if (claim) copies.set(name, claim);
      return;
    }
    const found = await client.find<VolumeSnapshot>(resources.volumeSnapshots, { namespace, name });
    if (found) volumeSnapshots.set(name, found);
    else {
      const { className } = await supportOf(context, backup.persistentVolumeClaim as Claim);
      if (className !== undefined) classes.set(backup.volumeName, className);
    }
  };
  // together, because the guest may be frozen meanwhile
  if (isOpen) await Promise.all(volumeBackups.map(look));
  const dependents = content.metadata.deletionTimestamp ? await findDependents(context, content) : [];
  const snapshot = owner === undefined ? undefined : caches.snapshots.get(`${namespace}/${owner}`);
  const guestCopy = caches.backups.get(`${namespace}/${guestCopyName(content)}`);
  return { content, snapshot, volumeSnapshots, copies, guestCopy, classes, dependents, now: now() };
}

/** Claims of all kinds count, so they are read: most are not in a cache of this controller. */
async function findDependents({ client, caches }: ProtectionContext, content: Content): Promise<string[]> {
  const { namespace = '' } = content.metadata;
  const { items: claims } = await client.list<Claim>(resources.persistentVolumeClaims, { namespace });
  const cloneSources = await client
    .list<KubeObject & CloneSource>(resources.volumeCloneSources, { namespace })
    // a cluster without populators lacks the kind
    .catch(except(isNotFound));
  const restores = caches.restores.byIndex('snapshot', `${namespace}/${content.spec.virtualMachineSnapshotName}`);
  return dependentsOf(content, { claims, cloneSources: cloneSources?.items ?? [], restores });
}
