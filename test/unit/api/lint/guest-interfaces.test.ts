import { guestInterfaces } from '../../../../src/api/lint/guest-interfaces';
import type { Loose } from '../fixtures';
import { object } from './worlds';

const vm = (interfaces: Loose[], disks: Loose[] = []): Loose =>
  object('kubevirt.io/v1', 'VirtualMachine', 'web', {
    template: { spec: { domain: { devices: { interfaces, disks } } } },
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
  [
    'reports equal PCI addresses',
    vm([card('a', { pciAddress: '0000:0a:00.0' }), card('b', { pciAddress: '0000:0A:00.0' })]),
    [`pci-address-unique ${at}[1].pciAddress`],
  ],
  [
    'reports the PCI address of a disk',
    vm([card('a', { pciAddress: '0000:0a:00.0' })], [{ name: 'root', disk: { pciAddress: '0000:0a:00.0' } }]),
    [`pci-address-unique ${at}[0].pciAddress`],
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
