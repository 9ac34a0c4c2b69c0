import type { DomainSpec } from '../../../../../src/api';
import type { Fixture } from './fixture';
import { part } from './part';

type Features = NonNullable<DomainSpec['features']>;
const features = (of: Features | undefined, change: Fixture = {}): string =>
  part('features', { ...change, domain: { ...change.domain, features: of } })!;

const OFF = "<vmport state='off'/>";
const EMULATED = { facts: { emulation: { translationCache: { fixed: 128, growing: 256 } } } };
const dedicated = { domain: { cpu: { dedicatedCpuPlacement: true } } };

test.each<[string, Features | undefined, Fixture, string]>([
  ['no features that are not requested', undefined, {}, ''],
  ['ACPI unless it is off', {}, {}, `<acpi/>${OFF}`],
  ['ACPI that is off', { acpi: { enabled: false } }, {}, OFF],
  ['no vmport where there never was one', {}, { architecture: 'arm64' }, '<acpi/>'],
  ['what is on', { apic: {}, smm: {} }, {}, `<acpi/><apic/><smm/>${OFF}`],
  ['what is off', { apic: { enabled: false }, smm: { enabled: false } }, {}, `<acpi/>${OFF}`],
  ['the end of interrupts', { apic: { endOfInterrupt: false } }, {}, `<acpi/><apic eoi='off'/>${OFF}`],
  ['a hidden KVM', { kvm: { hidden: true } }, {}, `<acpi/><kvm><hidden state='on'/></kvm>${OFF}`],
  ['spinlocks', { pvspinlock: { enabled: false } }, {}, `<acpi/><pvspinlock state='off'/>${OFF}`],
  [
    "all of the host's enlightenments",
    { hypervPassthrough: { enabled: true } },
    {},
    `<acpi/><hyperv mode='passthrough'/>${OFF}`,
  ],
  ['none of them', { hypervPassthrough: { enabled: false } }, {}, `<acpi/>${OFF}`],
  [
    'dedicated CPUs, which the guest can see',
    {},
    { ...dedicated, architecture: 'amd64' },
    `<acpi/><kvm><hint-dedicated state='on'/></kvm>${OFF}`,
  ],
  [
    'both',
    { kvm: {} },
    { ...dedicated, architecture: 'amd64' },
    `<acpi/><kvm><hidden state='off'/><hint-dedicated state='on'/></kvm>${OFF}`,
  ],
  [
    'no PMU that would cost a realtime guest its deadlines',
    {},
    { domain: { cpu: { dedicatedCpuPlacement: true, realtime: {} } }, architecture: 'arm64' },
    "<acpi/><pmu state='off'/>",
  ],
  ['no PMU under TDX', {}, { domain: { launchSecurity: { tdx: {} } } }, `<acpi/><pmu state='off'/>${OFF}`],
  [
    'an emulated CPU has none of what a hypervisor gives, and a small cache',
    { hyperv: { relaxed: {} }, kvm: { hidden: true }, pvspinlock: {} },
    EMULATED,
    `<acpi/>${OFF}<tcg><tb-cache unit='MiB'>128</tb-cache></tcg>`,
  ],
  [
    'a larger one where vCPUs can come',
    undefined,
    { ...EMULATED, domain: { cpu: { sockets: 1, maxSockets: 2 } } },
    "<tcg><tb-cache unit='MiB'>256</tb-cache></tcg>",
  ],
])('a guest has %s', (_, of, change, want) => {
  expect(features(of, change)).toBe(want ? `<features>${want}</features>` : '<features/>');
});

test.each<[string, NonNullable<Features['hyperv']>, string]>([
  ['on by its name', { relaxed: {}, evmcs: { enabled: true } }, "<relaxed state='on'/><evmcs state='on'/>"],
  ['off', { vapic: { enabled: false } }, "<vapic state='off'/>"],
  ['with retries', { spinlocks: { spinlocks: 8191 } }, "<spinlocks state='on' retries='8191'/>"],
  ['a timer with a part', { synictimer: { direct: {} } }, "<stimer state='on'><direct state='on'/></stimer>"],
  [
    'flushes with parts',
    { tlbflush: { direct: { enabled: false }, extended: {} } },
    "<tlbflush state='on'><direct state='off'/><extended state='on'/></tlbflush>",
  ],
  ['a vendor', { vendorid: { vendorid: 'me' } }, "<vendor_id state='on' value='me'/>"],
])('hypervisor interface for Windows: %s', (_, hyperv, want) => {
  expect(features({ hyperv })).toContain(`<hyperv>${want}</hyperv>`);
});
