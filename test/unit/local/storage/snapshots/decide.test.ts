import type { PersistentVolume, PersistentVolumeClaim } from '../../../../../src/local/core-v1';
import { PROVISIONED_BY, PROVISIONER } from '../../../../../src/local/storage/decide';
import {
  AS_SOURCE,
  BOUND,
  CONTENT_BOUND,
  decideContent,
  decideSnapshot,
  restorable,
  restoringFrom,
  type Observed,
  type ObservedContent,
} from '../../../../../src/local/storage/snapshots/decide';
import type {
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from '../../../../../src/local/storage/snapshots/types';

const DEFAULT = { 'snapshot.storage.kubernetes.io/is-default-class': 'true' };
const leaving = { deletionTimestamp: '2026-01-02T00:00:00Z' };

const snapshotClass = (name: string, driver: string = PROVISIONER, annotations = {}): VolumeSnapshotClass =>
  ({ metadata: { name, annotations }, driver, deletionPolicy: 'Delete' }) as VolumeSnapshotClass;
const snapshot = (
  more: { metadata?: object; spec?: object; status?: VolumeSnapshot['status'] } = {},
): VolumeSnapshot => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: { name: 's', namespace: 'n', uid: 'uid', finalizers: [AS_SOURCE, BOUND], ...more.metadata },
  spec: { source: { persistentVolumeClaimName: 'c' }, ...more.spec },
  ...(more.status && { status: more.status }),
});
const content = (
  more: { metadata?: object; spec?: object; status?: VolumeSnapshotContent['status'] } = {},
): VolumeSnapshotContent => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotContent',
  metadata: { name: 'snapcontent-uid', uid: 'content-uid', finalizers: [CONTENT_BOUND], ...more.metadata },
  spec: {
    deletionPolicy: 'Delete',
    driver: PROVISIONER,
    source: { volumeHandle: 'pvc-1' },
    volumeSnapshotRef: { namespace: 'n', name: 's', uid: 'uid' },
    ...more.spec,
  },
  ...(more.status && { status: more.status }),
});
const taken = {
  snapshotHandle: 'snapshot-content-uid',
  readyToUse: true,
  restoreSize: 1 << 30,
  creationTime: 1_767_312_000_123_000_000,
};
const ready = {
  boundVolumeSnapshotContentName: 'snapcontent-uid',
  readyToUse: true,
  restoreSize: '1073741824',
  creationTime: '2026-01-02T00:00:00Z',
};
const claim = (phase = 'Bound'): PersistentVolumeClaim =>
  ({ metadata: { name: 'c' }, spec: { volumeName: 'pvc-1' }, status: { phase } }) as PersistentVolumeClaim;
const volume = (by: string = PROVISIONER): PersistentVolume =>
  ({ metadata: { name: 'pvc-1', annotations: { [PROVISIONED_BY]: by } } }) as unknown as PersistentVolume;
const classes = [snapshotClass('local', PROVISIONER, DEFAULT), snapshotClass('other', 'csi.example', DEFAULT)];

describe('a VolumeSnapshot', () => {
  const decided = (observed: Partial<Observed>) =>
    decideSnapshot({ snapshot: snapshot(), classes, claim: claim(), volume: volume(), ...observed });
  const fails = (message: RegExp) => ({ do: 'fail', message: expect.stringMatching(message) as string });

  test.each<[string, Partial<Observed>, object]>([
    [
      'of the default class gets a content',
      {},
      { do: 'createContent', content: { spec: { deletionPolicy: 'Delete' } } },
    ],
    [
      'is protected first',
      { snapshot: snapshot({ metadata: { finalizers: ['x'] } }) },
      { do: 'setFinalizers', finalizers: ['x', AS_SOURCE, BOUND] },
    ],
    [
      'of a class of another driver stays unchanged',
      { snapshot: snapshot({ spec: { volumeSnapshotClassName: 'other' } }) },
      { do: 'nothing' },
    ],
    [
      'of an unknown class reports the known ones',
      { snapshot: snapshot({ spec: { volumeSnapshotClassName: 'x' } }) },
      fails(/"x" does not exist \(this cluster has: "local", "other"\)/),
    ],
    [
      'without a default class reports it',
      { classes: [snapshotClass('a')] },
      fails(/set spec.volumeSnapshotClassName/),
    ],
    ['of a missing claim reports it', { claim: undefined }, fails(/Claim "c" does not exist/)],
    ['of a claim that is not bound reports it', { claim: claim('Pending') }, fails(/"c" is not bound/)],
    ['of a volume of another driver reports it', { volume: volume('csi.example') }, fails(/another driver/)],
    [
      'whose content is being taken reports that',
      { content: content() },
      { do: 'setStatus', status: { boundVolumeSnapshotContentName: 'snapcontent-uid', readyToUse: false } },
    ],
    ['whose content is taken is ready', { content: content({ status: taken }) }, { do: 'setStatus', status: ready }],
    [
      'that is ready stays as it is',
      { snapshot: snapshot({ status: ready }), content: content({ status: taken }) },
      { do: 'nothing' },
    ],
    [
      'whose content belongs to another one reports it',
      { content: content({ spec: { volumeSnapshotRef: { namespace: 'n', name: 's', uid: 'old' } } }) },
      fails(/belongs to another/),
    ],
    [
      'of a content of an administrator is bound to it',
      {
        snapshot: snapshot({ spec: { source: { volumeSnapshotContentName: 'given' } } }),
        content: content({ metadata: { name: 'given' }, spec: { volumeSnapshotRef: { namespace: 'n', name: 's' } } }),
      },
      { do: 'setStatus', status: { boundVolumeSnapshotContentName: 'given' } },
    ],
    [
      'whose content was lost reports it, and takes no other',
      { snapshot: snapshot({ status: ready }) },
      fails(/is missing; the snapshot is lost/),
    ],
    [
      'that is deleted deletes its content',
      { snapshot: snapshot({ metadata: leaving }), content: content() },
      { do: 'deleteContent' },
    ],
    [
      'that is deleted waits for its content',
      { snapshot: snapshot({ metadata: leaving }), content: content({ metadata: leaving }) },
      { do: 'nothing' },
    ],
    [
      'that is deleted waits for a claim that is restored from it',
      { snapshot: snapshot({ metadata: leaving }), content: content(), restoring: 'data' },
      { do: 'wait', message: expect.stringMatching(/^PersistentVolumeClaim "data" has this snapshot as its source/) },
    ],
    [
      'that is deleted without data waits for no claim',
      { snapshot: snapshot({ metadata: leaving }), restoring: 'data' },
      { do: 'setFinalizers', finalizers: [] },
    ],
    [
      'that is deleted keeps the finalizers of others',
      { snapshot: snapshot({ metadata: { ...leaving, finalizers: ['x', AS_SOURCE] } }) },
      { do: 'setFinalizers', finalizers: ['x'] },
    ],
    [
      'that is deleted ends without one',
      { snapshot: snapshot({ metadata: leaving }) },
      { do: 'setFinalizers', finalizers: [] },
    ],
    [
      'that is deleted leaves a retained content',
      { snapshot: snapshot({ metadata: leaving }), content: content({ spec: { deletionPolicy: 'Retain' } }) },
      { do: 'setFinalizers', finalizers: [] },
    ],
  ])('%s', (_, observed, wanted) => expect(decided(observed)).toMatchObject(wanted));
});

describe('a VolumeSnapshotContent', () => {
  const fails = (message: RegExp) => ({ do: 'fail', message: expect.stringMatching(message) as string });
  test.each<[string, VolumeSnapshotContent, VolumeSnapshot | undefined, object, Partial<ObservedContent>?]>([
    [
      'is taken when the Pod that uses the volume has ended',
      content(),
      snapshot(),
      {
        do: 'fail',
        message: expect.stringMatching(/^volume "pvc-1" is in use by Pod "launcher".*; stop the VM or the Pod/),
        retryMs: 2000,
      },
      { user: 'launcher' },
    ],
    [
      'that is deleted waits for a claim that is restored from it',
      content({ metadata: leaving, status: taken }),
      snapshot({ metadata: leaving }),
      { do: 'nothing' },
      { restoring: 'data' },
    ],
    ['is taken', content(), snapshot(), { do: 'take', volume: 'pvc-1', handle: 'snapshot-content-uid' }],
    ['of another driver stays unchanged', content({ spec: { driver: 'csi.example' } }), snapshot(), { do: 'nothing' }],
    ['is protected first', content({ metadata: { finalizers: [] } }), snapshot(), { do: 'protect' }],
    ['that is taken stays as it is', content({ status: taken }), snapshot(), { do: 'nothing' }],
    [
      'with a handle uses those data',
      content({ spec: { source: { snapshotHandle: 'snapshot-old' } } }),
      undefined,
      { do: 'adopt', handle: 'snapshot-old' },
    ],
    [
      'with the handle of a volume is refused',
      content({ spec: { source: { snapshotHandle: 'pvc-1' } } }),
      undefined,
      fails(/snapshotHandle "pvc-1" is not/),
    ],
    [
      'with a path as its volume is refused',
      content({ spec: { source: { volumeHandle: 'pvc-1/../../etc' } } }),
      undefined,
      fails(/volumeHandle "pvc-1/),
    ],
    ['that is deleted waits for its snapshot', content({ metadata: leaving }), snapshot(), { do: 'nothing' }],
    [
      'that is deleted with its snapshot removes the data',
      content({ metadata: leaving, status: taken }),
      snapshot({ metadata: leaving }),
      { do: 'discard', handle: 'snapshot-content-uid' },
    ],
    [
      'that is deleted before it is reported removes the data',
      content({ metadata: leaving }),
      undefined,
      { do: 'discard', handle: 'snapshot-content-uid' },
    ],
    [
      'that is deleted keeps retained data',
      content({ metadata: leaving, status: taken, spec: { deletionPolicy: 'Retain' } }),
      undefined,
      { do: 'discard' },
    ],
    [
      'that is deleted never removes a path',
      content({ metadata: leaving, spec: { source: { snapshotHandle: '../pvc-1' } } }),
      undefined,
      { do: 'discard' },
    ],
  ])('%s', (_, subject, owner, wanted, more = {}) => {
    const action = decideContent({ content: subject, owner, ...more });
    expect(action).toMatchObject(wanted);
    if (action.do === 'discard') expect(action.handle).toBe((wanted as { handle?: string }).handle);
  });
});

test.each<[string, VolumeSnapshot | undefined, VolumeSnapshotContent | undefined, object]>([
  ['is missing', undefined, undefined, { problem: 'does not exist' }],
  ['is not ready', snapshot(), content(), { problem: 'is not ready' }],
  [
    'failed',
    snapshot({ status: { readyToUse: false, error: { message: 'no class' } } }),
    undefined,
    { problem: 'is not ready: no class' },
  ],
  [
    'names the content of another snapshot',
    snapshot({ status: ready }),
    content({ status: taken, spec: { volumeSnapshotRef: { namespace: 'other', name: 's' } } }),
    { problem: 'is not ready' },
  ],
  [
    'belongs to another driver',
    snapshot({ status: ready }),
    content({ status: taken, spec: { driver: 'csi.example' } }),
    { problem: 'belongs to the driver csi.example' },
  ],
  [
    'is ready',
    snapshot({ status: ready }),
    content({ status: taken, spec: { sourceVolumeMode: 'Block' } }),
    { handle: 'snapshot-content-uid', bytes: 1 << 30, volumeMode: 'Block' },
  ],
])('a claim of a snapshot that %s', (_, of, its, wanted) => expect(restorable(of, its)).toMatchObject(wanted));

test('a snapshot is restored by a claim that names it and has no volume', () => {
  const restored = (spec: object): PersistentVolumeClaim => ({
    ...claim('Pending'),
    metadata: { name: 'data', namespace: 'n' },
    spec: { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }, ...spec },
  });
  expect(restoringFrom(snapshot(), [claim(), restored({})])).toBe('data');
  expect(restoringFrom(snapshot(), [claim(), restored({ volumeName: 'pvc-2' })])).toBeUndefined();
});
