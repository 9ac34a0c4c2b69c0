import { claimsOf, snapshotSupport } from '../../../../../src/runtime/controller/protection/volumes';
import { claim, vm } from './fixtures';

const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'fast' },
  provisioner: 'csi',
};
const snapshots = (name: string, driver = 'csi', annotations = {}) => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: { name, annotations },
  driver,
});
const DEFAULT = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };

test.each<[string, string | undefined, ReturnType<typeof snapshots>[], string | undefined]>([
  ['the only one of its driver', undefined, [snapshots('a'), snapshots('b', 'other')], 'a'],
  ['the one of its profile', 'b', [snapshots('a'), snapshots('b')], 'b'],
  ['never one of another driver', 'b', [snapshots('a'), snapshots('b', 'other')], 'a'],
  ['the default one', undefined, [snapshots('a'), snapshots('b', 'csi', DEFAULT)], 'b'],
  ['none', undefined, [snapshots('b', 'other')], undefined],
])('a class takes snapshots with %s', (_, chosen, classes, want) => {
  expect(snapshotSupport(storageClass, chosen, classes)).toEqual(want === undefined ? {} : { className: want });
});

test('two classes without a default are ambiguous', () => {
  expect(snapshotSupport(storageClass, undefined, [snapshots('a'), snapshots('b')]).ambiguous).toMatch(/\(a, b\); set/);
});

test('a VM has the claims of its volumes, and that of its persistent state', () => {
  expect([...claimsOf(vm(), claim('state'))]).toEqual([
    ['data', 'data'],
    ['root', 'root-dv'],
    ['persistent-state-for-db', 'state'],
  ]);
});
