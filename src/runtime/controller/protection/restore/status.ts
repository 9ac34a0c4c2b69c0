/** Status of a restore. Pure. */
import { semanticDeepEqual } from '../../../../api/kinds/shape';
import { recheck, warning, type Action } from '../actions';
import { withConditions, type Verdict } from '../conditions';
import type { Restore } from '../types';
import type { Observed } from './observed';

type Status = NonNullable<Restore['status']>;

/** Patch of the status; none if nothing changes. */
export function write(
  { restore, now }: Pick<Observed, 'restore' | 'now'>,
  fields: Partial<Status>,
  verdicts: readonly Verdict[],
): Action[] {
  const before: Partial<Status> = restore.status ?? {};
  const conditions = withConditions(before.conditions, verdicts, now);
  const status: Status = { complete: false, ...before, ...fields, conditions };
  if (semanticDeepEqual(before, status)) return [];
  const { name = '', resourceVersion } = restore.metadata;
  return [
    {
      do: 'patch',
      kind: 'VirtualMachineRestore',
      name,
      subresource: 'status',
      body: { metadata: { resourceVersion }, status },
    },
  ];
}

const verdict = (type: Verdict['type'], isTrue: boolean, reason: string, message?: string): Verdict => ({
  type,
  isTrue,
  reason,
  message,
});

/** The restore works. */
export const progressing = (what: string, next: string, message?: string): Verdict[] => [
  verdict('Progressing', true, what, message),
  verdict('Ready', false, next, message),
];

/** The restore waits for something that the user, or another operation, has to do. */
export const waiting = (reason: string, message?: string): Verdict[] => [
  verdict('Progressing', false, reason, message),
  verdict('Ready', false, reason, message),
];

/** Waits for the removal of a problem, which an event reports once. */
export function blocked(seen: Observed, reason: string, message: string, afterMs: number): Action[] {
  const isKnown = seen.restore.status?.conditions?.some((condition) => condition.message === message);
  return [
    ...write(seen, {}, waiting(reason, message)),
    ...(isKnown ? [] : [warning(seen.restore, 'VirtualMachineRestoreError', message)]),
    recheck(afterMs),
  ];
}

const COMPLETE = 'Operation complete';
export const completed: readonly Verdict[] = [
  verdict('Progressing', false, COMPLETE),
  verdict('Ready', true, COMPLETE),
];

/** Ends the restore. */
export const failed = (seen: Observed, reason: string, message: string): Action[] => [
  ...write(seen, {}, [
    verdict('Progressing', false, 'Operation failed'),
    verdict('Failure', true, reason, message),
    verdict('Ready', false, 'Operation failed'),
  ]),
  warning(seen.restore, 'VirtualMachineRestoreError', message),
];
