import type { VirtualMachineInstance, VirtualMachineInstanceStatus } from '../../../api';

/** Formats a time as the API does: in whole seconds. */
export const isoTime = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');

/** Status fields for entering a phase; empty if the VMI is in it already. */
export function enterPhase(
  { status }: VirtualMachineInstance,
  phase: 'Scheduling' | 'Succeeded' | 'Failed',
  now: number,
): Partial<VirtualMachineInstanceStatus> {
  if (status?.phase === phase) return {};
  return {
    phase,
    phaseTransitionTimestamps: [
      ...(status?.phaseTransitionTimestamps ?? []),
      { phase, phaseTransitionTimestamp: isoTime(now) },
    ],
  };
}
