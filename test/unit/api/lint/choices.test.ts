import { type Loose, validVm } from '../fixtures';
import { alone, object } from './worlds';

const vm = (change: (vm: Loose, guest: Loose) => void): string[] => {
  const made: Loose = structuredClone(validVm());
  change(made, made.spec.template.spec);
  return alone(made).filter((each) => /^(matcher-kind|clock-one)/.test(each));
};
const source = (given: Loose): string[] =>
  alone(object('cdi.kubevirt.io/v1beta1', 'DataSource', 'a', { source: given })).filter((each) =>
    each.startsWith('data-source-one'),
  );
const named = { name: 'a', namespace: 'b' };

test.each<[string, string[], string[]]>([
  ['accepts one source', source({ pvc: named }), []],
  ['reports two', source({ pvc: named, snapshot: named }), ['data-source-one spec.source.snapshot']],
  [
    'accepts the kind of an instance type',
    vm((made) => (made.spec.instancetype = { name: 'a', kind: 'VirtualMachineInstancetype' })),
    [],
  ],
  [
    'accepts its plural',
    vm((made) => (made.spec.instancetype = { name: 'a', kind: 'virtualmachineclusterinstancetypes' })),
    [],
  ],
  ['accepts no kind', vm((made) => (made.spec.preference = { name: 'a' })), []],
  [
    'reports a preference of another kind',
    vm((made) => (made.spec.preference = { name: 'a', kind: 'VirtualMachineInstancetype' })),
    ['matcher-kind spec.preference.kind'],
  ],
  [
    'reports a short kind',
    vm((made) => (made.spec.instancetype = { name: 'a', kind: 'Instancetype' })),
    ['matcher-kind spec.instancetype.kind'],
  ],
  ['accepts a time zone', vm((_, guest) => (guest.domain.clock = { timezone: 'Europe/Berlin' })), []],
  [
    'reports a time zone beside UTC',
    vm((_, guest) => (guest.domain.clock = { utc: {}, timezone: 'Europe/Berlin' })),
    ['clock-one spec.template.spec.domain.clock.timezone'],
  ],
])('%s', (_, found, want) => expect(found).toEqual(want));
