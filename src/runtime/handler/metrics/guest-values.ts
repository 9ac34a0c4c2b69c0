import { guestMetrics } from '../../../api/metrics';
import { namedVcpus } from '../../../api/defaulting/cpu';
import type { VirtualMachineInstance } from '../../../api';
import type { DomainStats, FilesystemStats } from '../../protocol';
import type { Value } from '../../kube/metrics';

export type GuestMetricName = keyof typeof guestMetrics;

/** A running guest with the statistics that its launcher reported. */
export interface GuestReport {
  readonly node: string;
  readonly vmi: VirtualMachineInstance;
  readonly stats: DomainStats;
  /** File systems that may be reported. */
  readonly filesystems: readonly FilesystemStats[];
}

type Add = (name: GuestMetricName, value: number | undefined, labels?: Readonly<Record<string, string>>) => void;

const KIBIBYTE = 1024;
const NANOSECOND = 1e-9;

/**
 * Adds the values of a guest to those of the node. Pure. The launcher is not trusted: NICs, disks and vCPUs that the spec
 * does not have are left out, so that it cannot create any number of time series.
 */
export function addGuest(values: Map<GuestMetricName, Value[]>, report: GuestReport): void {
  const { node, vmi, stats } = report;
  const guest = { node, namespace: vmi.metadata.namespace, name: vmi.metadata.name };
  const add: Add = (name, value, labels) => {
    if (value === undefined) return;
    const list = values.get(name) ?? [];
    list.push({ labels: { ...guest, ...labels }, value });
    values.set(name, list);
  };
  addCpu(add, stats, vmi);
  addMemory(add, stats);
  addNics(add, stats, vmi);
  addDisks(add, stats, vmi);
  addFilesystems(add, report.filesystems);
}

const scaled = (value: number | undefined, unit: number): number | undefined =>
  value === undefined ? undefined : value * unit;

function addCpu(add: Add, { cpu = {}, vcpus, load }: DomainStats, vmi: VirtualMachineInstance): void {
  const seconds = (value: number | undefined): number | undefined => scaled(value, NANOSECOND);
  add('kubevirt_vmi_cpu_usage_seconds_total', seconds(cpu.time));
  add('kubevirt_vmi_cpu_user_usage_seconds_total', seconds(cpu.user));
  add('kubevirt_vmi_cpu_system_usage_seconds_total', seconds(cpu.system));
  const most = vcpusOf(vmi);
  for (const vcpu of firstOfEach(vcpus, ({ id }) => id)) {
    if (!Number.isInteger(vcpu.id) || vcpu.id >= most) continue;
    const id = String(vcpu.id);
    add('kubevirt_vmi_vcpu_seconds_total', seconds(vcpu.time), { id, state: vcpu.state ?? 'unknown' });
    add('kubevirt_vmi_vcpu_wait_seconds_total', seconds(vcpu.wait), { id });
    add('kubevirt_vmi_vcpu_delay_seconds_total', seconds(vcpu.delay), { id });
  }
  add('kubevirt_vmi_guest_load_1m', load?.[0]);
  add('kubevirt_vmi_guest_load_5m', load?.[1]);
  add('kubevirt_vmi_guest_load_15m', load?.[2]);
}

/** Number of vCPUs that the guest has or can get while it runs. */
function vcpusOf({ spec }: VirtualMachineInstance): number {
  const { cpu = {} } = spec.domain;
  return Math.max(1, namedVcpus({ ...cpu, sockets: Math.max(cpu.sockets ?? 0, cpu.maxSockets ?? 0) || undefined }));
}

function addMemory(add: Add, { memory = {} }: DomainStats): void {
  const bytes = (value: number | undefined): number | undefined => scaled(value, KIBIBYTE);
  add('kubevirt_vmi_memory_domain_bytes', bytes(memory.total));
  add('kubevirt_vmi_memory_actual_balloon_bytes', bytes(memory.balloon));
  add('kubevirt_vmi_memory_resident_bytes', bytes(memory.rss));
  add('kubevirt_vmi_memory_available_bytes', bytes(memory.available));
  add('kubevirt_vmi_memory_unused_bytes', bytes(memory.unused));
  add('kubevirt_vmi_memory_usable_bytes', bytes(memory.usable));
  add('kubevirt_vmi_memory_cached_bytes', bytes(memory.cached));
  add('kubevirt_vmi_memory_swap_in_traffic_bytes', bytes(memory.swapIn));
  add('kubevirt_vmi_memory_swap_out_traffic_bytes', bytes(memory.swapOut));
  add('kubevirt_vmi_memory_pgmajfault_total', memory.majorFaults);
  add('kubevirt_vmi_memory_pgminfault_total', memory.minorFaults);
}

function addNics(add: Add, { nics }: DomainStats, { spec }: VirtualMachineInstance): void {
  const known = new Set(spec.domain.devices.interfaces?.map(({ name }) => name));
  for (const nic of firstOfEach(nics, ({ name }) => name)) {
    if (!known.has(nic.name)) continue;
    const labels = { interface: nic.name };
    add('kubevirt_vmi_network_receive_bytes_total', nic.rxBytes, labels);
    add('kubevirt_vmi_network_receive_packets_total', nic.rxPackets, labels);
    add('kubevirt_vmi_network_receive_errors_total', nic.rxErrors, labels);
    add('kubevirt_vmi_network_receive_packets_dropped_total', nic.rxDropped, labels);
    add('kubevirt_vmi_network_transmit_bytes_total', nic.txBytes, labels);
    add('kubevirt_vmi_network_transmit_packets_total', nic.txPackets, labels);
    add('kubevirt_vmi_network_transmit_errors_total', nic.txErrors, labels);
    add('kubevirt_vmi_network_transmit_packets_dropped_total', nic.txDropped, labels);
    add('kubevirt_vmi_network_traffic_bytes_total', nic.rxBytes, { ...labels, type: 'rx' });
    add('kubevirt_vmi_network_traffic_bytes_total', nic.txBytes, { ...labels, type: 'tx' });
  }
}

function addDisks(add: Add, { disks }: DomainStats, { spec, status }: VirtualMachineInstance): void {
  const known = new Set([...(spec.volumes ?? []), ...(status?.volumeStatus ?? [])].map(({ name }) => name));
  for (const disk of firstOfEach(disks, ({ name }) => name)) {
    if (!known.has(disk.name)) continue;
    const labels = { drive: disk.name };
    add('kubevirt_vmi_storage_iops_read_total', disk.reads, labels);
    add('kubevirt_vmi_storage_iops_write_total', disk.writes, labels);
    add('kubevirt_vmi_storage_read_traffic_bytes_total', disk.readBytes, labels);
    add('kubevirt_vmi_storage_write_traffic_bytes_total', disk.writtenBytes, labels);
    add('kubevirt_vmi_storage_read_times_seconds_total', scaled(disk.readTime, NANOSECOND), labels);
    add('kubevirt_vmi_storage_write_times_seconds_total', scaled(disk.writeTime, NANOSECOND), labels);
    add('kubevirt_vmi_storage_flush_requests_total', disk.flushes, labels);
    add('kubevirt_vmi_storage_flush_times_seconds_total', scaled(disk.flushTime, NANOSECOND), labels);
  }
}

function addFilesystems(add: Add, filesystems: readonly FilesystemStats[]): void {
  for (const { diskName, mountPoint, fileSystemType, totalBytes, usedBytes } of filesystems) {
    const labels = { disk_name: diskName, mount_point: mountPoint, file_system_type: fileSystemType };
    add('kubevirt_vmi_filesystem_capacity_bytes', totalBytes, labels);
    add('kubevirt_vmi_filesystem_used_bytes', usedBytes, labels);
  }
}

/** A repeated series would be rejected by Prometheus. */
export function firstOfEach<T>(list: readonly T[], key: (item: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return list.filter((item) => {
    const known = seen.has(key(item));
    seen.add(key(item));
    return !known;
  });
}
