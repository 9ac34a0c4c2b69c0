import { deepEqual } from '../json/values';
import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { commonIndex, countIndexes } from './job-indexes';

type Status = AnyObject['status'];

const has = (status: Status, type: string): boolean =>
  ((status?.conditions ?? []) as { type: string; status: string }[]).some(
    (condition) => condition.type === type && condition.status === 'True',
  );
const isFinished = (status: Status): boolean => has(status, 'Complete') || has(status, 'Failed');

/** Validates a Job's new status: counters only grow, final conditions stay, and each final state has its facts. */
export function validateJobStatus(next: AnyObject, old: AnyObject, fields: Fields): void {
  const at = fields.child('status');
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  const changed = (...names: string[]): boolean => names.some((name) => !deepEqual(status[name], before[name]));
  const turned = (...types: string[]): boolean => types.some((type) => has(status, type) !== has(before, type));
  const finishing = turned('Complete', 'Failed');
  for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating']) {
    if (status[name] < 0) at.child(name).invalid(status[name], 'must be greater than or equal to 0');
  }
  validateUncounted(status.uncountedTerminatedPods, at.child('uncountedTerminatedPods'));
  const conditions = at.child('conditions');
  const complete = has(status, 'Complete');
  if (finishing && complete && has(status, 'Failed')) {
    conditions.invalidField('cannot set Complete=True and Failed=true conditions');
  }
  if (turned('Complete', 'FailureTarget') && complete && has(status, 'FailureTarget')) {
    conditions.invalidField('cannot set Complete=True and FailureTarget=true conditions');
  }
  const { startTime, completionTime } = status;
  if (turned('Complete') || changed('completionTime')) {
    const field = at.child('completionTime');
    if (completionTime && !complete) {
      field.invalid(completionTime, 'cannot set completionTime when there is no Complete=True condition');
    }
    if (!completionTime && complete) field.required('completionTime is required for Complete jobs');
  }
  if (changed('startTime', 'completionTime') && startTime && Date.parse(completionTime) < Date.parse(startTime)) {
    at.child('completionTime').invalid(completionTime, 'must be equal to or after `startTime`');
  }
  if ((turned('Failed') || changed('failedIndexes')) && has(status, 'Failed') && !has(status, 'FailureTarget')) {
    conditions.invalidField('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  if (turned('Complete', 'SuccessCriteriaMet') && complete && !has(status, 'SuccessCriteriaMet')) {
    conditions.invalidField('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
  if (isFinished(status)) validateFinished(next, { finishing, changed, at });
  validateIndexes(next, changed, at);
  if (status.terminating > 0 && isFinished(status) && (finishing || changed('terminating'))) {
    at.child('terminating').invalid(status.terminating, 'terminating>0 is invalid for finished job');
  }
  if (changed('ready', 'active') && status.ready > (status.active ?? 0)) {
    at.child('ready').invalid(status.ready, 'cannot set more ready pods than active');
  }
  if (has(status, 'SuccessCriteriaMet')) {
    for (const other of ['Failed', 'FailureTarget']) {
      if (has(status, other)) {
        conditions.invalidField(`cannot set SuccessCriteriaMet=True and ${other}=true conditions`);
      }
    }
  } else if (next.spec?.successPolicy && complete) {
    const rule = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    conditions.invalidField(rule);
  }
  validateTransition(next, old, at);
}

interface Change {
  readonly finishing: boolean;
  readonly changed: (...names: string[]) => boolean;
  readonly at: Fields;
}

function validateFinished({ spec, status }: AnyObject, { finishing, changed, at }: Change): void {
  if (status.active > 0 && (finishing || changed('active'))) {
    at.child('active').invalid(status.active, 'active>0 is invalid for finished job');
  }
  const suspendedEmpty = spec?.suspend === true && spec?.completions === 0;
  if (!status.startTime && (finishing || changed('startTime')) && !suspendedEmpty) {
    at.child('startTime').required('startTime is required for finished job');
  }
  const uncounted = status.uncountedTerminatedPods;
  const waiting = (uncounted?.succeeded?.length ?? 0) + (uncounted?.failed?.length ?? 0);
  if (waiting && (finishing || changed('uncountedTerminatedPods'))) {
    at.child('uncountedTerminatedPods').invalid(uncounted, 'must be empty for finished job');
  }
}

function validateUncounted(uncounted: { succeeded?: string[]; failed?: string[] } | undefined, at: Fields): void {
  const seen = new Set<string>();
  for (const name of ['succeeded', 'failed'] as const) {
    uncounted?.[name]?.forEach((uid, i) => {
      const field = at.child(name).index(i);
      if (!uid) field.invalid(uid, 'must not be empty');
      else if (seen.has(uid)) field.duplicate(uid);
      seen.add(uid);
    });
  }
}

function validateIndexes({ spec, status }: AnyObject, changed: Change['changed'], at: Fields): void {
  const { completions, backoffLimitPerIndex, completionMode } = spec ?? {};
  const { completedIndexes = '', failedIndexes } = status ?? {};
  const wrong = (text: string, name: string): void => {
    const counted = countIndexes(text, completions);
    if (typeof counted !== 'number') at.child(name).invalid(text, `error parsing ${name}: ${counted.error}`);
  };
  if (completions !== undefined && changed('completedIndexes')) wrong(completedIndexes, 'completedIndexes');
  if (completions !== undefined && changed('failedIndexes') && backoffLimitPerIndex !== undefined && failedIndexes) {
    wrong(failedIndexes, 'failedIndexes');
  }
  if (changed('completedIndexes') && completedIndexes && completionMode !== 'Indexed') {
    const rule = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    at.child('completedIndexes').invalid(completedIndexes, rule);
  }
  if (failedIndexes === undefined) return;
  if (changed('failedIndexes') && backoffLimitPerIndex === undefined) {
    const rule = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    at.child('failedIndexes').invalid(failedIndexes, rule);
  }
  if (completions === undefined || !changed('failedIndexes', 'completedIndexes')) return;
  const both = commonIndex(completedIndexes, failedIndexes, completions);
  if (both === undefined) return;
  at.child('failedIndexes').invalid(failedIndexes, `failedIndexes and completedIndexes overlap at index: ${both}`);
}

function validateTransition({ spec, status = {} }: AnyObject, { status: before = {} }: AnyObject, at: Fields): void {
  const conditions = at.child('conditions');
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (has(before, type) && !has(status, type)) {
      conditions.invalidField(`cannot disable the terminal ${type}=True condition`);
    }
  }
  if ((status.failed ?? 0) < (before.failed ?? 0)) {
    at.child('failed').invalid(status.failed ?? 0, 'cannot decrease the failed counter');
  }
  const scalable = spec?.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!scalable && (status.succeeded ?? 0) < (before.succeeded ?? 0)) {
    at.child('succeeded').invalid(status.succeeded ?? 0, 'cannot decrease the succeeded counter');
  }
  const { completionTime, startTime } = status;
  if (completionTime && before.completionTime && completionTime !== before.completionTime) {
    at.child('completionTime').invalid(completionTime, 'field is immutable');
  }
  const resumed = (status.conditions ?? []).some(
    (condition: { type: string; status: string }) => condition.type === 'Suspended' && condition.status === 'False',
  );
  const resuming = has(before, 'Suspended') && resumed;
  if (before.startTime && startTime !== before.startTime && !resuming && !spec?.suspend) {
    at.child('startTime').invalid(startTime ?? null, 'field is immutable for unsuspended job once set');
  }
  if (has(before, 'SuccessCriteriaMet') && !has(status, 'SuccessCriteriaMet')) {
    conditions.invalidField('cannot disable the SuccessCriteriaMet=True condition');
  }
  if (has(before, 'Complete') && !has(before, 'SuccessCriteriaMet') && has(status, 'SuccessCriteriaMet')) {
    conditions.invalidField('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}
