import { exponential, type Metric } from './metric';

const VMI = ['namespace', 'vmi'] as const;
/** Those of the API server's own latencies. */
const LATENCIES = [
  ...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];
const QUEUE_TIMES = exponential(1e-8, 10, 10);

const flag = (program: Metric['program'], help: string): Metric => ({ type: 'gauge', help, labels: [], program });
const connections = (what: string): Metric => ({
  type: 'gauge',
  help: `Open ${what}.`,
  labels: VMI,
  program: 'virt-api',
});
const queue = (type: 'counter' | 'gauge', help: string): Metric => ({ type, help, labels: ['name'], program: 'all' });
const queueTime = (help: string): Metric => ({
  type: 'histogram',
  help,
  labels: ['name'],
  program: 'all',
  buckets: QUEUE_TIMES,
});

/** Metrics about the programs of the platform. */
export const programMetrics = {
  kubevirt_info: {
    type: 'gauge',
    help: 'Version of the platform. `goversion` is the version of Node.js.',
    labels: ['goversion', 'kubeversion'],
    program: 'virt-handler',
  },
  kubevirt_virt_api_ready_status: flag('virt-api', '1 if virt-api serves requests.'),
  kubevirt_virt_controller_ready_status: flag(
    'virt-controller',
    '1 if virt-controller can work: its caches are complete, or it waits for the lease.',
  ),
  kubevirt_virt_controller_leading_status: flag('virt-controller', '1 if this virt-controller is the leader.'),
  kubevirt_virt_handler_ready_status: flag('virt-handler', '1 if virt-handler knows the guests of its node.'),
  kubevirt_virt_operator_ready_status: flag('virt-operator', '1 if virt-operator can work.'),
  kubevirt_virt_operator_leading_status: flag('virt-operator', '1 if this virt-operator is the leader.'),

  kubevirt_console_active_connections: connections('serial consoles'),
  kubevirt_vnc_active_connections: connections('VNC connections'),
  kubevirt_usbredir_active_connections: {
    ...connections('connections of redirected USB devices'),
    withoutData: 'USB devices of clients cannot be redirected yet',
  },
  kubevirt_portforward_active_tunnels: connections('forwarded ports'),

  kubevirt_rest_client_requests_total: {
    type: 'counter',
    help: 'Requests to the API server. `code` is `<error>` if there was no response.',
    labels: ['code', 'method', 'host', 'resource', 'verb'],
    program: 'all',
  },
  kubevirt_rest_client_request_latency_seconds: {
    type: 'histogram',
    help: 'Time until the API server begins its response. `url` has placeholders for names.',
    labels: ['verb', 'url'],
    program: 'all',
    buckets: LATENCIES,
  },
  kubevirt_rest_client_rate_limiter_duration_seconds: {
    type: 'histogram',
    help: 'Time for which a request waited for the rate limit of its program.',
    labels: ['verb', 'url'],
    program: 'all',
    buckets: exponential(0.001, 2, 10),
  },

  kubevirt_workqueue_depth: queue('gauge', 'Keys that wait.'),
  kubevirt_workqueue_adds_total: queue('counter', 'Keys that were added.'),
  kubevirt_workqueue_retries_total: queue('counter', 'Keys that were added again because their pass failed.'),
  kubevirt_workqueue_longest_running_processor_seconds: queue('gauge', 'Age of the oldest pass in progress.'),
  kubevirt_workqueue_unfinished_work_seconds: queue('gauge', 'Sum of the ages of all passes in progress.'),
  kubevirt_workqueue_queue_duration_seconds: queueTime('Time for which a key waited.'),
  kubevirt_workqueue_work_duration_seconds: queueTime('Time of a pass.'),
} satisfies Record<string, Metric>;
