/** The guest's clock and its timers. */
import type { VirtualMachineInstance } from '../../../api';
import { type Element, el, yesNo } from './xml';

interface TimerSpec {
  present?: boolean;
  tickPolicy?: string;
  track?: string;
}

/** Timer names of the VMI -> those of libvirt. */
const TIMERS = { rtc: 'rtc', pit: 'pit', kvm: 'kvmclock', hpet: 'hpet', hyperv: 'hypervclock' } as const;

/** Whether the guest needs a TSC of known frequency: it has an invariant one, or Hyper-V reports migrations to it. */
function needsFrequency({ spec: { domain } }: VirtualMachineInstance): boolean {
  const isInvariant = ({ name, policy }: { name: string; policy?: string }): boolean =>
    name === 'invtsc' && (policy === 'require' || policy === 'force');
  return (domain.cpu?.features ?? []).some(isInvariant) || domain.features?.hyperv?.reenlightenment?.enabled === true;
}

/** The timer whose frequency the cluster's nodes have in common. */
function tsc(vmi: VirtualMachineInstance): Element[] {
  const frequency = vmi.status?.topologyHints?.tscFrequency;
  if (!frequency || frequency <= 0 || !needsFrequency(vmi)) return [];
  return [el('timer', { name: 'tsc', frequency })];
}

/** `<clock>`, if the VMI has one or its TSC must be set. */
export function clock(vmi: VirtualMachineInstance): Element[] {
  const spec = vmi.spec.domain.clock;
  const frequency = tsc(vmi);
  if (!spec && frequency.length === 0) return [];
  const timers = Object.entries(TIMERS).flatMap(([field, name]) => {
    const timer = spec?.timer?.[field as keyof typeof TIMERS] as TimerSpec | undefined;
    if (!timer) return [];
    const { tickPolicy, track } = timer;
    const present = yesNo(timer.present ?? true);
    return [el('timer', { name, tickpolicy: tickPolicy || undefined, track: track || undefined, present })];
  });
  const { utc, timezone } = spec ?? {};
  const offset = utc || timezone === undefined ? 'utc' : 'timezone';
  const adjustment = utc && (utc.offsetSeconds ?? 'reset');
  return [
    el('clock', { offset, timezone: utc ? undefined : timezone || undefined, adjustment }, ...timers, ...frequency),
  ];
}
