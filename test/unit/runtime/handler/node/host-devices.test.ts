import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { KubeVirtConfiguration } from '../../../../../src/api';
import { hostDeviceOffers } from '../../../../../src/runtime/handler/node/host-devices';
import { readHostDevices } from '../../../../../src/runtime/handler/node/sysfs';

type Permitted = NonNullable<KubeVirtConfiguration['permittedHostDevices']>;

let sys: string;
beforeEach(() => (sys = mkdtempSync(join(tmpdir(), 'virt8s-sys-'))));
afterEach(() => rmSync(sys, { recursive: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(sys, path)), { recursive: true });
  writeFileSync(join(sys, path), text);
};
const link = (path: string, target: string): void => {
  mkdirSync(dirname(join(sys, path)), { recursive: true });
  symlinkSync(target, join(sys, path));
};

interface Pci {
  driver?: string;
  group?: string;
  numa?: string;
}
function pci(address: string, id: string, { driver = 'vfio-pci', group, numa = '-1' }: Pci = {}): void {
  const path = `bus/pci/devices/${address}`;
  write(`${path}/uevent`, `DRIVER=${driver}\nPCI_CLASS=30000\nPCI_ID=${id}\nPCI_SLOT_NAME=${address}\n`);
  write(`${path}/numa_node`, `${numa}\n`);
  link(`${path}/driver`, `../../../../bus/pci/drivers/${driver}`);
  if (group) link(`${path}/iommu_group`, `../../../kernel/iommu_groups/${group}`);
}
function usb(name: string, vendor: string, product: string, bus: number, device: number): void {
  const path = `bus/usb/devices/${name}`;
  write(`${path}/idVendor`, `${vendor}\n`);
  write(`${path}/idProduct`, `${product}\n`);
  write(`${path}/busnum`, `${bus}\n`);
  write(`${path}/devnum`, `${device}\n`);
}
const offers = (permitted: Permitted): [string, string[]][] =>
  hostDeviceOffers(permitted, readHostDevices(sys)).map(({ resource, devices }) => [
    resource,
    devices.map(({ address = '' }) => address),
  ]);

const T4 = { pciVendorSelector: '10DE:1EB8', resourceName: 'nvidia.com/T4' };

describe('PCI devices', () => {
  test('have the nodes of their group, their address and their place', () => {
    pci('0000:81:00.0', '10DE:1EB8', { group: '7', numa: '1' });
    expect(hostDeviceOffers({ pciHostDevices: [T4] }, readHostDevices(sys))).toEqual([
      {
        resource: 'nvidia.com/T4',
        variable: 'PCI_RESOURCE_NVIDIA_COM_T4',
        devices: [
          { id: '0000:81:00.0', address: '0000:81:00.0', nodes: ['/dev/vfio/vfio', '/dev/vfio/7'], numaNode: 1 },
        ],
      },
    ]);
  });

  test.each<[string, () => void, [string, string[]][]]>([
    ['are matched by their ids', () => pci('0000:82:00.0', '10DE:1234', { group: '8' }), [['nvidia.com/T4', []]]],
    [
      'are not taken from another driver',
      () => pci('0000:82:00.0', '10DE:1EB8', { driver: 'nvidia', group: '8' }),
      [['nvidia.com/T4', []]],
    ],
    ['must be isolated by an IOMMU', () => pci('0000:82:00.0', '10DE:1EB8'), [['nvidia.com/T4', []]]],
  ])('%s', (_, make, want) => {
    make();
    expect(offers({ pciHostDevices: [T4] })).toEqual(want);
  });

  test('are offered under the last resource that selects them', () => {
    pci('0000:81:00.0', '10DE:1EB8', { group: '7' });
    const other = { pciVendorSelector: '10de:1eb8', resourceName: 'example.com/gpu' };
    expect(offers({ pciHostDevices: [T4, other] })).toEqual([
      ['nvidia.com/T4', []],
      ['example.com/gpu', ['0000:81:00.0']],
    ]);
  });

  test('of another plugin are not offered', () => {
    pci('0000:81:00.0', '10DE:1EB8', { group: '7' });
    expect(offers({ pciHostDevices: [{ ...T4, externalResourceProvider: true }] })).toEqual([]);
  });
});

test('mediated devices are matched by the name of their type, in which a space is an underscore', () => {
  const path = 'bus/mdev/devices/53764d0e-85a0-42b4-af5c-2046b460b1dc';
  write(`${path}/mdev_type/name`, 'GRID T4-1Q\n');
  link(`${path}/iommu_group`, '../../../kernel/iommu_groups/12');
  const unnamed = 'bus/mdev/devices/00000000-85a0-42b4-af5c-2046b460b1dc';
  link(`${unnamed}/mdev_type`, '../mdev_supported_types/i915-GVTg_V5_4');
  link(`${unnamed}/iommu_group`, '../../../kernel/iommu_groups/13');
  const mediatedDevices = [
    { mdevNameSelector: 'GRID T4-1Q', resourceName: 'nvidia.com/GRID' },
    { mdevNameSelector: 'i915-GVTg_V5_4', resourceName: 'intel.com/GVT' },
  ];
  expect(hostDeviceOffers({ mediatedDevices }, readHostDevices(sys))).toMatchObject([
    {
      variable: 'MDEV_PCI_RESOURCE_NVIDIA_COM_GRID',
      devices: [{ address: '53764d0e-85a0-42b4-af5c-2046b460b1dc', nodes: ['/dev/vfio/vfio', '/dev/vfio/12'] }],
    },
    { resource: 'intel.com/GVT', devices: [{ nodes: ['/dev/vfio/vfio', '/dev/vfio/13'] }] },
  ]);
});

describe('USB devices', () => {
  const key = { vendor: '46F4', product: '0001' };
  const reader = { vendor: '08e6', product: '3437' };

  test('have their node and their address', () => {
    usb('1-1', '46f4', '0001', 1, 4);
    const usbDevices = [{ resourceName: 'kubevirt.io/storage', selectors: [key] }];
    expect(hostDeviceOffers({ usb: usbDevices }, readHostDevices(sys))).toEqual([
      {
        resource: 'kubevirt.io/storage',
        variable: 'USB_RESOURCE_KUBEVIRT_IO_STORAGE',
        devices: [{ id: '1-4', address: '1:4', nodes: ['/dev/bus/usb/001/004'] }],
      },
    ]);
  });

  test('are complete sets of the selected ones', () => {
    usb('1-1', '46f4', '0001', 1, 4);
    usb('1-2', '46f4', '0001', 1, 5);
    usb('1-3', '08e6', '3437', 1, 6);
    const sets = [{ resourceName: 'kubevirt.io/kit', selectors: [key, reader] }];
    expect(offers({ usb: sets })).toEqual([['kubevirt.io/kit', ['1:4,1:6']]]);
    // what one resource leaves over, another one may have
    const rest = { resourceName: 'kubevirt.io/keys', selectors: [key] };
    expect(offers({ usb: [...sets, rest] })).toEqual([
      ['kubevirt.io/kit', ['1:4,1:6']],
      ['kubevirt.io/keys', ['1:5']],
    ]);
    expect(offers({ usb: [{ ...sets[0], externalResourceProvider: true }] })).toEqual([]);
  });

  test('are not interfaces, which have no ids', () => {
    write('bus/usb/devices/1-1:1.0/bInterfaceClass', '08\n');
    expect(readHostDevices(sys).usb).toEqual([]);
  });
});

test('a node without such buses offers nothing', () => {
  expect(readHostDevices(sys)).toEqual({ pci: [], mediated: [], usb: [] });
  expect(hostDeviceOffers(undefined, readHostDevices(sys))).toEqual([]);
});
