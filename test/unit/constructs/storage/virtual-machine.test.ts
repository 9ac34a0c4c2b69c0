import { ApiObject, App, Chart, Size, Testing } from 'cdk8s';
import { Disk, VirtualMachine, VirtualMachineInstance, VirtualMachinePool } from '../../../../src';
import { virtualMachineOfPool } from '../../../../src/api';
import { mistakeOf } from '../fixtures';
import { existing, type Loose, own } from './fixtures';

const memory = Size.gibibytes(1);

/** A chart for a cluster in which every feature of disks is switched on. */
function gated(): Chart {
  const chart = new Chart(Testing.app(), 'web', { namespace: 'prod', disableResourceNameHashes: true });
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
    new VirtualMachine(chart, 'vm', { memory, disks: [disk] });
    expect(mistakeOf(() => (chart.node.root as App).synth())).toBe('nothing was thrown');
  });
});

test('a VM has one disk of each factory, and none gets in the way of another', () => {
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

test('each VM of a pool has a DataVolume of its own', () => {
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

test('an instance alone makes no DataVolume', () => {
  const make = () => new VirtualMachineInstance(gated(), 'vmi', { memory, disks: [Disk.blank(Size.gibibytes(1))] });
  expect(mistakeOf(make)).toContain('only a VM or a pool makes a disk for itself');
});

test('names that meet are told: VM-DISK may be that of two', () => {
  const chart = gated();
  new VirtualMachine(chart, 'a', { memory, disks: [Disk.blank(Size.gibibytes(1), { name: 'b-c' })] });
  new VirtualMachine(chart, 'a-b', { memory, disks: [Disk.blank(Size.gibibytes(1), { name: 'c' })] });
  const text = mistakeOf(() => (chart.node.root as App).synth());
  expect(text).toContain('disks[0].dataVolumeMetadata.name');
  expect(text).toContain('VirtualMachine "web-a" (web/a) also creates DataVolume "web-a-b-c"');
});
