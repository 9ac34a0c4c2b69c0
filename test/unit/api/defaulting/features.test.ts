import { clusterConfig, defaultInstanceSpec } from '../../../../src/api';
import type { Loose } from '../fixtures';

const on = { enabled: true };
const off = { enabled: false };
const domainWith = (hyperv: Loose, more: Loose = {}) =>
  defaultInstanceSpec({ domain: { devices: {}, features: { hyperv }, ...more } }, clusterConfig(), 'x').domain;

test.each<[string, Loose, Loose]>([
  ['what is mentioned is on', { relaxed: {}, vapic: off }, { relaxed: on, vapic: off }],
  ['interrupts between processors need their index', { ipi: {} }, { ipi: on, vpindex: on }],
  ['so do flushes of the TLB', { tlbflush: {} }, { tlbflush: on, vpindex: on }],
  [
    'a feature that is off needs nothing',
    { ipi: off, tlbflush: off, synictimer: off },
    { ipi: off, tlbflush: off, synictimer: off },
  ],
  [
    'timers need the interrupt controller, which needs the index',
    { synictimer: {} },
    { synictimer: on, synic: on, vpindex: on },
  ],
  [
    'what was switched off stays off, for validation to refuse it, and nothing follows from it',
    { synictimer: {}, synic: off },
    { synictimer: on, synic: off },
  ],
  ['what is on already stays as it is', { synic: {}, vpindex: on }, { synic: on, vpindex: on }],
  [
    'parts of a feature are on when they are mentioned',
    { synictimer: { direct: {} }, tlbflush: { direct: {}, extended: {} }, synic: on, vpindex: on },
    {
      synictimer: { ...on, direct: on },
      tlbflush: { ...on, direct: on, extended: on },
      synic: on,
      vpindex: on,
    },
  ],
  ['spinlocks have a number of retries', { spinlocks: {} }, { spinlocks: { ...on, spinlocks: 4096 } }],
  ['unless they are off', { spinlocks: off }, { spinlocks: off }],
  ['or have one', { spinlocks: { spinlocks: 8191 } }, { spinlocks: { ...on, spinlocks: 8191 } }],
])('of Hyper-V: %s', (_, given, want) => expect(domainWith(given).features?.hyperv).toEqual(want));

describe('nested virtualization', () => {
  const vmx = (policy: string) => ({ name: 'vmx', policy });
  test.each<[string, Loose, Loose, object[] | undefined]>([
    ['is required by enlightened VMCS', { evmcs: {} }, {}, [vmx('require')]],
    ['is not when that is off', { evmcs: off }, {}, undefined],
    ['is not by anything else', { vapic: {} }, {}, undefined],
    ['is not when what VMCS needs is off', { evmcs: {}, vapic: off }, {}, undefined],
    ['is required regardless of the CPU', { evmcs: {} }, { cpu: { features: [vmx('disable')] } }, [vmx('require')]],
    [
      'is required beside other features',
      { evmcs: {} },
      { cpu: { features: [{ name: 'apic', policy: 'require' }] } },
      [{ name: 'apic', policy: 'require' }, vmx('require')],
    ],
  ])('%s', (_, hyperv, more, want) => expect(domainWith(hyperv, more).cpu?.features).toEqual(want));
});
