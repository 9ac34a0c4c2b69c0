import { metricTable } from '../../../../src/api/metrics';

const all = Object.entries(metricTable);

test('names and labels are valid in Prometheus, and each metric has a text', () => {
  const wrong = all.filter(
    ([name, { labels, help }]) =>
      !/^kubevirt_[a-z0-9_]+$/.test(name) ||
      labels.some((label) => !/^[a-z_]+$/.test(label)) ||
      new Set(labels).size !== labels.length ||
      !/^[1A-Z].*\.$/s.test(help),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

test('histograms have buckets in ascending order, and other metrics have none', () => {
  const wrong = all.filter(([, { type, buckets }]) =>
    type === 'histogram' ? !buckets || buckets.some((bound, i) => i > 0 && bound <= buckets[i - 1]!) : buckets,
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

/** Names that dashboards and alerts of KubeVirt's users rely on. */
const EXPECTED = [
  ...['info', 'vmi_info', 'vm_info', 'vmi_non_evictable', 'vmi_number_of_outdated'],
  ...['', 'from_creation_', 'from_deletion_'].map((of) => `vmi_phase_transition_time_${of}seconds`),
  ...['usage', 'system_usage', 'user_usage'].map((of) => `vmi_cpu_${of}_seconds_total`),
  ...['', 'wait_', 'delay_'].map((of) => `vmi_vcpu_${of}seconds_total`),
  ...['resident', 'available', 'unused', 'usable', 'cached', 'domain', 'actual_balloon'].map(
    (of) => `vmi_memory_${of}_bytes`,
  ),
  ...['in', 'out'].map((way) => `vmi_memory_swap_${way}_traffic_bytes`),
  ...['maj', 'min'].map((kind) => `vmi_memory_pg${kind}fault_total`),
  ...['receive', 'transmit'].flatMap((way) =>
    ['bytes', 'packets', 'errors', 'packets_dropped'].map((of) => `vmi_network_${way}_${of}_total`),
  ),
  ...['read', 'write'].flatMap((way) => [
    `vmi_storage_iops_${way}_total`,
    `vmi_storage_${way}_traffic_bytes_total`,
    `vmi_storage_${way}_times_seconds_total`,
  ]),
  ...['vmi_storage_flush_requests_total', 'vmi_storage_flush_times_seconds_total'],
  ...['vmi_filesystem_capacity_bytes', 'vmi_filesystem_used_bytes'],
  ...['data_bytes_total', 'data_processed_bytes', 'data_remaining_bytes', 'dirty_memory_rate_bytes'].map(
    (of) => `vmi_migration_${of}`,
  ),
  ...['memory_transfer_rate_bytes', 'start_time_seconds', 'end_time_seconds', 'succeeded', 'failed'].map(
    (of) => `vmi_migration_${of}`,
  ),
  ...['pending', 'scheduling', 'running', 'unset'].map((phase) => `vmi_migrations_in_${phase}_phase`),
  'vmi_migration_phase_transition_time_from_creation_seconds',
  ...['starting', 'running', 'migrating', 'non_running', 'error'].map(
    (status) => `vm_${status}_status_last_transition_timestamp_seconds`,
  ),
  ...['vm_resource_requests', 'vm_resource_limits', 'vm_disk_allocated_size_bytes'],
  ...['vmi_launcher_memory_overhead_bytes', 'vmsnapshot_succeeded_timestamp_seconds'],
  ...['console_active', 'vnc_active', 'usbredir_active'].map((of) => `${of}_connections`),
  'portforward_active_tunnels',
  ...['api', 'controller', 'handler', 'operator'].map((program) => `virt_${program}_ready_status`),
  ...['controller', 'operator'].map((program) => `virt_${program}_leading_status`),
  ...['requests_total', 'request_latency_seconds', 'rate_limiter_duration_seconds'].map((of) => `rest_client_${of}`),
  ...['depth', 'adds_total', 'retries_total', 'longest_running_processor_seconds', 'unfinished_work_seconds'].map(
    (of) => `workqueue_${of}`,
  ),
  ...['queue', 'work'].map((of) => `workqueue_${of}_duration_seconds`),
];

test('the table has every name that users of KubeVirt rely on', () =>
  expect(EXPECTED.map((name) => `kubevirt_${name}`).filter((name) => !(name in metricTable))).toEqual([]));
