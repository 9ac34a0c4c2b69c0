import {
  BackupMode,
  MigrationCompression,
  MigrationPriority,
  SnapshotDeletionPolicy,
  TargetReadinessPolicy,
  VolumeNamePolicy,
  VolumeOwnershipPolicy,
  VolumeRestorePolicy,
} from '../../../../src';

// the words of KubeVirt's API
test.each([
  ['SnapshotDeletionPolicy', SnapshotDeletionPolicy, ['Delete', 'Retain']],
  [
    'TargetReadinessPolicy',
    TargetReadinessPolicy,
    ['StopTarget', 'WaitGracePeriod', 'FailImmediate', 'WaitEventually'],
  ],
  ['VolumeRestorePolicy', VolumeRestorePolicy, ['RandomizeNames', 'InPlace', 'PrefixTargetName']],
  ['VolumeOwnershipPolicy', VolumeOwnershipPolicy, ['Vm', 'None']],
  ['VolumeNamePolicy', VolumeNamePolicy, ['RandomizeNames', 'PrefixTargetName']],
  ['BackupMode', BackupMode, ['Push', 'Pull']],
  ['MigrationCompression', MigrationCompression, ['none', 'zstd']],
  ['MigrationPriority', MigrationPriority, ['system-critical', 'user-triggered', 'system-maintenance']],
])('%s has the words %j', (_, choice, want) => {
  expect(Object.values(choice).map((each) => (each as { value: string }).value)).toEqual(want);
  expect(choice.of('Later').value).toBe('Later');
});
