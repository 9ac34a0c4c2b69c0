import { podsOf } from './rule';
import type { RecordingRule } from './rule';

const PROGRAMS = ['api', 'controller', 'operator', 'handler'] as const;
const LEADERS = ['controller', 'operator'] as const;
const CONTAINERS = 'virt-controller|virt-api|virt-handler|virt-operator|compute';
const COMPUTE = 'pod=~"virt-launcher-.*",container="compute"';

/** Names that earlier versions of KubeVirt had. Dashboards of users still query them. */
const FORMER: readonly (readonly [name: string, now: string])[] = [
  ['kubevirt_allocatable_nodes', 'cluster:kubevirt_nodes_allocatable:count'],
  ['kubevirt_nodes_with_kvm', 'cluster:kubevirt_nodes_with_kvm:count'],
  ['kubevirt_api_request_deprecated_total', 'cluster:kubevirt_api_request_deprecated_total:sum'],
  ['kubevirt_memory_delta_from_requested_bytes', 'container:kubevirt_memory_delta_from_requested_bytes:max'],
  ['kubevirt_number_of_vms', 'namespace:kubevirt_vm:sum'],
  ['kubevirt_vmi_phase_count', 'node:kubevirt_vmi_phase:sum'],
  ['kubevirt_vmi_memory_used_bytes', 'vmi:kubevirt_vmi_memory_used_bytes:sum'],
  ['kubevirt_vmi_guest_vcpu_queue', 'vmi:kubevirt_vmi_guest_queue_length:sum'],
  ['kubevirt_vmi_migration_data_total_bytes', 'kubevirt_vmi_migration_data_bytes_total'],
  ['kubevirt_vmsnapshot_persistentvolumeclaim_labels', 'pvc:kubevirt_vmsnapshot_labels:info'],
  ['kubevirt_vmsnapshot_disks_restored_from_source', 'vm:kubevirt_vmsnapshot_disks_restored:sum'],
  ['kubevirt_vmsnapshot_disks_restored_from_source_bytes', 'vm:kubevirt_vmsnapshot_restored_bytes:sum'],
  ...(['rss', 'working_set'] as const).map(
    (of) =>
      [
        `kubevirt_vm_container_memory_request_margin_based_on_${of}_bytes`,
        `pod_container:kubevirt_vm_memory_request_margin_based_on_${of}_bytes:sum`,
      ] as const,
  ),
  ...PROGRAMS.map((program) => [`kubevirt_virt_${program}_up`, `cluster:kubevirt_virt_${program}_up:sum`] as const),
  ...LEADERS.map(
    (program) => [`kubevirt_virt_${program}_ready`, `cluster:kubevirt_virt_${program}_ready:sum`] as const,
  ),
  ['kubevirt_virt_operator_leading', 'cluster:kubevirt_virt_operator_leading:sum'],
];

/** Returns the recording rules, with KubeVirt's names. */
export function recordingRules(namespace: string): RecordingRule[] {
  const record = (name: string, expr: string): RecordingRule => ({ record: name, expr });
  return [
    ...programs(namespace),
    ...nodes(),
    ...guests(),
    ...snapshots(),
    ...memory(),
    record(
      'cluster:kubevirt_api_request_deprecated_total:sum',
      'sum by (group, version, resource, subresource, verb) (apiserver_request_total{group="kubevirt.io"}) * ' +
        'on (group, version, resource, subresource) group_left () ' +
        'group by (group, version, resource, subresource) (apiserver_requested_deprecated_apis{group="kubevirt.io"})',
    ),
    record(
      'pvc:kubevirt_suspected_orphaned_storage_bytes:info',
      '(kube_persistentvolumeclaim_info unless on (namespace, persistentvolumeclaim) ' +
        '(kube_pod_spec_volumes_persistentvolumeclaims_info or kubevirt_vm_disk_allocated_size_bytes)) * ' +
        'on (namespace, persistentvolumeclaim) group_left () kube_persistentvolumeclaim_resource_requests_storage_bytes',
    ),
    // each refers to a rule above
    ...FORMER.map(([name, now]) => record(name, now)),
  ];
}

function programs(namespace: string): RecordingRule[] {
  return [
    ...PROGRAMS.flatMap((program) => {
      const pods = podsOf(namespace, program);
      const rule = (of: string, expr: string): RecordingRule => ({
        record: `cluster:kubevirt_virt_${program}_${of}`,
        expr: `${expr} or vector(0)`,
      });
      return [
        rule('up:sum', `sum(max by (pod) (up{${pods}}))`),
        rule('pods_running:count', `count(max by (pod) (kube_pod_status_phase{${pods},phase="Running"}) == 1)`),
        rule(
          'ready:sum',
          `sum(max by (pod) (kube_pod_status_ready{${pods},condition="true"}) * ` +
            `on (pod) max by (pod) (kubevirt_virt_${program}_ready_status{${pods}}))`,
        ),
      ];
    }),
    ...LEADERS.map((program) => ({
      record: `cluster:kubevirt_virt_${program}_leading:sum`,
      expr: `sum(kubevirt_virt_${program}_leading_status{${podsOf(namespace, program)}}) or vector(0)`,
    })),
  ];
}

function nodes(): RecordingRule[] {
  return [
    {
      record: 'cluster:kubevirt_non_schedulable_nodes:sum',
      expr: 'count(count by (node) (kube_node_role{role="arbiter"})) or vector(0)',
    },
    {
      record: 'cluster:kubevirt_nodes_allocatable:count',
      expr: 'count(count by (node) (kube_node_status_allocatable)) - cluster:kubevirt_non_schedulable_nodes:sum',
    },
    {
      record: 'cluster:kubevirt_nodes_with_kvm:count',
      expr: 'count(kube_node_status_allocatable{resource="devices_kubevirt_io_kvm"} > 0) or vector(0)',
    },
  ];
}

function guests(): RecordingRule[] {
  const byGuest = (expr: string): string => `sum by (name, namespace) (${expr})`;
  const facts = ['node', 'phase', 'os', 'workload', 'flavor', 'instance_type', 'preference'];
  const ofGuest = ['kernel_release', 'machine', 'arch', 'name', 'version_id'].map((fact) => `guest_os_${fact}`);
  const swap = (range: string): string =>
    ['in', 'out'].map((way) => byGuest(`rate(kubevirt_vmi_memory_swap_${way}_traffic_bytes[${range}])`)).join(' + ');
  return [
    {
      record: 'namespace:kubevirt_vm:sum',
      expr: 'count by (namespace) (count by (name, namespace) (kubevirt_vm_info))',
    },
    {
      record: 'node:kubevirt_vmi_phase:sum',
      expr: `sum by (${[...facts, ...ofGuest].join(', ')}) (kubevirt_vmi_info)`,
    },
    {
      record: 'vmi:kubevirt_vmi_memory_used_bytes:sum',
      expr: 'kubevirt_vmi_memory_available_bytes - kubevirt_vmi_memory_usable_bytes',
    },
    {
      record: 'vmi:kubevirt_vmi_memory_available_bytes:sum',
      expr: byGuest('kubevirt_vmi_memory_available_bytes'),
    },
    {
      record: 'vmi:kubevirt_vmi_memory_headroom_ratio:sum',
      expr: `${byGuest('kubevirt_vmi_memory_usable_bytes')} / ${byGuest('kubevirt_vmi_memory_available_bytes')}`,
    },
    {
      record: 'vmi:kubevirt_vmi_vcpu:count',
      expr: 'count by (namespace, name, node) (kubevirt_vmi_vcpu_seconds_total)',
    },
    {
      record: 'vmi:kubevirt_vmi_guest_queue_length:sum',
      expr: byGuest('clamp_min(kubevirt_vmi_guest_load_1m - vmi:kubevirt_vmi_vcpu:count, 0)'),
    },
    ...(['5m', '30m'] as const).flatMap((range) => [
      {
        record: `vmi:kubevirt_vmi_pgmajfaults:rate${range}`,
        expr: byGuest(`rate(kubevirt_vmi_memory_pgmajfault_total[${range}])`),
      },
      { record: `vmi:kubevirt_vmi_swap_traffic_bytes:rate${range}`, expr: swap(range) },
    ]),
  ];
}

function snapshots(): RecordingRule[] {
  const source = (of: string): string => `label_restore_kubevirt_io_source_vm_${of}`;
  const named = (expr: string, of: string): string =>
    `label_replace(${expr}, "vm_${of}", "$1", "${source(of)}", "(.*)")`;
  const labelled = `kube_persistentvolumeclaim_labels{${source('name')}!="",${source('namespace')}!=""} == 1`;
  return [
    { record: 'pvc:kubevirt_vmsnapshot_labels:info', expr: named(named(labelled, 'namespace'), 'name') },
    {
      record: 'vm:kubevirt_vmsnapshot_disks_restored:sum',
      expr: 'sum by (vm_name, vm_namespace) (pvc:kubevirt_vmsnapshot_labels:info)',
    },
    {
      record: 'vm:kubevirt_vmsnapshot_restored_bytes:sum',
      expr:
        'sum by (vm_name, vm_namespace) (kube_persistentvolumeclaim_resource_requests_storage_bytes * ' +
        'on (persistentvolumeclaim, namespace) group_left (vm_name, vm_namespace) pvc:kubevirt_vmsnapshot_labels:info)',
    },
  ];
}

function memory(): RecordingRule[] {
  return (['working_set', 'rss'] as const).flatMap((of) => {
    const used = of === 'rss' ? 'container_memory_rss' : 'container_memory_working_set_bytes';
    const requested = 'kube_pod_container_resource_requests';
    const each = 'namespace, pod, container';
    return [
      {
        record: 'container:kubevirt_memory_delta_from_requested_bytes:max',
        expr:
          `topk by (container) (1, max by (container, namespace, pod) (${used}{container=~"${CONTAINERS}",pod=~"virt-.*"}) - ` +
          `on (${each}) group_left (node) ` +
          `max by (${each}, node) (${requested}{container=~"${CONTAINERS}",pod=~"virt-.*",resource="memory"}))`,
        labels: { reason: `memory_${of}_delta_from_request` },
      },
      {
        record: `pod_container:kubevirt_vm_memory_request_margin_based_on_${of}_bytes:sum`,
        expr:
          `sum by (pod, container, namespace) (${requested}{${COMPUTE},resource="memory"}) - ` +
          `on (pod, container, namespace) max by (pod, container, namespace) (${used}{${COMPUTE}})`,
      },
    ];
  });
}
