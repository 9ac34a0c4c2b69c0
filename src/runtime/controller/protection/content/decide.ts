/** Decides what the content of a snapshot needs: VolumeSnapshots or copies of all volumes, while the guest is frozen. Pure. */
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { keys } from '../../../../api/keys';
import type { snapshot } from '../../../../api';
import { isoTime } from '../../instance/phase';
import { create, finalizerPatch, normal, recheck, warning, type Action } from '../actions';
import { copyOf, type Claim, type Content, type Snapshot, type VolumeBackup, type VolumeSnapshot } from '../types';
import type { Backup } from '../backup/observed';
import { guestCopiesOf, guestCopyName, guestCopyProblem, isCopied, messageOf } from '../guest-copy';
import { copyClaim, copySource, guestCopy as guestCopyOf, guestCopyClaim, volumeSnapshot } from './objects';

export interface Observed {
  readonly content: Content;
  /** Snapshot that the content belongs to. */
  readonly snapshot?: Snapshot;
  /** VolumeSnapshots by name. */
  readonly volumeSnapshots: ReadonlyMap<string, VolumeSnapshot>;
  /** Claims with copies, by name. */
  readonly copies: ReadonlyMap<string, Claim>;
  /** Backup in which QEMU copies the disks of the running guest. */
  readonly guestCopy?: Backup;
  /** VolumeSnapshotClass of each volume, by the volume's name. */
  readonly classes: ReadonlyMap<string, string>;
  /** Restores and claims that need the data of a content that is being deleted. */
  readonly dependents?: readonly string[];
  readonly now: number;
}

type Status = NonNullable<Content['status']>;
type VolumeStatus = snapshot.VolumeSnapshotStatus;

/** Time for which a guest stays frozen at most. Its services wait for their disks meanwhile. */
export const FREEZE_LIMIT = '1m';
const FREEZE_LIMIT_MS = 60_000;
/** VolumeSnapshots are not watched: clusters without snapshots lack the kind. */
const RECHECK_MS = 1_000;
/** Only claims of restores are watched. */
const DEPENDENTS_RECHECK_MS = 5_000;
const MOST_CHARACTERS = 1000;
const FIRST_RECHECK_MS = 10;

export function decide(seen: Observed): Action[] {
  const { content, snapshot: owner, now } = seen;
  const { metadata, status } = content;
  if (metadata.deletionTimestamp) {
    return [...thaw(seen), ...(keptFor(seen) ?? finalizerPatch(content, keys.snapshotContentFinalizer, false))];
  }
  if (!owner || owner.metadata.deletionTimestamp || owner.status?.phase === 'Failed') return thaw(seen);
  if (status?.creationTime && status.readyToUse) return dropGuestCopy(seen);
  if (!status?.creationTime) {
    if (mustFreeze(seen)) return [{ do: 'freeze', vm: vmName(content), limit: FREEZE_LIMIT }, recheck(0)];
    const missing = missingObjects(seen);
    if (missing.length > 0) return [...missing, recheck(0)];
  }
  const volumes = (content.spec.volumeBackups ?? []).map((backup) => volumeStatus(seen, backup));
  const isTaken = volumes.every(({ creationTime }) => creationTime !== undefined);
  const isReady = isTaken && volumes.every(({ readyToUse }) => readyToUse === true);
  const isNews = isTaken && !status?.creationTime;
  const message = errorOf(seen, volumes);
  const next: Status = {
    ...status,
    ...(isNews && { creationTime: isoTime(now) }),
    readyToUse: isReady,
    volumeSnapshotStatus: volumes,
    error: message === undefined ? undefined : sameError(status?.error, message, now),
  };
  const late = isNews ? [...tooLate(seen), ...notFrozen(seen)] : [];
  // the record first: the write of the status needs the version that it returns
  if (late.length > 0) return [...thaw(seen), ...late, recheck(0)];
  return [
    ...(isNews ? thaw(seen) : []),
    ...write(content, next),
    ...(message !== undefined && message !== status?.error?.message
      ? [warning(owner, 'VolumeSnapshotFailed', message)]
      : []),
    ...(isReady ? [] : [recheck(isFrozen(seen) && !isNews ? frozenRecheck(seen) : RECHECK_MS)]),
  ];
}

/** Actions while restored claims still get their data from the VolumeSnapshots or copies; undefined when they have it. */
function keptFor({ content, snapshot: owner, dependents = [], now }: Observed): Action[] | undefined {
  if (dependents.length === 0) return undefined;
  const message = `the data is deleted when nothing needs it: ${dependents.join(', ')}`.slice(0, MOST_CHARACTERS);
  const before = content.status?.error;
  return [
    ...write(content, { ...content.status, error: sameError(before, message, now) }),
    ...(owner && before?.message !== message ? [warning(owner, 'SnapshotInUse', message)] : []),
    recheck(DEPENDENTS_RECHECK_MS),
  ];
}

/** The guest stays frozen at most a tenth longer than its storage needs, and a slow storage is not asked often. */
function frozenRecheck({ content, now }: Observed): number {
  const frozenMs = now - Date.parse(given(content)[keys.frozenAt] ?? '');
  return Math.min(Math.max(Math.round(frozenMs / 10), FIRST_RECHECK_MS), RECHECK_MS);
}

const vmName = ({ spec }: Content): string => spec.source.virtualMachine?.metadata?.name ?? '';
const given = ({ metadata }: Content): Readonly<Record<string, string>> => metadata.annotations ?? {};

/** The launcher freezes the guest for a copy of its disks itself. */
const mustFreeze = ({ content }: Observed): boolean =>
  given(content)[keys.freezesGuest] !== undefined &&
  guestCopiesOf(content).length === 0 &&
  given(content)[keys.frozenAt] === undefined &&
  given(content)[keys.quiesceFailed] === undefined;

/** Whether this snapshot has frozen the guest, which may be over. */
const isFrozen = ({ content }: Observed): boolean =>
  given(content)[keys.frozenAt] !== undefined && !content.status?.creationTime;

/** Also after a freeze whose answer was lost. */
function thaw(seen: Observed): Action[] {
  const { content, snapshot: owner } = seen;
  const mayBeFrozen = isFrozen(seen) || (mustFreeze(seen) && owner?.metadata.deletionTimestamp !== undefined);
  return mayBeFrozen ? [{ do: 'unfreeze', vm: vmName(content) }] : [];
}

/** Records that the launcher has thawed the guest before all volumes were taken. */
function tooLate(seen: Observed): Action[] {
  const { content, now } = seen;
  const { [keys.frozenAt]: frozenAt, [keys.quiesceFailed]: known } = given(content);
  if (frozenAt === undefined || known !== undefined || now - Date.parse(frozenAt) < FREEZE_LIMIT_MS) return [];
  return quiesceFailed(seen, `the storage took its snapshots only after ${FREEZE_LIMIT}, when the guest was thawed`);
}

/** Records that the launcher could not freeze the guest for a copy of its disks. */
function notFrozen(seen: Observed): Action[] {
  const { content, guestCopy: taken } = seen;
  const quiesced = taken?.status?.conditions?.find(({ type }) => type === 'Quiesced');
  if (quiesced?.reason !== 'QuiesceFailed' || given(content)[keys.quiesceFailed] !== undefined) return [];
  return quiesceFailed(seen, messageOf(taken!, 'Complete') ?? 'the launcher could not freeze it');
}

/** Actions after the guest could not be frozen: the snapshot is taken without a freeze, and reports this. */
export function quiesceFailed({ content, snapshot: owner }: Observed, cause: string): Action[] {
  const message =
    `the file systems of the guest were not frozen for the whole snapshot: ${cause}; the snapshot is only crash-consistent. ` +
    'Check the guest agent, or stop the VM before its next snapshot';
  return [
    ...(owner ? [warning(owner, 'QuiesceFailed', message)] : []),
    annotate(content, { [keys.quiesceFailed]: message.slice(0, 1000) }),
  ];
}

export const frozen = ({ content, now }: Observed): Action =>
  annotate(content, { [keys.frozenAt]: new Date(now).toISOString() });

const annotate = ({ metadata }: Content, annotations: Readonly<Record<string, string>>): Action => ({
  do: 'patch',
  kind: 'VirtualMachineSnapshotContent',
  name: metadata.name ?? '',
  body: { metadata: { annotations } },
});

function missingObjects(seen: Observed): Action[] {
  const { content, snapshot: owner, volumeSnapshots, copies, classes, guestCopy: taken } = seen;
  const ofGuest = guestCopiesOf(content);
  const first = ofGuest.length > 0 && !taken ? beginGuestCopy(content) : [];
  const others = (content.spec.volumeBackups ?? []).flatMap((backup) => {
    const { volumeSnapshotName: name, volumeName } = backup;
    const copy = copyOf(backup);
    if (copy !== undefined) {
      const isOfGuest = ofGuest.includes(volumeName);
      if (copies.has(copy) || (isOfGuest && !isCopied(content, taken))) return [];
      const source = copySource(content, backup, copy, isOfGuest ? taken : undefined);
      return [create(source), create(copyClaim(content, backup, copy))];
    }
    if (name === undefined || volumeSnapshots.has(name)) return [];
    const made = `Successfully created VolumeSnapshot ${name}`;
    return [
      create(volumeSnapshot(content, backup, name, classes.get(volumeName))),
      ...(owner ? [normal(owner, 'SuccessfulVolumeSnapshotCreate', made)] : []),
    ];
  });
  return [...first, ...others];
}

/** The claim first: the backup is the record of both. */
function beginGuestCopy(content: Content): Action[] {
  const bytes = Number(given(content)[keys.guestCopyBytes]);
  const freezes = given(content)[keys.freezesGuest] !== undefined;
  return [create(guestCopyClaim(content, bytes)), create(guestCopyOf(content, freezes))];
}

/** Removes the images when each disk has a claim of its own. The backup last, which is the record of both. */
function dropGuestCopy({ content, guestCopy: taken }: Observed): Action[] {
  if (!taken) return [];
  const name = guestCopyName(content);
  return [
    { do: 'delete', kind: 'PersistentVolumeClaim', name },
    { do: 'delete', kind: 'VirtualMachineBackup', name },
  ];
}

function volumeStatus(
  { content, volumeSnapshots, copies, guestCopy: taken, now }: Observed,
  backup: VolumeBackup,
): VolumeStatus {
  const copy = copyOf(backup);
  if (copy !== undefined) {
    const claim = copies.get(copy);
    const isBound = claim?.status?.phase === 'Bound';
    const isOfGuest = guestCopiesOf(content).includes(backup.volumeName);
    const isTaken = isBound || (claim !== undefined && isOfGuest && isCopied(content, taken));
    const problem = isBound ? undefined : problemOf(claim);
    return {
      volumeSnapshotName: copy,
      readyToUse: isBound,
      ...(isTaken && { creationTime: isoTime(now) }),
      ...(problem !== undefined && { error: { message: problem } }),
    };
  }
  const name = backup.volumeSnapshotName ?? '';
  const { readyToUse, creationTime, error } = volumeSnapshots.get(name)?.status ?? {};
  return {
    volumeSnapshotName: name,
    readyToUse: readyToUse === true,
    ...(creationTime !== undefined && { creationTime }),
    ...(error && { error: { message: error.message, ...(error.time && { time: error.time }) } }),
  };
}

/** Cause for which the populator does not fill a claim now. */
function problemOf(claim: Claim | undefined): string | undefined {
  const given = claim?.metadata.annotations ?? {};
  const { [keys.runningReason]: reason, [keys.runningMessage]: message } = given;
  // the last step of a copy that is complete is to hand over its volume
  const isDone = reason === 'Completed' || given[keys.podPhase] === 'Succeeded';
  return given[keys.runningCondition] === 'false' && message && !isDone ? message : undefined;
}

function errorOf(seen: Observed, volumes: readonly VolumeStatus[]): string | undefined {
  const { content, volumeSnapshots } = seen;
  const problem = content.status?.creationTime ? undefined : guestCopyProblem(content, seen.guestCopy, seen.now);
  if (problem !== undefined) return `QEMU does not copy the disks of the guest: ${problem}`;
  if (content.status?.creationTime) {
    const names = (content.spec.volumeBackups ?? []).flatMap(({ volumeSnapshotName: name }) => name ?? []);
    const lost = names.filter((name) => !volumeSnapshots.has(name));
    if (lost.length > 0)
      return `VolumeSnapshots (${lost.join(',')}) missing; the snapshot cannot be restored, take a new one`;
  }
  const failed = volumes.find(({ error }) => error?.message);
  const isCopy = content.spec.volumeBackups?.some((backup) => copyOf(backup) === failed?.volumeSnapshotName);
  const kind = isCopy ? 'PersistentVolumeClaim' : 'VolumeSnapshot';
  return failed && `${kind} ${failed.volumeSnapshotName} error: ${failed.error?.message}`;
}

/** Reports that the API server does not accept an object of the snapshot, because of a quota for example. */
export const refused = ({ content, now }: Observed, message: string): Action[] =>
  write(content, { ...content.status, error: sameError(content.status?.error, message, now) });

/** Keeps the time since which there are errors without a break: a deadline is measured from then. */
const sameError = (before: Status['error'], message: string, now: number): Status['error'] =>
  before?.message === message ? before : { message, time: before?.time ?? isoTime(now) };

function write(content: Content, status: Status): Action[] {
  const before = content.status ?? {};
  if (semanticDeepEqual(withoutTimes(before), withoutTimes(status))) return [];
  const { name = '', resourceVersion } = content.metadata;
  const body = { metadata: { resourceVersion }, status: { ...status, error: status.error ?? null } };
  return [{ do: 'patch', kind: 'VirtualMachineSnapshotContent', name, subresource: 'status', body }];
}

/** A copy has no time of its own. */
const withoutTimes = (status: Status): Status => ({
  ...status,
  volumeSnapshotStatus: status.volumeSnapshotStatus?.map(({ creationTime: _time, ...rest }) => rest),
});
