import { isProblem, plan, type PlanInput } from '../../../../../../src/runtime/controller/storage/clone/plan';
import { smallestRequest } from '../../../../../../src/runtime/controller/storage/clone/size';
import type { StorageClaim } from '../../../../../../src/runtime/controller/storage/types';
import { claim } from '../fixtures';

const MIB = 1 << 20;
type VolumeMode = NonNullable<StorageClaim['spec']['volumeMode']>;
const asking = (
  storage: string,
  volumeMode: VolumeMode = 'Filesystem',
  more: Partial<StorageClaim> = {},
): StorageClaim => claim({}, { ...more, spec: { volumeMode, resources: { requests: { storage } } } });
const filled = (storage: string, volumeMode?: VolumeMode): StorageClaim =>
  asking(storage, volumeMode, { status: { phase: 'Bound', capacity: { storage } } });
const snapshot = {
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: { name: 'snap', namespace: 'n' },
  spec: { volumeSnapshotClassName: 'snaps', source: {} },
  status: { readyToUse: true, restoreSize: '1Gi' },
};

const base: PlanInput = {
  claim: asking('1Gi'),
  from: { kind: 'PersistentVolumeClaim', namespace: 'n', name: 'golden' },
  source: filled('1Gi'),
  isFilled: true,
  writers: [],
  storageClass: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'local' },
    provisioner: 'csi.example',
    allowVolumeExpansion: true,
  },
  driver: 'csi.example',
  wanted: 'csi-clone',
  snapshots: { drivers: { snaps: 'csi.example' }, className: 'snaps' },
  overheadOf: () => 0,
};
const fromSnapshot = {
  from: { ...base.from, kind: 'VolumeSnapshot' as const, name: 'snap' },
  source: undefined,
  snapshot,
};
const late = { ...base.storageClass!, volumeBindingMode: 'WaitForFirstConsumer' };

/** `strategy`, `strategy (fallback)`, or the reason of the problem. */
const shown = (more: Partial<PlanInput>): string => {
  const made = plan({ ...base, ...more });
  if (isProblem(made)) return made.reason;
  return made.strategy + (made.fallback ? ` (${made.fallback.reason})` : '') + (made.needsPod ? ' +Pod' : '');
};

describe('plan of a clone', () => {
  test.each<[string, Partial<PlanInput>, string]>([
    ['of the same size', {}, 'csi-clone'],
    ['that is wanted as a copy', { wanted: 'copy' }, 'copy'],
    ['of an image in the source', { image: 'db/disk.qcow2' }, 'copy'],
    ['of an image in a larger source', { image: 'db/disk.qcow2', source: filled('8Gi') }, 'copy'],
    ['that is wanted as a snapshot', { wanted: 'snapshot' }, 'snapshot'],
    [
      'without a class for snapshots',
      { wanted: 'snapshot', snapshots: { drivers: {} } },
      'copy (NoVolumeSnapshotClass)',
    ],
    ['to another driver', { driver: 'other.example' }, 'copy (IncompatibleProvisioners)'],
    ['of a volume without a driver', { driver: undefined }, 'copy (IncompatibleProvisioners)'],
    ['to another volume mode', { source: filled('1Gi', 'Block') }, 'copy (IncompatibleVolumeModes)'],
    ['that is larger', { claim: asking('2Gi') }, 'csi-clone +Pod'],
    [
      'that is larger, in a class that does not expand',
      { claim: asking('2Gi'), storageClass: { ...base.storageClass!, allowVolumeExpansion: false } },
      'copy (NoVolumeExpansion)',
    ],
    ['whose node nobody selected', { storageClass: late }, 'csi-clone +Pod'],
    ['whose node is the one of the source', { storageClass: late, node: 'a' }, 'csi-clone'],
    ['whose node was selected', { storageClass: late, selectedNode: 'b' }, 'csi-clone'],
    ['without a source', { source: undefined }, 'CloneWithoutSource'],
    [
      'of a claim that is not bound',
      { source: { ...filled('1Gi'), status: { phase: 'Pending' } } },
      'CloneSourceNotReady',
    ],
    ['of a claim that is being filled', { isFilled: false }, 'CloneSourceNotReady'],
    ['of a claim that a Pod writes', { writers: ['n/pod'] }, 'CloneSourceInUse'],
    ['that is one byte smaller', { claim: asking(`${1024 * MIB - 1}`) }, 'CloneValidationFailed'],
    ['of a snapshot', fromSnapshot, 'snapshot'],
    ['of a snapshot, larger', { ...fromSnapshot, claim: asking('2Gi') }, 'snapshot +Pod'],
    ['of a snapshot, smaller', { ...fromSnapshot, claim: asking('1023Mi') }, 'CloneValidationFailed'],
    ['of a snapshot that does not exist', { ...fromSnapshot, snapshot: undefined }, 'CloneWithoutSource'],
    [
      'of a snapshot that is not ready',
      { ...fromSnapshot, snapshot: { ...snapshot, status: { readyToUse: false } } },
      'CloneSourceNotReady',
    ],
    [
      'of a snapshot of another driver',
      { ...fromSnapshot, snapshots: { drivers: { snaps: 'other.example' } } },
      'NoProvisionerMatch',
    ],
  ])('%s', (_, more, wanted) => expect(shown(more)).toBe(wanted));

  test('a clone of the storage has at least the size of its source, a copy the size that was asked for', () => {
    const source = { ...filled('1Gi'), status: { phase: 'Bound', capacity: { storage: '1100Mi' } } };
    expect(plan({ ...base, source })).toMatchObject({ bytes: 1100 * MIB });
    expect(plan({ ...base, source, wanted: 'copy' })).toMatchObject({ bytes: 1024 * MIB });
  });
});

test.each<[VolumeMode, VolumeMode, number]>([
  ['Filesystem', 'Filesystem', 1000 * MIB],
  ['Block', 'Block', 1000 * MIB],
  // 94 % of the file system, in whole MiB
  ['Filesystem', 'Block', 940 * MIB],
  ['Block', 'Filesystem', Math.ceil((1000 * MIB) / 0.94)],
])('the smallest target of a %s for a %s', (from, to, wanted) => {
  expect(smallestRequest(filled('1000Mi', from), asking('1', to), () => 0.06)).toBe(wanted);
});
