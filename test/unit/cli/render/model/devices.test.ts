import { factsOf } from '../../../runtime/launcher/domain/facts';
import { type Fixture, vmiOf } from '../../../runtime/launcher/domain/fixture';

const hostDevices = (fixture: Fixture): string[] =>
  factsOf(vmiOf(fixture), fixture).hostDevices.map(
    ({ list, name, kind, address }) => `${list} ${name} ${kind} ${address}`,
  );

const devices = {
  gpus: [
    { name: 'a', deviceName: 'x/gpu' },
    { name: 'b', deviceName: 'x/vgpu' },
    { name: 'c', deviceName: 'x/gpu' },
  ],
  hostDevices: [
    { name: 'd', deviceName: 'x/stick' },
    { name: 'e', deviceName: 'x/card' },
  ],
  interfaces: [{ name: 'f', sriov: {} }],
};
const networks = [{ name: 'f', multus: { networkName: 'f' } }];

test('the model node has each requested PCI device, on a bus for each list', () => {
  expect(hostDevices({ devices, networks })).toEqual([
    ...['hostDevices d pci 0000:82:01.0', 'hostDevices e pci 0000:82:02.0'],
    ...['gpus a pci 0000:81:01.0', 'gpus b pci 0000:81:02.0', 'gpus c pci 0000:81:03.0'],
    'interfaces f pci 0000:83:01.0',
  ]);
});

test('devices that the configuration declares as mediated or USB are rendered as such', () => {
  const permittedHostDevices = {
    mediatedDevices: [{ mdevNameSelector: 'V', resourceName: 'x/vgpu' }],
    usb: [{ resourceName: 'x/stick' }],
  };
  expect(hostDevices({ devices, networks, configuration: { permittedHostDevices } })).toEqual([
    ...['hostDevices e pci 0000:82:01.0', 'hostDevices d usb 1:1'],
    ...['gpus a pci 0000:81:01.0', 'gpus c pci 0000:81:02.0', 'gpus b mdev 81000000-0000-4000-8000-000000000001'],
    'interfaces f pci 0000:83:01.0',
  ]);
});

const claimed = { gpus: [{ name: 'a', claimName: 'c', requestName: 'r' }] };

test('devices of a claim are not invented', () => {
  expect(hostDevices({ devices: claimed })).toEqual([]);
});

test('the devices that a node allocated can be given', () => {
  const allocation = {
    environment: { PCI_RESOURCE_X_GPU: '0000:01:00.0,0000:01:00.1' },
    networks: { f: '0000:02:00.0' },
    claims: { 'c/r': { mdev: 'uuid' } },
  };
  const gpus = [
    ...devices.gpus.filter(({ deviceName }) => deviceName === 'x/gpu'),
    ...claimed.gpus.map((gpu) => ({ ...gpu, name: 'g' })),
  ];
  expect(hostDevices({ devices: { gpus, interfaces: devices.interfaces }, networks, node: { allocation } })).toEqual([
    ...['gpus a pci 0000:01:00.0', 'gpus c pci 0000:01:00.1', 'gpus g mdev uuid', 'interfaces f pci 0000:02:00.0'],
  ]);
});

test.each<[string, Fixture, object]>([
  ['the platform has defaults', {}, { balloonStatsPeriod: 10, freePageReporting: true, logSerialConsole: true }],
  ['they can be changed', { configuration: { memBalloonStatsPeriod: 0 } }, { balloonStatsPeriod: 0 }],
  ['bochs is for UEFI', {}, { bochsForEfi: true }],
])('%s', (_, fixture, want) => {
  expect(factsOf(vmiOf(fixture), fixture)).toMatchObject(want);
});
