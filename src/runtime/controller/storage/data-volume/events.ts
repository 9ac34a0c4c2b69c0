/** Events of a DataVolume, with the reasons of CDI. Pure. */
import type { cdi } from '../../../../api';
import type { EventType } from '../../../kube';
import { contentKindOf, contents, type Content } from '../content';
import { STARTING } from '../population/pod-state';
import type { DataVolume } from './decide';

export interface Event {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

type Status = cdi.DataVolumeStatus;

/** Event for the change of a status; undefined if there is nothing new for the user. */
export function eventOf({ metadata, spec, status: before }: DataVolume, after: Status): Event | undefined {
  const { name } = metadata;
  const content: Content = contents[contentKindOf(spec) ?? 'VolumeImportSource'];
  const { phases, word, past } = content;
  const problem = conditionOf(after, 'Bound');
  if (!after.claimName && problem?.status === 'False' && problem.message !== conditionOf(before, 'Bound')?.message) {
    return { type: 'Warning', reason: problem.reason ?? '', message: problem.message ?? '' };
  }
  const running = conditionOf(after, 'Running');
  const isNew =
    running?.message !== conditionOf(before, 'Running')?.message ||
    (after.restartCount ?? 0) > (before?.restartCount ?? 0);
  if (isNew && isFailure(running)) {
    return { type: 'Warning', reason: running.reason ?? 'Error', message: running.message ?? '' };
  }
  if (before?.phase === after.phase) return undefined;
  const normal = (reason: string, message: string): Event => ({ type: 'Normal', reason, message });
  switch (after.phase) {
    case 'PendingPopulation':
      return normal('PendingPopulation', `PVC ${name} is filled when the first Pod that uses it is scheduled`);
    case phases.scheduled:
      return normal(phases.scheduled, `${word} into ${name} scheduled`);
    case phases.running:
      return normal(phases.running, `${word} into ${name} ${content.state ?? 'in progress'}`);
    case 'CSICloneInProgress':
      return normal('CSICloneInProgress', `The storage clones a volume for ${name}`);
    case 'SnapshotForSmartCloneInProgress':
      return normal('SnapshotForSmartCloneInProgress', `The storage restores a snapshot for ${name}`);
    case 'Succeeded':
      return normal(`${word}Succeeded`, `Successfully ${past} into PVC ${name}`);
    case 'Failed':
      return { type: 'Warning', reason: `${word}Failed`, message: `Failed to ${word.toLowerCase()} into PVC ${name}` };
    default:
      return undefined;
  }
}

/** Whether the condition is that of an importer that ended with an error, or cannot run. */
const isFailure = (running: cdi.DataVolumeCondition | undefined): running is cdi.DataVolumeCondition =>
  Boolean(running?.message) && running?.status === 'False' && !NO_FAILURE.includes(running.reason ?? '');

const NO_FAILURE = ['Completed', STARTING];

const conditionOf = (status: Status | undefined, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);
