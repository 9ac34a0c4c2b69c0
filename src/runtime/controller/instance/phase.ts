import type { VirtualMachineInstance, VirtualMachineInstanceStatus } from '../../../api';

/** As the API writes times: whole seconds. */
export const isoTime = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');

/** The status fields of a phase that begins now; nothing when it has begun already. */
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
