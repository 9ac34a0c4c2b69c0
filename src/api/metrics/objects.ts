import { GUEST, type Metric } from './metric';

const program = 'virt-controller';
const VM = ['name', 'namespace'] as const;
const NO_MIGRATION = 'guests cannot be migrated yet';
/** Up to ten minutes: an import or a slow node. */
const TRANSITIONS = [0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 90, 120, 180, 300, 600];

const gauge = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', help, labels, program });
const transition = (help: string, ...labels: string[]): Metric => ({
  type: 'histogram',
  help,
  labels,
  program,
  buckets: TRANSITIONS,
});
/** KubeVirt declares these times as counters. */
const since = (status: string): Metric => ({
  type: 'counter',
  help: `Unix time at which the VM got its status, if its status is ${status}; else 0.`,
  labels: VM,
  program,
});
const migrating = (metric: Metric): Metric => ({ ...metric, withoutData: NO_MIGRATION });

/** Metrics about API objects, which the leading virt-controller computes from its caches. */
export const objectMetrics = {
  kubevirt_vm_info: gauge(
    'One per VirtualMachine.',
    ...VM,
    ...['os', 'workload', 'flavor', 'machine_type', 'instance_type', 'preference', 'status', 'status_group'],
  ),
  kubevirt_vm_create_date_timestamp_seconds: gauge('Unix time at which the VM was created.', ...VM),
  kubevirt_vm_starting_status_last_transition_timestamp_seconds: since('a starting one'),
  kubevirt_vm_running_status_last_transition_timestamp_seconds: since('Running'),
  kubevirt_vm_migrating_status_last_transition_timestamp_seconds: since('Migrating'),
  kubevirt_vm_non_running_status_last_transition_timestamp_seconds: since('a paused, stopping or stopped one'),
  kubevirt_vm_error_status_last_transition_timestamp_seconds: since('a failure'),
  kubevirt_vm_resource_requests: gauge(
    'CPU and memory that the VM requests. `source` is the field: `domain`, `guest`, `hugepages`, `requests`, `default`, ' +
      'or `guest_effective` for what the guest has.',
    ...VM,
    ...['resource', 'unit', 'source'],
  ),
  kubevirt_vm_resource_limits: gauge('Limits of CPU and memory of the VM.', ...VM, 'resource', 'unit'),
  kubevirt_vm_disk_allocated_size_bytes: gauge(
    'Requested size of the claim of a disk.',
    ...VM,
    ...['persistentvolumeclaim', 'volume_mode', 'device'],
  ),

  kubevirt_vmi_info: gauge(
    'One per VirtualMachineInstance.',
    ...GUEST,
    ...['phase', 'os', 'workload', 'flavor', 'instance_type', 'preference'],
    ...['guest_os_kernel_release', 'guest_os_machine', 'guest_os_arch', 'guest_os_name', 'guest_os_version_id'],
    ...['evictable', 'outdated', 'vmi_pod'],
  ),
  kubevirt_vmi_non_evictable: gauge(
    '1 if the instance must be migrated when its node is drained and cannot be migrated; else 0.',
    ...GUEST,
  ),
  kubevirt_vmi_number_of_outdated: gauge('Instances whose launcher has the image of an earlier version.'),
  kubevirt_vmi_launcher_memory_overhead_bytes: gauge(
    'Memory that the launcher Pod requests in addition to that of the guest.',
    'namespace',
    'name',
  ),
  kubevirt_vmi_phase_transition_time_seconds: transition(
    'Time between two phases of an instance.',
    'phase',
    'last_phase',
  ),
  kubevirt_vmi_phase_transition_time_from_creation_seconds: transition(
    'Time from the creation of an instance to a phase.',
    'phase',
  ),
  kubevirt_vmi_phase_transition_time_from_deletion_seconds: transition(
    'Time from the deletion of an instance to its final phase.',
    'phase',
  ),

  kubevirt_vmsnapshot_succeeded_timestamp_seconds: gauge(
    'Unix time of a successful snapshot. `name` is the VM.',
    'name',
    'snapshot_name',
    'namespace',
  ),

  kubevirt_vmi_migration_start_time_seconds: migrating(
    gauge('Unix time at which the last migration began.', ...GUEST, 'migration_name'),
  ),
  kubevirt_vmi_migration_end_time_seconds: migrating(
    gauge('Unix time at which the last migration ended.', ...GUEST, 'migration_name', 'status'),
  ),
  kubevirt_vmi_migration_succeeded: migrating(gauge('One per successful migration.', 'vmi', 'vmim', 'namespace')),
  kubevirt_vmi_migration_failed: migrating(gauge('One per failed migration.', 'vmi', 'vmim', 'namespace')),
  kubevirt_vmi_migrations_in_pending_phase: migrating(gauge('Migrations that wait.')),
  kubevirt_vmi_migrations_in_scheduling_phase: migrating(gauge('Migrations whose target Pod has no node yet.')),
  kubevirt_vmi_migrations_in_running_phase: migrating(gauge('Migrations in progress.')),
  kubevirt_vmi_migrations_in_unset_phase: migrating(gauge('Migrations that virt-controller has not seen yet.')),
  kubevirt_vmi_migration_phase_transition_time_from_creation_seconds: migrating(
    transition('Time from the creation of a migration to a phase.', 'phase'),
  ),

  kubevirt_configuration_emulation_enabled: gauge('1 if guests may run without KVM; else 0.'),
} satisfies Record<string, Metric>;
