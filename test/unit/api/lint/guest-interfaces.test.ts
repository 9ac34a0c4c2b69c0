import { guestInterfaces } from '../../../../src/api/lint/guest-interfaces';
import type { Loose } from '../fixtures';
import { object } from './worlds';

const vm = (interfaces: Loose[]): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', {
    template: { spec: { domain: { devices: { interfaces } } } },
  });
const at = 'spec.template.spec.domain.devices.interfaces';
const card = (name: string, more: Loose = {}): Loose => ({ name, bridge: {}, ...more });
const vf = (more: Loose): Loose => ({ name: 'fast', sriov: {}, ...more });

test.each<[string, Loose, string[]]>([
  ['accepts different indexes', vm([card('a', { acpiIndex: 1 }), card('b', { acpiIndex: 2 }), card('c')]), []],
  [
    'reports equal indexes',
    vm([card('a', { acpiIndex: 1 }), card('b', { acpiIndex: 1 })]),
    [`acpi-index-unique ${at}[1].acpiIndex`],
  ],
  ['accepts a virtual function', vm([vf({ model: 'virtio', macAddress: '02:00:00:00:00:01' })]), []],
  ['reports the model of a virtual function', vm([vf({ model: 'e1000' })]), [`sriov-setting ${at}[0].model`]],
  [
    'reports its DHCP options',
    vm([vf({ dhcpOptions: { bootFileName: 'a' } })]),
    [`sriov-setting ${at}[0].dhcpOptions`],
  ],
  ['accepts DHCP options of a bridge', vm([card('a', { dhcpOptions: { bootFileName: 'a' } })]), []],
])('%s', (_, made, want) => expect(guestInterfaces(made).map(({ rule, path }) => `${rule} ${path}`)).toEqual(want));
