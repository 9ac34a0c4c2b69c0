/** The guest's clock and its timers. */
import type { DomainSpec } from '../../../api';
import { DomainError, only } from './unsupported';
import { type Element, el, yesNo } from './xml';

interface TimerSpec {
  present?: boolean;
  tickPolicy?: string;
  track?: string;
}

/** VMI's name of a timer -> libvirt's. */
const TIMERS = { rtc: 'rtc', pit: 'pit', kvm: 'kvmclock', hpet: 'hpet', hyperv: 'hypervclock' } as const;

/** `<clock>`, when the VMI has one. */
export function clock(domain: DomainSpec): Element[] {
  const spec = domain.clock;
  if (!spec) return [];
  only(spec, 'spec.domain.clock', ['timer', 'timezone', 'utc']);
  only(spec.utc, 'spec.domain.clock.utc', ['offsetSeconds']);
  only(spec.timer, 'spec.domain.clock.timer', Object.keys(TIMERS));
  if (spec.utc && spec.timezone) {
    throw new DomainError('spec.domain.clock', 'has both utc and timezone', 'keep one of them');
  }
  const timers = Object.entries(TIMERS).flatMap(([field, name]) => {
    const timer = spec.timer?.[field as keyof typeof TIMERS] as TimerSpec | undefined;
    if (!timer) return [];
    only(timer, `spec.domain.clock.timer.${field}`, ['present', 'tickPolicy', 'track']);
    const { tickPolicy: tickpolicy, track } = timer;
    return [el('timer', { name, tickpolicy, track, present: yesNo(timer.present ?? true) })];
  });
  const offset = spec.utc?.offsetSeconds;
  if (spec.timezone) return [el('clock', { offset: 'timezone', timezone: spec.timezone }, ...timers)];
  if (offset) return [el('clock', { offset: 'variable', adjustment: offset, basis: 'utc' }, ...timers)];
  return [el('clock', { offset: 'utc', adjustment: spec.utc ? 'reset' : undefined }, ...timers)];
}
