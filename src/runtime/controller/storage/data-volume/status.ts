/** Status of a DataVolume, from its claim. Pure. */
import { keys } from '../../../../api/keys';
import type { cdi } from '../../../../api';
import { annotations } from '../population/annotations';
import { steps } from '../clone/decide';
import { timed } from '../conditions';
import { contents, type ContentKind } from '../content';
import type { StorageClaim } from '../types';

export interface Facts {
  readonly claim?: StorageClaim;
  /** Kind of its content. Default: an import. */
  readonly kind?: ContentKind;
  /** Whether the claim waits until a Pod of the user needs it. */
  readonly waitsForConsumer: boolean;
  /** Cause for which the claim cannot be created. */
  readonly problem?: { readonly reason: string; readonly message: string };
}

type Status = cdi.DataVolumeStatus;
type Condition = cdi.DataVolumeCondition;
type Phase = NonNullable<Status['phase']>;

/** Phase of a DataVolume. A provisioner may ignore `dataSourceRef` and bind an empty volume, so a bound claim is not enough. */
export function phaseOf(
  { claim, kind = 'VolumeImportSource', waitsForConsumer }: Facts,
  before?: Status['phase'],
): Phase {
  if (!claim) return 'Pending';
  if (claim.status?.phase === 'Lost') return 'Failed';
  const { [annotations.podPhase]: pod, [annotations.clonePhase]: step } = claim.metadata.annotations ?? {};
  const isFilled = pod === 'Succeeded' || before === 'Succeeded' || isRestored(claim);
  if (claim.status?.phase === 'Bound') return isFilled ? 'Succeeded' : 'PVCBound';
  if (kind === 'VolumeCloneSource' && step !== undefined) return STEPS[step] ?? 'Unknown';
  if (pod === undefined) return waitsForConsumer ? 'PendingPopulation' : 'Pending';
  const { scheduled, running } = contents[kind].phases;
  // a client may send its bytes when the server listens
  const isListening = claim.metadata.annotations?.[annotations.podReady] === 'true';
  if (kind === 'VolumeUploadSource' && pod === 'Running' && !isListening) return scheduled;
  if (pod === 'Pending' || pod === 'Failed') return scheduled;
  return pod === 'Running' || pod === 'Succeeded' ? running : 'Unknown';
}

/** Whether the storage restored the claim from a snapshot for its DataVolume. */
const isRestored = ({ metadata }: StorageClaim): boolean => metadata.annotations?.[keys.populatedFor] === metadata.name;

const STEPS: Readonly<Record<string, Phase>> = {
  [steps.waiting]: 'CloneScheduled',
  [steps['csi-clone']]: 'CSICloneInProgress',
  [steps.snapshot]: 'SnapshotForSmartCloneInProgress',
  [steps.copy]: 'CloneInProgress',
  [steps.prepare]: 'PrepClaimInProgress',
  [steps.rebind]: 'RebindInProgress',
};

/** The status; conditions keep their times while they do not change. */
export function statusOf(facts: Facts, before: Status = {}, now: number): Status {
  const { claim } = facts;
  const phase = phaseOf(facts, before.phase);
  const given = claim?.metadata.annotations ?? {};
  const progress = phase === 'Succeeded' ? '100.0%' : (given[annotations.progress] ?? 'N/A');
  const restartCount = Number(given[annotations.restarts] ?? before.restartCount ?? 0);
  const conditions = [boundOf(facts), readyOf(phase), runningOf(facts, phase)];
  return {
    ...(claim && { claimName: claim.metadata.name }),
    phase,
    progress,
    ...(restartCount > 0 && { restartCount }),
    conditions: conditions.map((condition) => timed(condition, before.conditions ?? [], now)),
  };
}

function boundOf({ claim, problem }: Facts): Condition {
  if (!claim) {
    const { reason = 'NotFound', message = 'No PVC found' } = problem ?? {};
    return { type: 'Bound', status: problem ? 'False' : 'Unknown', reason, message };
  }
  const phase = claim.status?.phase ?? 'Pending';
  const message = `PVC ${claim.metadata.name} ${phase}`;
  return { type: 'Bound', status: phase === 'Bound' ? 'True' : 'False', reason: phase, message };
}

function readyOf(phase: Phase): Condition {
  if (phase === 'Succeeded') return { type: 'Ready', status: 'True' };
  const isMoving = phase.endsWith('InProgress');
  return { type: 'Ready', status: 'False', ...(isMoving && { reason: 'TransferRunning' }) };
}

function runningOf({ claim, kind = 'VolumeImportSource' }: Facts, phase: Phase): Condition {
  const given = claim?.metadata.annotations ?? {};
  if (phase === 'Succeeded')
    return { type: 'Running', status: 'False', reason: 'Completed', message: `${contents[kind].word} Complete` };
  if (phase === 'PVCBound') return { type: 'Running', status: 'False', ...unfilled(claim) };
  const reason = given[annotations.runningReason];
  const message = given[annotations.runningMessage];
  return {
    type: 'Running',
    status: given[annotations.running] === 'true' ? 'True' : 'False',
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

const unfilled = (claim: StorageClaim | undefined) => ({
  reason: 'NotPopulated',
  message:
    `StorageClass "${claim?.spec.storageClassName}" bound PVC ${claim?.metadata.name} to a volume without the content of its ` +
    'dataSourceRef; delete the DataVolume, and use a class whose driver leaves such claims to volume populators',
});
