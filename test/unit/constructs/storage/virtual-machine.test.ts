import { ApiObject, App, Chart, Size } from 'cdk8s';
import { Disk, VirtualMachine, VirtualMachineInstance, VirtualMachinePool } from '../../../../src';
import { virtualMachineOfPool } from '../../../../src/api';
import { mistakeOf } from '../fixtures';
import { existing, type Loose, own } from './fixtures';
import { testApp } from '../../../support/app';

const memory = Size.gibibytes(1);

/** Returns a chart for a cluster with every feature gate of disks. */
function gated(): Chart {
  const chart = new Chart(testApp(), 'web', { namespace: 'prod', disableResourceNameHashes: true });
  const featureGates = [
    'HostDisk',
    'DownwardMetrics',
    'DeclarativeHotplugVolumes',
    'PersistentReservation',
    'EnableVirtioFsStorageVolumes',
    'VirtIOFSStorageVolumeGate',
    'VirtIOFSConfigVolumesGate',
  ];
  chart.node.setContext('virt8s.io/configuration', { developerConfiguration: { featureGates } });
  return chart;
}

describe('every rule accepts a VM with', () => {
  test.each([...existing, ...own].map(([name, disk]) => [name, disk] as const))('%s', (_, disk) => {
    const chart = gated();
    const system = Disk.containerDisk('registry.example/os:1', { name: 'system' });
    new VirtualMachine(chart, 'vm', { memory, disks: [disk, system] });
    expect(mistakeOf(() => (chart.node.root as App).synth())).toBe('nothing was thrown');
  });
});

test('a VM accepts one disk of each factory', () => {
  const chart = gated();
  const vm = new VirtualMachine(chart, 'vm', {
    memory,
    disks: [
      Disk.containerDisk('registry.example/os:1'),
      Disk.memoryDump({ name: 'dump' }, { name: 'dump' }),
      Disk.emptyCdrom({ name: 'cd' }),
      Disk.containerPath('/mnt/x', { name: 'folder' }),
      Disk.blank(Size.gibibytes(1), { name: 'data' }),
    ],
  });
  const { dataVolumeTemplates, template } = ApiObject.of(vm).toJson().spec;
  const names = (list: Loose[]): string[] => list.map(({ name }) => name);
  expect(names(template.spec.domain.devices.disks)).toEqual(['disk0', 'cd', 'data']);
  expect(names(template.spec.domain.devices.filesystems)).toEqual(['folder']);
  expect(names(template.spec.volumes)).toEqual(['disk0', 'dump', 'folder', 'data']);
  expect(dataVolumeTemplates.map(({ metadata }: Loose) => metadata.name)).toEqual(['web-vm-data']);
});

test('each VM of a pool has its own DataVolume', () => {
  const labels = { app: 'web' };
  const pool = new VirtualMachinePool(gated(), 'pool', {
    memory,
    replicas: 2,
    disks: [Disk.blank(Size.gibibytes(1))],
    instanceMetadata: { labels },
  });
  const made = virtualMachineOfPool(ApiObject.of(pool).toJson(), 1) as Loose;
  expect(made.spec.dataVolumeTemplates[0].metadata.name).toBe('web-pool-disk0-1');
  expect(made.spec.template.spec.volumes[0]).toEqual({ name: 'disk0', dataVolume: { name: 'web-pool-disk0-1' } });
});

test('rejects a disk that an instance without a VM would have to create', () => {
  const make = () => new VirtualMachineInstance(gated(), 'vmi', { memory, disks: [Disk.blank(Size.gibibytes(1))] });
  expect(mistakeOf(make)).toContain('only a VM or a pool can create a disk together with itself');
});

test('reports two DataVolumes with the same name VM-DISK', () => {
  const chart = gated();
  new VirtualMachine(chart, 'a', { memory, disks: [Disk.blank(Size.gibibytes(1), { name: 'b-c' })] });
  new VirtualMachine(chart, 'a-b', { memory, disks: [Disk.blank(Size.gibibytes(1), { name: 'c' })] });
  const text = mistakeOf(() => (chart.node.root as App).synth());
  expect(text).toContain('disks[0].dataVolumeMetadata.name');
  expect(text).toContain('VirtualMachine "web-a" (web/a) also creates DataVolume "web-a-b-c"');
});
