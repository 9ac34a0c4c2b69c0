import type { VirtualMachineInstance } from '../../../api';
import type { MetricName } from '../../../api/metrics';
import { unixTime } from './guest-facts';

/** Duration that a histogram gets. */
export interface Observation {
  readonly name: Extract<MetricName, `kubevirt_vmi_phase_transition_time_${string}`>;
  readonly labels: Readonly<Record<string, string>>;
  readonly seconds: number;
}

const FINAL = ['Succeeded', 'Failed'];

/** Returns the durations that end with a change of the phase. Pure. */
export function transitionsOf(before: VirtualMachineInstance, after: VirtualMachineInstance): Observation[] {
  const phase = after.status?.phase;
  const last = before.status?.phase;
  if (!phase || phase === last) return [];
  const enteredAt = (name: string | undefined): number | undefined =>
    unixTime(
      after.status?.phaseTransitionTimestamps?.findLast((each) => each.phase === name)?.phaseTransitionTimestamp,
    );
  const now = enteredAt(phase);
  const created = unixTime(after.metadata.creationTimestamp);
  const deleted = unixTime(after.metadata.deletionTimestamp);
  const observe = (
    name: Observation['name'],
    labels: Observation['labels'],
    from: number | undefined,
  ): Observation[] => {
    const seconds = now === undefined || from === undefined ? NaN : now - from;
    return seconds >= 0 ? [{ name, labels, seconds }] : [];
  };
  return [
    ...observe(
      'kubevirt_vmi_phase_transition_time_seconds',
      { phase, last_phase: last ?? '' },
      last ? (enteredAt(last) ?? created) : created,
    ),
    ...observe('kubevirt_vmi_phase_transition_time_from_creation_seconds', { phase }, created),
    ...(FINAL.includes(phase)
      ? observe('kubevirt_vmi_phase_transition_time_from_deletion_seconds', { phase }, deleted)
      : []),
  ];
}
