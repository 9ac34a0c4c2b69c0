import { keys } from '../../../../../../src/api/keys';
import { sourceProblem, type SourceProblem } from '../../../../../../src/runtime/controller/protection/restore/sources';
import type { Claim, VolumeSnapshot } from '../../../../../../src/runtime/controller/protection/types';
import { claim, volumeSnapshot } from '../fixtures';

const lost = (reason: string, what: string): SourceProblem => ({
  reason,
  message: `${what}; the snapshot is lost, restore another one`,
  isLost: true,
});
const notReady = (reason: string, what: string): SourceProblem => ({
  reason,
  message: `${what}; the volume is restored when it is`,
  isLost: false,
});
const deleted = { metadata: { deletionTimestamp: 'now' } };

test.each<[string, VolumeSnapshot | undefined, SourceProblem | undefined]>([
  ['is ready', volumeSnapshot('vs'), undefined],
  ['does not exist', undefined, lost('VolumeSnapshotMissing', 'VolumeSnapshot "vs" does not exist')],
  [
    'is being deleted',
    volumeSnapshot('vs', deleted),
    lost('VolumeSnapshotMissing', 'VolumeSnapshot "vs" is being deleted'),
  ],
  [
    'is not ready',
    volumeSnapshot('vs', { status: { readyToUse: false } }),
    notReady('VolumeSnapshotNotReady', 'VolumeSnapshot "vs" is not ready to use'),
  ],
  [
    'is not ready for a cause',
    volumeSnapshot('vs', { status: { readyToUse: false, error: { message: 'pool offline' } } }),
    notReady('VolumeSnapshotNotReady', 'VolumeSnapshot "vs" is not ready to use (pool offline)'),
  ],
])('a VolumeSnapshot that %s', (_, taken, want) => {
  const backup = { volumeName: 'data', volumeSnapshotName: 'vs', persistentVolumeClaim: claim('data') };
  const volumeSnapshots = new Map(taken ? [['vs', taken]] : []);
  expect(sourceProblem({ volumeSnapshots, copies: new Map() }, backup)).toEqual(want);
});

const title = 'PersistentVolumeClaim "copy" with the copy of volume "data"';

test.each<[string, Claim | undefined, SourceProblem | undefined]>([
  ['is bound', claim('copy'), undefined],
  ['does not exist', undefined, lost('VolumeCopyMissing', `${title} does not exist`)],
  ['is being deleted', claim('copy', deleted), lost('VolumeCopyMissing', `${title} is being deleted`)],
  ['has lost its volume', claim('copy', { phase: 'Lost' }), lost('VolumeCopyMissing', `${title} has lost its volume`)],
  ['is not bound', claim('copy', { phase: 'Pending' }), notReady('VolumeCopyNotReady', `${title} is not bound`)],
])('a copy that %s', (_, copy, want) => {
  const annotations = { [keys.volumeCopy]: 'copy' };
  const backup = { volumeName: 'data', persistentVolumeClaim: claim('data', { metadata: { annotations } }) };
  const copies = new Map(copy ? [['copy', copy]] : []);
  expect(sourceProblem({ volumeSnapshots: new Map(), copies }, backup)).toEqual(want);
});
