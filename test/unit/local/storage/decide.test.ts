import {
  CLONING,
  decide,
  isCloning,
  isUnfilled,
  PROVISIONED_BY,
  PROVISIONER,
  SELECTED_NODE,
} from '../../../../src/local/storage/decide';
import type { Observed } from '../../../../src/local/storage/decide';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../../../src/local/core-v1';

const storageClass = (name: string, more: Partial<StorageClass> = {}): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: PROVISIONER,
  ...more,
});
const late = storageClass('local', {
  volumeBindingMode: 'WaitForFirstConsumer',
  metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
});
const now = storageClass('now');
const claim = (
  spec: PersistentVolumeClaim['spec'] = {},
  more: Partial<PersistentVolumeClaim> = {},
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', namespace: 'ns', uid: 'u' },
  spec: {
    storageClassName: 'local',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
  ...more,
});
const volume = (name: string, storage: string, spec: PersistentVolume['spec'] = {}): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: { capacity: { storage }, accessModes: ['ReadWriteOnce', 'ReadWriteMany'], storageClassName: '', ...spec },
});
const selected = { metadata: { name: 'c', namespace: 'ns', uid: 'u', annotations: { [SELECTED_NODE]: 'n' } } };
const seen = (subject: PersistentVolumeClaim, volumes: PersistentVolume[] = []): Observed => ({
  claim: subject,
  classes: [late, now],
  volumes,
  nodes: ['n'],
});
const restore = (storage: string): PersistentVolumeClaim =>
  claim({
    storageClassName: 'now',
    resources: { requests: { storage } },
    dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
  });
const source: PersistentVolumeClaim = {
  ...claim({ volumeName: 'v', volumeMode: 'Block' }, { status: { phase: 'Bound' } }),
  metadata: { name: 'source', namespace: 'ns' },
};
const original: PersistentVolume = {
  ...volume('v', '1Gi', { volumeMode: 'Block', claimRef: { namespace: 'ns', name: 'source' } }),
  metadata: { name: 'v', annotations: { [PROVISIONED_BY]: PROVISIONER } },
};
const clone = (
  spec: PersistentVolumeClaim['spec'] = {},
  more: Partial<PersistentVolumeClaim> = {},
): PersistentVolumeClaim =>
  claim(
    {
      storageClassName: 'now',
      volumeMode: 'Block',
      dataSource: { kind: 'PersistentVolumeClaim', name: 'source' },
      ...spec,
    },
    more,
  );
const ours = { claimRef: { namespace: 'ns', name: 'c', uid: 'u' } };
const bound = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } };

test.each<[string, Observed, object]>([
  [
    'a claim without a class gets the default one',
    seen(claim({ storageClassName: undefined })),
    { do: 'setClass', storageClass: 'local' },
  ],
  ['a late class waits for a Pod', seen(claim()), { do: 'wait', reason: 'WaitForFirstConsumer' }],
  ['with a node it is made', seen(claim({}, selected)), { do: 'provision' }],
  ['an immediate class is made at once', seen(claim({ storageClassName: 'now' })), { do: 'provision' }],
  [
    'an unknown class is reported with the known ones',
    seen(claim({ storageClassName: 'x' })),
    {
      do: 'wait',
      reason: 'ProvisioningFailed',
      message: 'storageclass.storage.k8s.io "x" not found (this cluster has: "local", "now")',
    },
  ],
  [
    'the smallest volume that suffices is taken',
    seen(claim({ storageClassName: '' }), [volume('small', '1Mi'), volume('large', '9Gi'), volume('fits', '2Gi')]),
    { do: 'bind', volume: { metadata: { name: 'fits' } } },
  ],
  [
    'a volume without the access mode is not',
    seen(claim({ storageClassName: '', accessModes: ['ReadOnlyMany'] }), [volume('v', '2Gi')]),
    { do: 'wait', reason: 'FailedBinding' },
  ],
  [
    'a volume of another mode is not',
    seen(claim({ storageClassName: '', volumeMode: 'Block' }), [volume('v', '2Gi')]),
    { do: 'wait' },
  ],
  [
    'a volume that is kept for the claim is',
    seen(claim({ storageClassName: '' }), [volume('v', '2Gi', { claimRef: { namespace: 'ns', name: 'c' } })]),
    { do: 'bind' },
  ],
  [
    "another claim's volume is rejected",
    seen(claim({ volumeName: 'v' }), [volume('v', '2Gi', { claimRef: { namespace: 'ns', name: 'd' } })]),
    { do: 'wait', reason: 'FailedBinding' },
  ],
  [
    'a half-finished binding is completed',
    seen(claim(), [volume('pvc-u', '1Gi', { claimRef: { namespace: 'ns', name: 'c', uid: 'u' } })]),
    { do: 'bind' },
  ],
  [
    'a bound claim is not changed',
    seen(claim({ volumeName: 'v' }, bound), [volume('v', '1Gi', ours)]),
    { do: 'nothing' },
  ],
  [
    'one that grew is expanded',
    seen(claim({ volumeName: 'v', resources: { requests: { storage: '2Gi' } } }, bound), [volume('v', '1Gi', ours)]),
    { do: 'expand', bytes: 2 ** 31 },
  ],
  ['one whose volume is gone is lost', seen(claim({ volumeName: 'v' }, bound)), { do: 'lose' }],
  [
    'a lost one whose volume is there again is bound to it',
    seen(claim({ volumeName: 'v' }, { status: { phase: 'Lost' } }), [volume('v', '1Gi', ours)]),
    { do: 'bind' },
  ],
  [
    'a lost one without its volume stays lost',
    seen(claim({ volumeName: 'v' }, { status: { phase: 'Lost' } })),
    { do: 'nothing' },
  ],
  [
    'one whose volume was given to another claim is lost',
    seen(claim({ volumeName: 'v' }, bound), [volume('v', '1Gi', { claimRef: { ...ours.claimRef, name: 'target' } })]),
    { do: 'lose' },
  ],
  [
    'a claim that a populator fills waits for it',
    seen(
      claim({
        storageClassName: 'now',
        dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeImportSource', name: 's' },
      }),
    ),
    { do: 'wait', reason: 'ExternalProvisioning' },
  ],
  [
    'a snapshot is copied',
    { ...seen(restore('2Gi')), restored: { handle: 'snapshot-1', bytes: 2 ** 31, volumeMode: 'Filesystem' } },
    { do: 'provision', copyOf: 'snapshot-1' },
  ],
  [
    'a snapshot that is larger than the claim is not copied',
    { ...seen(restore('2Gi')), restored: { handle: 'snapshot-1', bytes: 2 ** 31 + 1, volumeMode: 'Filesystem' } },
    {
      do: 'wait',
      reason: 'ProvisioningFailed',
      message: expect.stringMatching(/has 2147483649, .*request at least 2147483649/),
    },
  ],
  [
    'a snapshot of another volume mode is not copied',
    { ...seen(restore('2Gi')), restored: { handle: 'snapshot-1', bytes: 2 ** 31, volumeMode: 'Block' } },
    { do: 'wait', reason: 'ProvisioningFailed', message: expect.stringMatching(/another volumeMode than Filesystem/) },
  ],
  [
    'a snapshot that is not ready is waited for',
    { ...seen(restore('2Gi')), restored: { problem: 'is not ready', remedy: 'wait' } },
    { do: 'wait', reason: 'ProvisioningFailed', message: expect.stringMatching(/"s" is not ready; wait/) },
  ],
  ['a claim is cloned', { ...seen(clone(), [original]), source }, { do: 'provision', copyOf: 'v' }],
  [
    'a claim that a Pod uses is cloned when the Pod has ended',
    { ...seen(clone(), [original]), source, sourceUser: 'launcher' },
    {
      do: 'wait',
      reason: 'ProvisioningFailed',
      message: expect.stringMatching(/"source" is in use by Pod "launcher".*; stop the VM or the Pod that uses it; /),
      warn: true,
      retryMs: 2000,
    },
  ],
  [
    'a claim that a Pod uses and that is too large reports its size',
    { ...seen(clone({ resources: { requests: { storage: '1Mi' } } }), [original]), source, sourceUser: 'launcher' },
    { do: 'wait', message: expect.stringMatching(/request at least 1Gi/) },
  ],
  [
    'a data source is rejected with a remedy',
    seen(claim({ storageClassName: 'now', dataSource: { kind: 'VolumeSnapshot', name: 's' } })),
    { do: 'wait', reason: 'ProvisioningFailed' },
  ],
  [
    'a deleted claim is released after the last clone',
    seen(
      claim({}, { metadata: { name: 'c', namespace: 'ns', uid: 'u', deletionTimestamp: 'x', finalizers: [CLONING] } }),
    ),
    { do: 'release' },
  ],
  [
    'a deleted claim that others keep is left to them',
    seen(
      claim(
        {},
        { metadata: { name: 'c', namespace: 'ns', uid: 'u', deletionTimestamp: 'x', finalizers: ['example.com/x'] } },
      ),
    ),
    { do: 'nothing' },
  ],
])('%s', (_, observed, want) => expect(decide(observed)).toMatchObject(want));

test.each<[string, PersistentVolumeClaim, boolean]>([
  ['of an immediate class', clone(), true],
  ['of a late class whose Pod has a node', clone({ storageClassName: 'local' }, selected), true],
  ['of a late class without a Pod', clone({ storageClassName: 'local' }), false],
  ['of an unknown class', clone({ storageClassName: 'x' }), false],
  ['that has its volume', clone({ volumeName: 'copy' }), false],
  ['that is deleted', clone({}, { metadata: { ...selected.metadata, deletionTimestamp: 'x' } }), false],
  ['of another namespace', clone({}, { metadata: { name: 'c', namespace: 'other' } }), false],
  ['of another source', clone({ dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } }), false],
  ['of a snapshot of the same name', clone({ dataSource: { kind: 'VolumeSnapshot', name: 'source' } }), false],
])('a claim %s needs its source: %#', (_, subject, expected) =>
  expect(isCloning(subject, source, [late, now])).toBe(expected),
);

test('a claim needs the source of its dataSourceRef, in the group that it names', () => {
  const snapshot = { kind: 'VolumeSnapshot', namespace: 'ns', name: 's' };
  const restored = restore('1Gi');
  const { dataSource, ...spec } = restored.spec!;
  for (const subject of [restored, { ...restored, spec: { ...spec, dataSourceRef: dataSource } }]) {
    expect(isUnfilled(subject, { ...snapshot, apiGroup: 'snapshot.storage.k8s.io' })).toBe(true);
    expect(isUnfilled(subject, snapshot)).toBe(false);
  }
});
