import type { DomainSpec } from '../../../../../src/api';
import type { Fixture } from './fixture';
import { part } from './part';

const clock = (of: DomainSpec['clock'], change: Fixture = {}): string | undefined =>
  part('clock', { ...change, domain: { ...change.domain, clock: of } });
const invariant = (policy: 'require' | 'optional'): Fixture => ({
  domain: { cpu: { features: [{ name: 'invtsc', policy }] } },
  status: { topologyHints: { tscFrequency: 2e9 } },
});
const TSC = "<clock offset='utc'><timer name='tsc' frequency='2000000000'/></clock>";

test.each<[string, DomainSpec['clock'], string]>([
  ['UTC, set at each start', { utc: {} }, "<clock offset='utc' adjustment='reset'/>"],
  ['UTC and some seconds', { utc: { offsetSeconds: -60 } }, "<clock offset='utc' adjustment='-60'/>"],
  ['the time of a zone', { timezone: 'Europe/Rome' }, "<clock offset='timezone' timezone='Europe/Rome'/>"],
  [
    'timers',
    { timer: { rtc: { tickPolicy: 'catchup', track: 'guest' }, hpet: { present: false }, kvm: {} } },
    "<clock offset='utc'><timer name='rtc' tickpolicy='catchup' track='guest' present='yes'/>" +
      "<timer name='kvmclock' present='yes'/><timer name='hpet' present='no'/></clock>",
  ],
])('the guest has %s', (_, of, want) => {
  expect(clock(of)).toBe(want);
});

test.each<[string, Fixture, string | undefined]>([
  ['without a clock libvirt has its way', {}, undefined],
  ['an invariant TSC has the speed that all nodes have', invariant('require'), TSC],
  ['one that is welcome has not', invariant('optional'), undefined],
  [
    'nor has one whose speed is not known',
    { domain: { cpu: { features: [{ name: 'invtsc', policy: 'require' }] } } },
    undefined,
  ],
  [
    'a guest that gets migrations reported has it',
    {
      domain: { features: { hyperv: { reenlightenment: { enabled: true } } } },
      status: { topologyHints: { tscFrequency: 2e9 } },
    },
    TSC,
  ],
])('%s', (_, change, want) => {
  expect(clock(undefined, change)).toBe(want);
});
