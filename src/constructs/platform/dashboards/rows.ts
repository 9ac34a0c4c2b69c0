import type { Panel, Row, Unit } from './panel';

/** Guests that a user selects above the panels. */
const GUEST = 'namespace=~"$namespace",name=~"$name"';
/** Guests in a graph: more lines cannot be distinguished. */
const MOST = 10;

const RATE = '$__rate_interval';

const rate = (metric: string): string => `rate(${metric}{${GUEST}}[${RATE}])`;
const byGuest = (expr: string): string => `topk(${MOST}, sum by (namespace, name) (${expr}))`;
const LEGEND = '{{namespace}}/{{name}}';

const stat = (title: string, expr: string, description: string): Panel => ({
  ...{ title, description, unit: 'short', isStat: true },
  queries: [{ expr, legend: '' }],
});

const guests = (title: string, unit: Unit, description: string, ...exprs: (readonly [string, string])[]): Panel => ({
  ...{ title, description, unit },
  queries: exprs.map(([expr, what]) => ({ expr: byGuest(expr), legend: what ? `${LEGEND} ${what}` : LEGEND })),
});

const latency = (histogram: string, by: string, quantile: number): string =>
  `histogram_quantile(${quantile}, sum by (${[by, 'le'].filter(Boolean).join(', ')}) (rate(${histogram}_bucket[${RATE}])))`;

/** The rows of the dashboard. They query only metrics that the platform reports and its recording rules. */
export const ROWS: readonly Row[] = [
  {
    title: 'Overview',
    panels: [
      stat('VMs', 'sum(namespace:kubevirt_vm:sum)', 'VirtualMachines.'),
      stat('Running guests', 'sum(kubevirt_vmi_info{phase="running"})', 'Instances in the phase Running.'),
      stat('Failing VMs', 'sum(kubevirt_vm_info{status_group="error"}) or vector(0)', 'VMs whose status is an error.'),
      stat('Nodes with KVM', 'cluster:kubevirt_nodes_with_kvm:count', 'Nodes that can run guests without emulation.'),
      stat('virt-api ready', 'cluster:kubevirt_virt_api_ready:sum', 'Pods of virt-api that serve requests.'),
      stat('virt-controller leads', 'cluster:kubevirt_virt_controller_leading:sum', 'One virt-controller leads.'),
      stat('virt-handler ready', 'cluster:kubevirt_virt_handler_ready:sum', 'Nodes whose guests are managed.'),
      stat(
        'Outdated guests',
        'sum(kubevirt_vmi_number_of_outdated)',
        'Guests with the launcher of an earlier version.',
      ),
    ],
  },
  {
    title: 'VMs',
    panels: [
      {
        title: 'VMs by status',
        description: 'Statuses as kubectl shows them.',
        unit: 'short',
        queries: [{ expr: 'sum by (status) (kubevirt_vm_info{namespace=~"$namespace"})', legend: '{{status}}' }],
      },
      {
        title: 'Guests by node',
        description: 'Running instances of each node.',
        unit: 'short',
        queries: [{ expr: 'sum by (node) (kubevirt_vmi_info{phase="running"})', legend: '{{node}}' }],
      },
      {
        title: 'Time from creation to Running',
        description: 'Half, and 95 %, of the instances were faster.',
        unit: 's',
        queries: [0.5, 0.95].map((quantile) => ({
          expr: `histogram_quantile(${quantile}, sum by (le) (rate(kubevirt_vmi_phase_transition_time_from_creation_seconds_bucket{phase="Running"}[${RATE}])))`,
          legend: `${quantile * 100} %`,
        })),
      },
    ],
  },
  {
    title: 'Guests',
    panels: [
      guests('CPU', 'short', 'CPUs that the guest and its QEMU use.', [
        rate('kubevirt_vmi_cpu_usage_seconds_total'),
        '',
      ]),
      guests('Waiting for a CPU', 'short', 'vCPUs that are ready and have no CPU of the node.', [
        rate('kubevirt_vmi_vcpu_delay_seconds_total'),
        '',
      ]),
      guests('Memory used by the guest', 'bytes', 'Memory that programs in the guest cannot get.', [
        `vmi:kubevirt_vmi_memory_used_bytes:sum{${GUEST}}`,
        '',
      ]),
      guests('Memory of QEMU', 'bytes', 'Resident memory on the node.', [
        `kubevirt_vmi_memory_resident_bytes{${GUEST}}`,
        '',
      ]),
      guests(
        'Network',
        'Bps',
        'Bytes per second of all interfaces.',
        [rate('kubevirt_vmi_network_receive_bytes_total'), 'in'],
        [rate('kubevirt_vmi_network_transmit_bytes_total'), 'out'],
      ),
      guests(
        'Dropped packets',
        'short',
        'Packets per second that were dropped.',
        [rate('kubevirt_vmi_network_receive_packets_dropped_total'), 'in'],
        [rate('kubevirt_vmi_network_transmit_packets_dropped_total'), 'out'],
      ),
      guests(
        'Disk throughput',
        'Bps',
        'Bytes per second of all disks.',
        [rate('kubevirt_vmi_storage_read_traffic_bytes_total'), 'read'],
        [rate('kubevirt_vmi_storage_write_traffic_bytes_total'), 'write'],
      ),
      guests(
        'Disk operations',
        'iops',
        'Operations per second of all disks.',
        [rate('kubevirt_vmi_storage_iops_read_total'), 'read'],
        [rate('kubevirt_vmi_storage_iops_write_total'), 'write'],
      ),
      {
        title: 'Fullest file systems',
        description: 'Used part of file systems. Requires the guest agent.',
        unit: 'percentunit',
        queries: [
          {
            expr: `topk(${MOST}, kubevirt_vmi_filesystem_used_bytes{${GUEST}} / kubevirt_vmi_filesystem_capacity_bytes{${GUEST}})`,
            legend: `${LEGEND} {{mount_point}}`,
          },
        ],
      },
    ],
  },
  {
    title: 'Programs of the platform',
    panels: [
      {
        title: 'Requests to the API server',
        description: 'Requests per second.',
        unit: 'reqps',
        queries: [{ expr: `sum by (pod) (rate(kubevirt_rest_client_requests_total[${RATE}]))`, legend: '{{pod}}' }],
      },
      {
        title: 'Failed requests to the API server',
        description: 'Requests per second without an expected response, by code.',
        unit: 'reqps',
        queries: [
          {
            expr: `sum by (code, resource) (rate(kubevirt_rest_client_requests_total{code!~"[23]..|404|409"}[${RATE}]))`,
            legend: '{{code}} {{resource}}',
          },
        ],
      },
      {
        title: 'Latency of the API server',
        description: '95 % of the requests were faster. Without watches.',
        unit: 's',
        queries: [
          {
            expr: `histogram_quantile(0.95, sum by (verb, le) (rate(kubevirt_rest_client_request_latency_seconds_bucket{verb!="WATCH"}[${RATE}])))`,
            legend: '{{verb}}',
          },
        ],
      },
      {
        title: 'Waiting keys',
        description: 'Objects that wait in the work queues.',
        unit: 'short',
        queries: [{ expr: 'sum by (name) (kubevirt_workqueue_depth)', legend: '{{name}}' }],
      },
      {
        title: 'Time in queues',
        description: '95 % of the objects waited for a shorter time.',
        unit: 's',
        queries: [{ expr: latency('kubevirt_workqueue_queue_duration_seconds', 'name', 0.95), legend: '{{name}}' }],
      },
      {
        title: 'Open connections',
        description: 'Consoles and forwarded ports.',
        unit: 'short',
        queries: [
          { expr: 'sum(kubevirt_console_active_connections)', legend: 'serial consoles' },
          { expr: 'sum(kubevirt_vnc_active_connections)', legend: 'VNC' },
          { expr: 'sum(kubevirt_portforward_active_tunnels)', legend: 'ports' },
        ],
      },
    ],
  },
];
