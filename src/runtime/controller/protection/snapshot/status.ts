/** Status of a snapshot, from its content and its VM. Pure. */
import type { snapshot } from '../../../../api';
import { keys } from '../../../../api/keys';
import { withConditions, type Verdict } from '../conditions';
import { guestCopyFailure } from '../guest-copy';
import { excludedDisks } from './content-of';
import { deadlineLeft } from './deadline';
import { indicationsOf, reported } from './indications';
import type { Observed } from './observed';
import { isLockedBy } from './source';

type Status = snapshot.VirtualMachineSnapshotStatus;

const DEADLINE_EXCEEDED = 'snapshot deadline exceeded';
const COPY_FAILED = 'guest copy failed';

const isDeadlineExceeded = ({ snapshot: object, content, now }: Observed): boolean =>
  (deadlineLeft(object, content, now) ?? 1) <= 0;

/** Whether the snapshot will never be taken. Its VM must not wait for it. */
export const isHopeless = (seen: Observed): boolean =>
  !seen.content?.status?.creationTime && (isDeadlineExceeded(seen) || copyFailure(seen) !== undefined);

const copyFailure = ({ content, guestCopy }: Observed): string | undefined =>
  content && guestCopyFailure(content, guestCopy);

/** The whole status. `problem`: cause for which the VM is not locked. */
export function statusOf(seen: Observed, problem?: string): Status {
  const { snapshot: object, content, vm, now } = seen;
  const before = object.status ?? {};
  const phase = phaseOf(seen);
  const { creationTime, error } = content?.status ?? {};
  const isReady = content?.status?.readyToUse === true;
  return {
    ...before,
    ...(vm && { sourceUID: before.sourceUID ?? vm.metadata.uid }),
    ...(content && { virtualMachineSnapshotContentName: content.metadata.name }),
    ...(creationTime && { creationTime }),
    error,
    readyToUse: isReady,
    phase,
    ...volumesOf(seen),
    ...indications(seen),
    conditions: withConditions(before.conditions, verdicts(seen, phase, isReady, problem), now),
  };
}

function phaseOf(seen: Observed): NonNullable<Status['phase']> {
  const { snapshot: object, content } = seen;
  if (object.metadata.deletionTimestamp) return 'Deleting';
  if (object.status?.phase === 'Succeeded' || content?.status?.creationTime) return 'Succeeded';
  return isHopeless(seen) ? 'Failed' : 'InProgress';
}

/** Facts about the guest are recorded before the content exists, and kept from then on. */
function indications(seen: Observed): Partial<Status> {
  const { snapshot: object, content, vm, vmi } = seen;
  const before = object.status?.indications ?? [];
  if (content) {
    const isLate = content.metadata.annotations?.[keys.quiesceFailed] !== undefined;
    return isLate && !before.includes('QuiesceTimeout') ? reported([...before, 'QuiesceTimeout']) : {};
  }
  if (!vm || !isLockedBy(vm, object.metadata.name)) return {};
  return reported(indicationsOf(vmi, excludedDisks(seen).size > 0));
}

function volumesOf({ content }: Observed): Partial<Status> {
  const vm = content?.spec.source.virtualMachine;
  if (!content || !vm) return {};
  const includedVolumes = (content.spec.volumeBackups ?? []).map(({ volumeName }) => volumeName);
  const all = (vm.spec?.template.spec?.volumes ?? []).map(({ name }) => name);
  const excludedVolumes = all.filter((name) => !includedVolumes.includes(name));
  return {
    snapshotVolumes: {
      ...(includedVolumes.length > 0 && { includedVolumes }),
      ...(excludedVolumes.length > 0 && { excludedVolumes }),
    },
  };
}

function verdicts(seen: Observed, phase: Status['phase'], isReady: boolean, problem: string | undefined): Verdict[] {
  const ready: Verdict = { type: 'Ready', isTrue: isReady, reason: isReady ? 'Ready' : 'Not ready' };
  return [progress(seen, phase, problem), ready, ...failure(seen, phase, problem)];
}

function progress({ snapshot: object, content, vm }: Observed, phase: Status['phase'], problem?: string): Verdict {
  const not = (reason: string, message?: string): Verdict => ({ type: 'Progressing', isTrue: false, reason, message });
  switch (phase) {
    case 'Succeeded':
      return not('Operation complete');
    case 'Failed':
      return not('Operation failed');
    case 'Deleting':
      return not('VM snapshot is deleting');
    default:
  }
  const error = content?.status?.error?.message;
  if (error) return not('In error state', error);
  if (!vm) {
    const { name } = object.spec.source;
    return not(
      'Source does not exist',
      `VirtualMachine "${name}" does not exist; create it, and the snapshot is taken`,
    );
  }
  if (problem) return not('Source not locked', problem);
  return { type: 'Progressing', isTrue: true, reason: 'Source locked and operation in progress' };
}

function failure(seen: Observed, phase: Status['phase'], problem?: string): Verdict[] {
  if (phase !== 'Failed') return [];
  const { content, vm } = seen;
  const cause = copyFailure(seen);
  if (cause !== undefined) {
    const message = `QEMU has not copied the disks of the guest: ${cause}; remove the cause and create a new snapshot`;
    return [{ type: 'Failure', isTrue: true, reason: COPY_FAILED, message }];
  }
  const last = content?.status?.error?.message ?? problem ?? (vm ? undefined : 'the VM does not exist');
  const message =
    `${DEADLINE_EXCEEDED}${last ? `: ${last}` : ''}; remove the cause and create a new snapshot, or one with a longer ` +
    'spec.failureDeadline';
  return [{ type: 'Failure', isTrue: true, reason: DEADLINE_EXCEEDED, message }];
}
