import type { VirtualMachineInstance } from '../../../../../src/api';
import { guestMetrics } from '../../../../../src/api/metrics';
import { addGuest } from '../../../../../src/runtime/handler/metrics/guest-values';
import type { GuestMetricName } from '../../../../../src/runtime/handler/metrics/guest-values';
import type { Value } from '../../../../../src/runtime/kube/metrics';
import type { DomainStats } from '../../../../../src/runtime/protocol';

const vmi = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { namespace: 'web', name: 'db', uid: 'u' },
  spec: {
    domain: {
      cpu: { sockets: 1, cores: 2, maxSockets: 2 },
      devices: { interfaces: [{ name: 'default', masquerade: {} }] },
    },
    volumes: [{ name: 'root' }],
  },
  status: { volumeStatus: [{ name: 'plugged', target: 'sda' }] },
} as unknown as VirtualMachineInstance;
const EMPTY: DomainStats = { vcpus: [], nics: [], disks: [], filesystems: [] };
const filesystem = { diskName: 'vda1', mountPoint: '/', fileSystemType: 'ext4', usedBytes: 1, totalBytes: 2 };

function of(stats: Partial<DomainStats>, filesystems = [filesystem].slice(1)): Record<string, Value[]> {
  const values = new Map<GuestMetricName, Value[]>();
  addGuest(values, { node: 'n1', vmi, stats: { ...EMPTY, ...stats }, filesystems });
  return Object.fromEntries(values);
}
const GUEST = { node: 'n1', namespace: 'web', name: 'db' };

const everything: Partial<DomainStats> = {
  cpu: { time: 2e9, user: 1e9, system: 5e8 },
  memory: {
    ...{ total: 1, balloon: 2, rss: 3, available: 4, unused: 5, usable: 6, cached: 7, swapIn: 8, swapOut: 9 },
    ...{ majorFaults: 10, minorFaults: 11 },
  },
  vcpus: [{ id: 0, state: 'running', time: 1e9, wait: 2e9, delay: 3e9 }],
  nics: [
    {
      name: 'default',
      ...{ rxBytes: 1, rxPackets: 2, rxErrors: 3, rxDropped: 4, txBytes: 5, txPackets: 6, txErrors: 7, txDropped: 8 },
    },
  ],
  disks: [
    {
      name: 'root',
      ...{ reads: 1, readBytes: 2, readTime: 3e9, writes: 4, writtenBytes: 5, writeTime: 6e9 },
      ...{ flushes: 7, flushTime: 8e9 },
    },
  ],
  load: [1, 2, 3],
};

test('every metric of a guest that can have data has a value, with the labels of the table', () => {
  const values = of(everything, [filesystem]);
  const expected = Object.entries(guestMetrics)
    .filter(([name, metric]) => !('withoutData' in metric) && name !== 'kubevirt_vmi_guest_os_panic_total')
    .map(([name, { labels }]) => [name, [...labels].sort()]);
  expect(expected.length).toBeGreaterThan(30);
  expect(
    Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, Object.keys(first!.labels!).sort()])),
  ).toEqual(Object.fromEntries(expected));
});

test.each<[GuestMetricName, number, object]>([
  ['kubevirt_vmi_cpu_usage_seconds_total', 2, {}],
  ['kubevirt_vmi_vcpu_seconds_total', 1, { id: '0', state: 'running' }],
  ['kubevirt_vmi_vcpu_delay_seconds_total', 3, { id: '0' }],
  ['kubevirt_vmi_memory_resident_bytes', 3072, {}],
  ['kubevirt_vmi_memory_swap_out_traffic_bytes', 9216, {}],
  ['kubevirt_vmi_memory_pgmajfault_total', 10, {}],
  ['kubevirt_vmi_network_transmit_packets_dropped_total', 8, { interface: 'default' }],
  ['kubevirt_vmi_storage_write_traffic_bytes_total', 5, { drive: 'root' }],
  ['kubevirt_vmi_storage_flush_times_seconds_total', 8, { drive: 'root' }],
  ['kubevirt_vmi_filesystem_used_bytes', 1, { disk_name: 'vda1', mount_point: '/', file_system_type: 'ext4' }],
  ['kubevirt_vmi_guest_load_15m', 3, {}],
])('%s is %d in its unit', (name, value, labels) =>
  expect(of(everything, [filesystem])[name]).toEqual([{ labels: { ...GUEST, ...labels }, value }]),
);

test.each<[string, Partial<DomainStats>, GuestMetricName, string, string[]]>([
  [
    'disks that the spec does not have',
    { disks: ['root', 'plugged', 'invented'].map((name) => ({ name, reads: 1 })) },
    'kubevirt_vmi_storage_iops_read_total',
    'drive',
    ['root', 'plugged'],
  ],
  [
    'NICs that the spec does not have',
    { nics: ['default', 'invented'].map((name) => ({ name, rxBytes: 1 })) },
    'kubevirt_vmi_network_receive_bytes_total',
    'interface',
    ['default'],
  ],
  [
    'vCPUs that the guest cannot get',
    { vcpus: [0, 3, 4, 1.5].map((id) => ({ id, time: 1 })) },
    'kubevirt_vmi_vcpu_seconds_total',
    'id',
    ['0', '3'],
  ],
  ['repeated vCPUs', { vcpus: [0, 0].map((id) => ({ id, time: 1 })) }, 'kubevirt_vmi_vcpu_seconds_total', 'id', ['0']],
])('%s are left out', (_, stats, name, label, want) =>
  expect(of(stats)[name]?.map(({ labels }) => labels?.[label])).toEqual(want),
);

test('unknown values have no series', () => expect(of({})).toEqual({}));
