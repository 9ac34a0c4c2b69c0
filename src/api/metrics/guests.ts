import { GUEST, type Metric } from './metric';

const program = 'virt-handler';
const NO_MIGRATION = 'guests cannot be migrated yet';

const of =
  (type: 'counter' | 'gauge', ...labels: string[]) =>
  (help: string): Metric => ({ type, help, labels: [...GUEST, ...labels], program });
const counter = of('counter');
const gauge = of('gauge');
const perVcpu = of('counter', 'id');
const perDrive = of('counter', 'drive');
const perNic = of('counter', 'interface');
const perFilesystem = of('gauge', 'disk_name', 'mount_point', 'file_system_type');
const migrating = (type: 'counter' | 'gauge', help: string): Metric => ({
  ...of(type)(help),
  withoutData: NO_MIGRATION,
});

/** Metrics of running guests, which virt-handler reads from libvirt and from the guest agent. */
export const guestMetrics = {
  kubevirt_vmi_cpu_usage_seconds_total: counter('CPU time of the guest and of its QEMU.'),
  kubevirt_vmi_cpu_user_usage_seconds_total: counter('CPU time of QEMU in user mode.'),
  kubevirt_vmi_cpu_system_usage_seconds_total: counter('CPU time of QEMU in system mode.'),
  kubevirt_vmi_vcpu_seconds_total: of(
    'counter',
    'id',
    'state',
  )('CPU time of a vCPU. `state` is its current state: `running`, `blocked` or `offline`.'),
  kubevirt_vmi_vcpu_wait_seconds_total: perVcpu('Time for which a vCPU waited for I/O of the node.'),
  kubevirt_vmi_vcpu_delay_seconds_total: perVcpu(
    'Time for which a vCPU was ready to run and waited for a CPU of the node.',
  ),
  kubevirt_vmi_guest_load_1m: gauge(
    'Load average of the guest over one minute. Requires version 10.0 of the guest agent.',
  ),
  kubevirt_vmi_guest_load_5m: gauge(
    'Load average of the guest over 5 minutes. Requires version 10.0 of the guest agent.',
  ),
  kubevirt_vmi_guest_load_15m: gauge(
    'Load average of the guest over 15 minutes. Requires version 10.0 of the guest agent.',
  ),

  kubevirt_vmi_memory_resident_bytes: gauge('Resident memory of the QEMU process.'),
  kubevirt_vmi_memory_available_bytes: gauge('Memory that the operating system of the guest can use in total.'),
  kubevirt_vmi_memory_unused_bytes: gauge('Memory that the guest does not use at all.'),
  kubevirt_vmi_memory_usable_bytes: gauge(
    'Memory that programs in the guest can still get without swapping: `MemAvailable` of Linux.',
  ),
  kubevirt_vmi_memory_cached_bytes: gauge('Caches of the guest that it can drop.'),
  kubevirt_vmi_memory_domain_bytes: gauge('Memory that the guest has in total, as libvirt sees it.'),
  kubevirt_vmi_memory_actual_balloon_bytes: gauge('Memory that the balloon leaves to the guest.'),
  kubevirt_vmi_memory_swap_in_traffic_bytes: gauge(
    'Bytes that the guest has read from its swap space since it booted.',
  ),
  kubevirt_vmi_memory_swap_out_traffic_bytes: gauge(
    'Bytes that the guest has written to its swap space since it booted.',
  ),
  kubevirt_vmi_memory_pgmajfault_total: counter('Page faults of the guest that needed its disks.'),
  kubevirt_vmi_memory_pgminfault_total: counter('Page faults of the guest that did not need its disks.'),

  kubevirt_vmi_network_receive_bytes_total: perNic('Bytes that the guest has received.'),
  kubevirt_vmi_network_transmit_bytes_total: perNic('Bytes that the guest has sent.'),
  kubevirt_vmi_network_receive_packets_total: perNic('Packets that the guest has received.'),
  kubevirt_vmi_network_transmit_packets_total: perNic('Packets that the guest has sent.'),
  kubevirt_vmi_network_receive_errors_total: perNic('Packets to the guest with errors.'),
  kubevirt_vmi_network_transmit_errors_total: perNic('Packets of the guest with errors.'),
  kubevirt_vmi_network_receive_packets_dropped_total: perNic('Packets to the guest that were dropped.'),
  kubevirt_vmi_network_transmit_packets_dropped_total: perNic('Packets of the guest that were dropped.'),
  kubevirt_vmi_network_traffic_bytes_total: of(
    'counter',
    'interface',
    'type',
  )('Deprecated: bytes received (`type="rx"`) and sent (`type="tx"`).'),

  kubevirt_vmi_storage_iops_read_total: perDrive('Reads of a disk.'),
  kubevirt_vmi_storage_iops_write_total: perDrive('Writes of a disk.'),
  kubevirt_vmi_storage_read_traffic_bytes_total: perDrive('Bytes that were read from a disk.'),
  kubevirt_vmi_storage_write_traffic_bytes_total: perDrive('Bytes that were written to a disk.'),
  kubevirt_vmi_storage_read_times_seconds_total: perDrive('Time of the reads of a disk.'),
  kubevirt_vmi_storage_write_times_seconds_total: perDrive('Time of the writes of a disk.'),
  kubevirt_vmi_storage_flush_requests_total: perDrive('Flushes of a disk.'),
  kubevirt_vmi_storage_flush_times_seconds_total: perDrive('Time of the flushes of a disk.'),

  kubevirt_vmi_filesystem_capacity_bytes: perFilesystem(
    'Size of a file system of the guest. Requires the guest agent.',
  ),
  kubevirt_vmi_filesystem_used_bytes: perFilesystem(
    'Used part of a file system of the guest. Requires the guest agent.',
  ),

  kubevirt_vmi_guest_os_panic_total: {
    type: 'counter',
    help: 'Panics of the operating system of the guest. Requires a panic device.',
    labels: ['namespace', 'name', 'type', 'bugcheck_code'],
    program,
  },

  kubevirt_vmi_migration_data_bytes_total: migrating('counter', 'Data that a migration has to transfer.'),
  kubevirt_vmi_migration_data_processed_bytes: migrating('gauge', 'Data that a migration has transferred.'),
  kubevirt_vmi_migration_data_remaining_bytes: migrating('gauge', 'Data that a migration still has to transfer.'),
  kubevirt_vmi_migration_dirty_memory_rate_bytes: migrating(
    'gauge',
    'Memory that the guest changes per second during a migration.',
  ),
  kubevirt_vmi_migration_memory_transfer_rate_bytes: migrating('gauge', 'Bytes per second of a migration.'),
} satisfies Record<string, Metric>;
