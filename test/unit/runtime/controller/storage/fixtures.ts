import { primeOf } from '../../../../../src/runtime/controller/storage/population/prime';
import { annotations } from '../../../../../src/runtime/controller/storage/population/annotations';
import type {
  ImportFill,
  PersistentVolume,
  StorageClaim,
  StorageClass,
} from '../../../../../src/runtime/controller/storage/types';
import type { Pod } from '../../../../../src/runtime/controller/pod';

type Annotations = Readonly<Record<string, string>>;

/** A claim that an import fills. */
export const claim = (given: Annotations = {}, more: Partial<StorageClaim> = {}): StorageClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'root', namespace: 'n', uid: 'claim-uid', annotations: { ...given }, ...more.metadata },
  spec: {
    storageClassName: 'local',
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    resources: { requests: { storage: '1Gi' } },
    dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 'source' },
    ...more.spec,
  },
  ...(more.status && { status: more.status }),
});

export const prime = (given: Annotations = {}, volumeName?: string): StorageClaim => {
  const made = primeOf(claim());
  return {
    ...made,
    metadata: { ...made.metadata, uid: 'prime-uid', annotations: { ...made.metadata.annotations, ...given } },
    spec: { ...made.spec, ...(volumeName && { volumeName }) },
  };
};

export const fill: ImportFill = {
  kind: 'import',
  source: { http: { url: 'http://images.example/a.qcow2' } },
  contentType: 'kubevirt',
  isPreallocated: false,
};

export const volume = (owner: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv', resourceVersion: '7' },
  spec: { claimRef: { namespace: 'n', name: 'any', uid: owner } },
});

export const storageClass = (volumeBindingMode: string): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'local' },
  volumeBindingMode,
});

export const pod = (status: Pod['status'], metadata: object = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'importer-prime-claim-uid', namespace: 'n', uid: 'pod-uid', ...metadata },
  spec: { containers: [] },
  status,
});

export const done: Annotations = { [annotations.podPhase]: 'Succeeded' };
