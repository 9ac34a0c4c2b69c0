import { backupProgress } from '../../../../../src/runtime/handler/instance/backup-status';
import type { BackupState } from '../../../../../src/runtime/protocol';

const START = '2026-01-02T03:04:05Z';
const tracking = (more: object = {}) =>
  ({ state: 'Enabled', backupStatus: { backupName: 'monday', startTimestamp: START, ...more } }) as const;
const report = (more: Partial<BackupState> = {}) => ({
  status: 'Running' as const,
  reason: 'Unknown' as const,
  backup: {
    name: 'monday',
    // as it is after its way through the report
    startedAt: '2026-01-02T03:04:05.000Z',
    volume: 'v',
    checkpoint: 'cp',
    volumes: ['data'],
    quiesced: 'Succeeded' as const,
    ...more,
  },
});

test.each<[string, Partial<BackupState>, object]>([
  ['in progress', {}, { checkpointName: 'cp', quiesceStatus: 'Succeeded', volumes: [{ volumeName: 'data' }] }],
  ['complete', { endedAt: 'b' }, { completed: true, failed: false, endTimestamp: 'b' }],
  [
    'complete with a warning',
    { endedAt: 'b', warning: 'no agent' },
    { completed: true, failed: false, backupMsg: 'no agent' },
  ],
  [
    'failed',
    { endedAt: 'b', failure: 'full', warning: 'no agent' },
    { completed: true, failed: true, backupMsg: 'full' },
  ],
])('a backup that is %s is reported', (_, more, want) => {
  expect(backupProgress(tracking(), report(more))!.backupStatus).toMatchObject(want);
});

test('other backups, and one that has ended, stay as they are', () => {
  const before = tracking();
  expect(backupProgress(before, report({ name: 'other' }))).toBe(before);
  expect(backupProgress(before, report({ startedAt: '2026-01-01T00:00:00.000Z' }))).toBe(before);
  expect(backupProgress(before, undefined)).toBe(before);
  expect(backupProgress(undefined, report())).toBeUndefined();
  const done = tracking({ completed: true });
  expect(backupProgress(done, report())).toBe(done);
});
