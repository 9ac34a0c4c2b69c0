import type { KubeObject } from '../../../api';
import { keys } from '../../../api/keys';
import { Informer, resources } from '../../kube';
import type { EventRecorder, Expectations, KubeClient } from '../../kube';
import { slim } from '../trim';
import type { Backup, Tracker } from './backup/observed';
import type { Claim, Clone, Content, Restore, Snapshot } from './types';

/** Context of the controllers of snapshots, restores and clones. */
export interface ProtectionContext {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<string>;
  readonly expectations: Expectations;
  readonly caches: ProtectionCaches;
  now(): number;
}

/** VMs, their disks and VolumeSnapshots are not cached: they are read while an operation on them is in progress. */
export interface ProtectionCaches {
  readonly snapshots: Informer<Snapshot>;
  readonly contents: Informer<Content>;
  readonly restores: Informer<Restore>;
  readonly clones: Informer<Clone>;
  readonly backups: Informer<Backup>;
  readonly trackers: Informer<Tracker>;
  /** Restored claims. */
  readonly claims: Informer<Claim>;
}

export function makeProtectionCaches(client: KubeClient, onError: (error: unknown) => void): ProtectionCaches {
  return {
    snapshots: new Informer<Snapshot>(client, resources.snapshots, { onError, transform: slim }),
    contents: new Informer<Content>(client, resources.snapshotContents, { onError, transform: slim }),
    restores: new Informer<Restore>(client, resources.restores, {
      onError,
      transform: slim,
      indexers: { snapshot: ({ metadata, spec }) => [`${metadata.namespace}/${spec.virtualMachineSnapshotName}`] },
    }),
    clones: new Informer<Clone>(client, resources.clones, {
      onError,
      transform: slim,
      indexers: { objects: objectKeys },
    }),
    backups: new Informer<Backup>(client, resources.backups, { onError, transform: slim }),
    trackers: new Informer<Tracker>(client, resources.backupTrackers, { onError, transform: slim }),
    claims: new Informer<Claim>(client, resources.persistentVolumeClaims, {
      onError,
      transform: slim,
      labelSelector: keys.restoreSourceName,
      indexers: { restore: restoreKeys },
    }),
  };
}

/** Kind, namespace and name of the snapshot and the restore of a clone. */
function objectKeys({ metadata, spec, status }: Clone): string[] {
  const { snapshotName, restoreName } = status ?? {};
  const snapshot = spec.source.kind === 'VirtualMachineSnapshot' ? spec.source.name : snapshotName;
  const key = (kind: string, name: string): string => `${kind} ${metadata.namespace}/${name}`;
  return [
    ...(snapshot ? [key('VirtualMachineSnapshot', snapshot)] : []),
    ...(restoreName ? [key('VirtualMachineRestore', restoreName)] : []),
  ];
}

/** `namespace/name` of the restore that created a claim. */
export function restoreKeys({ metadata }: KubeObject): string[] {
  const name = metadata.annotations?.[keys.restoreName];
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
}
