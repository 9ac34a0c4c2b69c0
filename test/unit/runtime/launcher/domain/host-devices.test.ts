import type { GPU, VGPUOptions } from '../../../../../src/api';
import type { HostDeviceSource } from '../../../../../src/runtime/launcher/domain/facts';
import { hostDevices } from '../../../../../src/runtime/launcher/domain/host-devices';
import { type Fixture, rendered } from './fixture';

const uuid = '81000000-0000-4000-8000-000000000001';
const mdev = (list: HostDeviceSource['list'], name: string, isClaimed?: boolean): HostDeviceSource => {
  return { list, name, kind: 'mdev', address: uuid, isClaimed };
};
const pci = (list: HostDeviceSource['list'], name: string, isClaimed?: boolean): HostDeviceSource => {
  return { list, name, kind: 'pci', address: '0000:81:01.0', isClaimed };
};
const withSources = (sources: HostDeviceSource[], change: Fixture = {}): string =>
  rendered(hostDevices, { ...change, facts: { hostDevices: sources } });

const address = "<source><address type='pci' domain='0x0000' bus='0x81' slot='0x01' function='0x0'/></source>";

test.each<[string, HostDeviceSource, Fixture, string]>([
  [
    'a PCI device',
    pci('hostDevices', 'a'),
    {},
    `<hostdev type='pci' managed='no'>${address}<alias name='ua-hostdevice-a'/></hostdev>`,
  ],
  [
    'a mediated device',
    mdev('hostDevices', 'a'),
    {},
    `<hostdev type='mdev' mode='subsystem' model='vfio-pci'><source><address uuid='${uuid}'/></source>`,
  ],
  [
    'a USB device',
    { list: 'hostDevices', name: 'a', kind: 'usb', address: '3:14' },
    {},
    "<hostdev type='usb' mode='subsystem'><source><address bus='3' device='14'/></source><alias name='ua-usb-host-a'/>",
  ],
  ['a claimed device', pci('hostDevices', 'a', true), {}, "<alias name='ua-dra-hostdevice-a'/>"],
  ['a claimed adjunct of s390x', mdev('hostDevices', 'a', true), { architecture: 's390x' }, "model='vfio-ap'"],
  ['a GPU', pci('gpus', 'a'), { devices: { gpus: [{ name: 'a' }] } }, "<alias name='ua-gpu-a'/>"],
  ['a claimed GPU', pci('gpus', 'a', true), { devices: { gpus: [{ name: 'a' }] } }, "<alias name='ua-dra-gpu-a'/>"],
  [
    "a NIC's function",
    pci('interfaces', 'a'),
    { devices: { interfaces: [{ name: 'a', sriov: {}, bootOrder: 1, pciAddress: '0000:02:00.0' }] } },
    `${address}<boot order='1'/><address type='pci' domain='0x0000' bus='0x02' slot='0x00' function='0x0'/>` +
      "<alias name='ua-sriov-a'/>",
  ],
])('%s is attached', (_, source, change, want) => {
  expect(withSources([source], change)).toContain(want);
});

test('host devices come before GPUs, those before NICs, and claimed ones last in each', () => {
  const sources = [
    ...[pci('interfaces', 'a'), pci('gpus', 'b', true), pci('gpus', 'c')],
    ...[pci('hostDevices', 'd', true), mdev('hostDevices', 'e')],
  ];
  const devices = { gpus: [{ name: 'b' }, { name: 'c' }], interfaces: [{ name: 'a', sriov: {} }] };
  const aliases = [...withSources(sources, { devices }).matchAll(/alias name='ua-([^']*)'/g)].map(([, name]) => name);
  expect(aliases).toEqual(['hostdevice-e', 'dra-hostdevice-d', 'gpu-c', 'dra-gpu-b', 'sriov-a']);
});

describe('the display of a GPU', () => {
  const BOTH = "display='on' ramfb='on'";
  const gpu = (source: HostDeviceSource, display: VGPUOptions['display']): string =>
    withSources([source], { devices: { gpus: [{ name: 'a', virtualGPUOptions: { display } } as GPU] } });

  test.each<[string, HostDeviceSource, VGPUOptions['display'], string]>([
    ['is on for a vGPU that names it', mdev('gpus', 'a'), {}, BOTH],
    ['can be off', mdev('gpus', 'a'), { enabled: false }, "model='vfio-pci'>"],
    ['can do without a framebuffer', mdev('gpus', 'a'), { ramFB: { enabled: false } }, "display='on'>"],
    ['is off for a PCI device', pci('gpus', 'a'), {}, "managed='no'>"],
    ['can be on there', pci('gpus', 'a'), { enabled: true }, `managed='no' ${BOTH}>`],
    ['is never on for a claimed PCI device', pci('gpus', 'a', true), { enabled: true }, "managed='no'>"],
  ])('%s', (_, source, display, want) => {
    expect(gpu(source, display)).toContain(want);
  });

  test('is enabled for the first vGPU if no GPU sets it', () => {
    const gpus = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    const sources = [pci('gpus', 'a'), mdev('gpus', 'b'), mdev('gpus', 'c')];
    const displays = withSources(sources, { devices: { gpus } })
      .split('</hostdev>')
      .map((xml) => xml.includes(BOTH));
    expect(displays.slice(0, 3)).toEqual([false, true, false]);
  });

  test('is disabled by default if one GPU sets it', () => {
    const gpus = [{ name: 'a' }, { name: 'b', virtualGPUOptions: { display: { enabled: false } } }];
    expect(withSources([mdev('gpus', 'a'), mdev('gpus', 'b')], { devices: { gpus } })).not.toContain('display');
  });
});
