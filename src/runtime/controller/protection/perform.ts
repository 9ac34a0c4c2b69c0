import { except, isAlreadyExists, isNotFound, pathOf, resources } from '../../kube';
import type { Informer, Requeue, Resource } from '../../kube';
import type { KubeObject } from '../../../api';
import { kinds } from '../../../api/kinds/registry';
import type { Action, WrittenKind } from './actions';
import type { ProtectionContext } from './context';

const fieldManager = 'virt-controller';

const collections = {
  VirtualMachine: resources.virtualMachines,
  VirtualMachineSnapshot: resources.snapshots,
  VirtualMachineSnapshotContent: resources.snapshotContents,
  VirtualMachineRestore: resources.restores,
  VirtualMachineClone: resources.clones,
  VirtualMachineInstance: resources.virtualMachineInstances,
  VirtualMachineBackup: resources.backups,
  VirtualMachineBackupTracker: resources.backupTrackers,
  VirtualMachineExport: resources.exports,
  VolumeSnapshot: resources.volumeSnapshots,
  VolumeCloneSource: resources.volumeCloneSources,
  PersistentVolumeClaim: resources.persistentVolumeClaims,
  DataVolume: resources.dataVolumes,
} satisfies Record<WrittenKind, Resource>;

/** Performs the actions of one pass in order. Own writes are expected in the caches under `expected`. */
export async function performAll(
  context: ProtectionContext,
  expected: string,
  namespace: string,
  actions: readonly Action[],
): Promise<Requeue | void> {
  let requeueAfterMs: number | undefined;
  for (const action of actions) {
    if (action.do === 'recheck') requeueAfterMs = Math.min(requeueAfterMs ?? action.afterMs, action.afterMs);
    else await perform(context, expected, namespace, action);
  }
  return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
}

async function perform(
  context: ProtectionContext,
  expected: string,
  namespace: string,
  action: Exclude<Action, { do: 'recheck' }>,
): Promise<void> {
  const { client, recorder } = context;
  switch (action.do) {
    case 'create': {
      const { kind } = action.object;
      const made = await client
        .create<KubeObject>(collections[kind], action.object, { fieldManager })
        .catch(except(isAlreadyExists));
      return expect(context, expected, kind, made?.metadata.resourceVersion);
    }
    case 'delete': {
      const { kind, name, uid } = action;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      const answer = await client
        .delete(collections[kind], { namespace, name }, preconditions)
        .catch(except(isNotFound));
      return expect(context, expected, kind, answer?.metadata?.resourceVersion);
    }
    case 'patch': {
      const { kind, name, body, subresource } = action;
      const written = await client
        .patch(collections[kind], { namespace, name, subresource }, body, 'merge', { fieldManager })
        .catch(except(isNotFound));
      return expect(context, expected, kind, written?.metadata.resourceVersion);
    }
    case 'patchVm': {
      const operations = action.operations.map((text) => JSON.parse(text) as unknown);
      await client.patch(resources.virtualMachines, { namespace, name: action.name }, operations, 'json', {
        fieldManager,
      });
      return;
    }
    case 'stopVm':
      return call(context, 'VirtualMachine', namespace, action.name, 'stop', {});
    case 'freeze':
      return call(context, 'VirtualMachineInstance', namespace, action.vm, 'freeze', {
        unfreezeTimeout: action.limit,
      });
    case 'unfreeze':
      return call(context, 'VirtualMachineInstance', namespace, action.vm, 'unfreeze', {});
    case 'backUp':
      return call(context, 'VirtualMachineInstance', namespace, action.vm, 'backup', action.options);
    case 'event':
      return recorder.record(action.on, action.type, action.reason, action.message);
  }
}

/** A request that virt-api serves. */
async function call(
  { client }: ProtectionContext,
  kind: 'VirtualMachine' | 'VirtualMachineInstance',
  namespace: string,
  name: string,
  subresource: string,
  body: object,
): Promise<void> {
  const { plural } = kinds[kind];
  const resource = { group: 'subresources.kubevirt.io', version: 'v1', plural, kind: '', namespaced: true };
  await client.request('PUT', pathOf(resource, { namespace, name, subresource }), body);
}

function expect(
  { caches, expectations }: ProtectionContext,
  expected: string,
  kind: WrittenKind,
  version: string | undefined,
): void {
  const followers: Partial<Record<WrittenKind, Informer<never>>> = {
    VirtualMachineSnapshot: caches.snapshots as unknown as Informer<never>,
    VirtualMachineSnapshotContent: caches.contents as unknown as Informer<never>,
    VirtualMachineRestore: caches.restores as unknown as Informer<never>,
    VirtualMachineClone: caches.clones as unknown as Informer<never>,
    VirtualMachineBackup: caches.backups as unknown as Informer<never>,
    VirtualMachineBackupTracker: caches.trackers as unknown as Informer<never>,
  };
  const follower = followers[kind];
  if (follower) expectations.expect(expected, follower, version);
}
