/** Decides what a snapshot needs. Pure. */
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { keys } from '../../../../api/keys';
import { create, finalizerPatch, normal, recheck, warning, type Action } from '../actions';
import type { Content, Snapshot, Vm } from '../types';
import { contentName, contentOf, excludedDisks } from './content-of';
import { attaching } from './guest-copy';
import { deadlineLeft } from './deadline';
import { isLockedBy, lockProblem } from './source';
import type { Observed } from './observed';
import { isHopeless, statusOf } from './status';

/** VMs are not watched by this controller. */
const SOURCE_RECHECK_MS = 1_000;
const MISSING_RECHECK_MS = 5_000;

type Status = NonNullable<Snapshot['status']>;

export function decide(seen: Observed): Action[] {
  const { snapshot, content, vm, now } = seen;
  if (snapshot.metadata.deletionTimestamp) return terminate(seen);
  const phase = snapshot.status?.phase;
  if (phase === 'Succeeded') return [...write(seen, statusOf(seen)), ...unlock(seen)];
  if (phase === 'Failed') return [...unlock(seen), ...dropContent(content)];
  if (isHopeless(seen)) return fail(seen);
  const protect = finalizerPatch(snapshot, keys.snapshotFinalizer, true);
  if (protect.length > 0) return protect;
  if (content?.status?.creationTime) return [...write(seen, statusOf(seen)), ...succeeded(snapshot), ...unlock(seen)];
  const deadline = deadlineLeft(snapshot, content, now);
  const waiting = deadline === undefined ? [] : [recheck(deadline)];
  if (!vm) return [...write(seen, statusOf(seen)), ...waiting, recheck(MISSING_RECHECK_MS)];
  if (content) return [...write(seen, statusOf(seen)), ...waiting];
  if (!isLockedBy(vm, snapshot.metadata.name)) return [...lock(seen, vm), ...waiting];
  const excluded = excludedDisks(seen);
  const made = normal(
    snapshot,
    'SuccessfulVirtualMachineSnapshotContentCreate',
    `Successfully created VirtualMachineSnapshotContent ${contentName(snapshot)}`,
  );
  return [
    // before the content: its controller reads there whether the guest is frozen
    ...write(seen, statusOf(seen)),
    ...[...excluded.values()].map((message) => warning(snapshot, 'VolumeExcluded', message)),
    create(contentOf(seen, vm)),
    made,
    ...waiting,
  ];
}

function lock(seen: Observed, vm: Vm): Action[] {
  const { snapshot } = seen;
  const problem = obstacleOf(seen, vm);
  if (problem) return [...write(seen, statusOf(seen, problem)), recheck(SOURCE_RECHECK_MS)];
  const { name = '', resourceVersion } = vm.metadata;
  if (vm.status?.snapshotInProgress !== snapshot.metadata.name) {
    const body = { metadata: { resourceVersion }, status: { snapshotInProgress: snapshot.metadata.name } };
    return [{ do: 'patch', kind: 'VirtualMachine', name, subresource: 'status', body }, recheck(0)];
  }
  return [...finalizerPatch(vm, keys.snapshotSourceFinalizer, true), recheck(0)];
}

/** Releases the VM: its finalizer first, because the status is the only record that it has one of this snapshot. */
function unlock({ snapshot, vm }: Observed): Action[] {
  if (!vm || vm.status?.snapshotInProgress !== snapshot.metadata.name) return [];
  const { name = '' } = vm.metadata;
  return [
    ...finalizerPatch(vm, keys.snapshotSourceFinalizer, false),
    {
      do: 'patch',
      kind: 'VirtualMachine',
      name,
      subresource: 'status',
      body: { status: { snapshotInProgress: null } },
    },
  ];
}

function fail(seen: Observed): Action[] {
  const { snapshot, content, vm } = seen;
  const status = statusOf(seen, vm ? lockCause(seen, vm) : undefined);
  const message = status.conditions?.find(({ type }) => type === 'Failure')?.message ?? '';
  return [
    ...write(seen, status),
    warning(snapshot, 'SnapshotFailed', message),
    ...unlock(seen),
    ...dropContent(content),
  ];
}

const lockCause = (seen: Observed, vm: Vm): string | undefined =>
  isLockedBy(vm, seen.snapshot.metadata.name) ? undefined : obstacleOf(seen, vm);

/** Cause for which the snapshot does not begin: one without any disk would look like a success. */
function obstacleOf(seen: Observed, vm: Vm): string | undefined {
  const problem = lockProblem(seen, vm);
  if (problem) return problem;
  const late = attaching(seen);
  if (late !== undefined) return `volume "${late}" is being attached to the guest; the snapshot begins after it`;
  const [first, ...others] = excludedDisks(seen).values();
  return first !== undefined && others.length + 1 === seen.volumes.size
    ? `no disk can be included: ${first}`
    : undefined;
}

function succeeded(snapshot: Snapshot): Action[] {
  const { name } = snapshot.metadata;
  return [normal(snapshot, 'SnapshotSucceeded', `VirtualMachineSnapshot ${name} was taken`)];
}

const dropContent = (content: Content | undefined): Action[] =>
  content && !content.metadata.deletionTimestamp
    ? [
        {
          do: 'delete',
          kind: 'VirtualMachineSnapshotContent',
          name: content.metadata.name ?? '',
          uid: content.metadata.uid,
        },
      ]
    : [];

/** Content that was not completed is always deleted. */
const isKept = ({ spec }: Snapshot, content: Content): boolean =>
  spec.deletionPolicy === 'Retain' && content.status?.readyToUse === true;

function terminate(seen: Observed): Action[] {
  const { snapshot, content } = seen;
  if (!snapshot.metadata.finalizers?.includes(keys.snapshotFinalizer)) return [];
  if (content && !isKept(snapshot, content)) {
    // the VM stays locked until the guest is thawed, which the content's controller does
    return [...write(seen, statusOf(seen)), ...dropContent(content), recheck(SOURCE_RECHECK_MS)];
  }
  return [...unlock(seen), ...finalizerPatch(snapshot, keys.snapshotFinalizer, false)];
}

function write({ snapshot }: Observed, status: Status): Action[] {
  if (semanticDeepEqual(snapshot.status ?? {}, status)) return [];
  const { name = '', resourceVersion } = snapshot.metadata;
  // null: a merge would keep the error
  const body = { metadata: { resourceVersion }, status: { ...status, error: status.error ?? null } };
  return [{ do: 'patch', kind: 'VirtualMachineSnapshot', name, subresource: 'status', body }];
}
