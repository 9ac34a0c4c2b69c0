import { storage } from '../../../../../src/cli/doctor/checks/storage';
import { keys } from '../../../../../src/api/keys';
import { expectRow, type Row } from '../healthy';

const second = (annotation: string): object => ({
  provisioner: 'other.example',
  metadata: { name: 'slow', annotations: { [annotation]: 'true' } },
});

test.each<Row>([
  ['a default class with snapshots has no problem', () => {}, []],
  ['no class', (f) => (f.storageClasses = []), ['warning Storage: the cluster has no StorageClass']],
  ['no default class', (f) => delete f.storageClasses[0].metadata.annotations, ['(existing: "fast")']],
  [
    'two default classes',
    (f) => f.storageClasses.push(second('storageclass.kubernetes.io/is-default-class')),
    ['warning StorageClasses "fast", "slow": several are the default'],
  ],
  [
    'the default for VMs takes precedence',
    (f) => f.storageClasses.push(second(keys.defaultVirtClass)),
    [
      'warning StorageClass "slow": no VolumeSnapshotClass has its driver other.example',
      'warning StorageProfile "slow": it does not exist',
    ],
  ],
  [
    'a cluster without snapshots',
    (f) => [(f.snapshotClasses = []), (f.absent = new Set(['snapshotClasses']))],
    ['warning StorageClass "fast": the cluster has no VolumeSnapshots'],
  ],
  [
    'two default snapshot classes of a driver',
    (f) => {
      const annotations = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };
      f.snapshotClasses = ['x', 'y'].map((name) => ({ driver: 'csi.example', metadata: { name, annotations } }));
    },
    ['warning VolumeSnapshotClasses "x", "y": several are the default of driver csi.example'],
  ],
  [
    'a provisioner that is not known',
    (f) => (f.storageProfiles[0].status = {}),
    ['warning StorageProfile "fast": it has no access modes for csi.example'],
  ],
  ['a cluster without profiles', (f) => [(f.storageProfiles = []), (f.absent = new Set(['storageProfiles']))], []],
  ['nothing is claimed about what cannot be read', (f) => (f.storageClasses = undefined), []],
])('%s', (...row) => expectRow(storage, row));
