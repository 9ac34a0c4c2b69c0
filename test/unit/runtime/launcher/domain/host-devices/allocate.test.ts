import {
  type Allocation,
  allocate,
  variableOf,
} from '../../../../../../src/runtime/launcher/domain/host-devices/allocate';
import { type Fixture, vmiOf } from '../fixture';

const nothing: Allocation = { environment: {}, networks: {}, claimed: () => undefined };
const given = (fixture: Fixture, allocation: Partial<Allocation>): string[] =>
  allocate(vmiOf(fixture), { ...nothing, ...allocation }).map(
    ({ list, name, kind, address, isClaimed }) => `${list} ${name} ${kind} ${address}${isClaimed ? ' claimed' : ''}`,
  );

test.each([
  ['pci', 'nvidia.com/TU104', 'PCI_RESOURCE_NVIDIA_COM_TU104'],
  ['mdev', 'nvidia.com/GRID_T4-1Q', 'MDEV_PCI_RESOURCE_NVIDIA_COM_GRID_T4-1Q'],
  ['usb', 'kubevirt.io/stick', 'USB_RESOURCE_KUBEVIRT_IO_STICK'],
] as const)('a device plugin lists its %s devices of %s in %s', (kind, resource, want) => {
  expect(variableOf(kind, resource)).toBe(want);
});

const gpus = [
  { name: 'a', deviceName: 'x/y' },
  { name: 'b', deviceName: 'x/y' },
];

test.each<[string, Fixture, Partial<Allocation>, string[]]>([
  ['a VMI without devices gets none', {}, {}, []],
  [
    'devices of a resource are dealt out in order',
    { devices: { gpus } },
    { environment: { PCI_RESOURCE_X_Y: '0000:81:01.0,0000:81:02.0,' } },
    ['gpus a pci 0000:81:01.0', 'gpus b pci 0000:81:02.0'],
  ],
  [
    'an address that two resources share is given once',
    { devices: { hostDevices: [{ name: 'a', deviceName: 'x/y' }], gpus: [{ name: 'b', deviceName: 'z' }] } },
    { environment: { PCI_RESOURCE_X_Y: 'one,two', PCI_RESOURCE_Z: 'one,three' } },
    ['hostDevices a pci one', 'gpus b pci three'],
  ],
  [
    'PCI devices come before mediated, those before USB',
    {
      devices: {
        hostDevices: [
          { name: 'u', deviceName: 'u' },
          { name: 'm', deviceName: 'm' },
          { name: 'p', deviceName: 'p' },
        ],
      },
    },
    { environment: { USB_RESOURCE_U: '1:2', MDEV_PCI_RESOURCE_M: 'uuid', PCI_RESOURCE_P: 'pci' } },
    ['hostDevices p pci pci', 'hostDevices m mdev uuid', 'hostDevices u usb 1:2'],
  ],
  [
    'a claim reports a mediated device rather than its parent',
    { devices: { gpus: [{ name: 'a', claimName: 'c', requestName: 'r' }] } },
    { claimed: (claim, request) => ({ mdev: `${claim} ${request}`, pci: 'parent' }) },
    ['gpus a mdev c r claimed'],
  ],
  [
    'a claim reports a PCI device',
    { devices: { hostDevices: [{ name: 'a', claimName: 'c', requestName: 'r' }] } },
    { claimed: () => ({ pci: 'address' }) },
    ['hostDevices a pci address claimed'],
  ],
  [
    'a network reports its function',
    { devices: { interfaces: [{ name: 'n', sriov: {} }] }, networks: [{ name: 'n', multus: { networkName: 'n' } }] },
    { networks: { n: '0000:83:00.1' } },
    ['interfaces n pci 0000:83:00.1'],
  ],
  [
    'the claim of a network reports its function',
    {
      devices: { interfaces: [{ name: 'n', sriov: {} }] },
      networks: [{ name: 'n', resourceClaim: { claimName: 'c', requestName: 'r' } }],
    },
    { claimed: () => ({ pci: 'address' }) },
    ['interfaces n pci address claimed'],
  ],
  ['an absent NIC requests nothing', { devices: { interfaces: [{ name: 'n', sriov: {}, state: 'absent' }] } }, {}, []],
])('%s', (_, fixture, allocation, want) => {
  expect(given(fixture, allocation)).toEqual(want);
});

test.each<[string, Fixture, Partial<Allocation>, RegExp]>([
  [
    'fewer devices than requested',
    { devices: { gpus } },
    { environment: { PCI_RESOURCE_X_Y: 'one' } },
    /devices.gpus: "b" got 0 devices of x\/y; check that its device plugin/,
  ],
  [
    'a resource of two kinds',
    { devices: { gpus: [gpus[0]!] } },
    { environment: { PCI_RESOURCE_X_Y: 'one', MDEV_PCI_RESOURCE_X_Y: 'two' } },
    /"a" got 2 devices/,
  ],
  [
    'a claim without an address',
    { devices: { gpus: [{ name: 'a', claimName: 'c', requestName: 'r' }] } },
    {},
    /"a": claim "c" reports no address for request "r"/,
  ],
  [
    'a network without a function',
    { devices: { interfaces: [{ name: 'n', sriov: {} }] } },
    {},
    /SR-IOV network "n" gave the Pod no PCI address/,
  ],
])('%s is rejected', (_, fixture, allocation, message) => {
  expect(() => given(fixture, allocation)).toThrow(message);
});
