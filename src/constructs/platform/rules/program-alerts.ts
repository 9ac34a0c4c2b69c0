import { podsOf } from './rule';
import type { Alert, Watched } from './rule';

/** A program, with its names in alerts, which KubeVirt has spelled in different ways. */
interface Program {
  readonly name: 'api' | 'controller' | 'handler' | 'operator';
  readonly down: string;
  readonly lowReady: string;
  readonly noReady: string;
  readonly errors: string;
  /** Number of Pods that are missing; the DaemonSet of virt-handler has an alert of its own. */
  readonly low?: { readonly name: string; readonly minutes: number };
  readonly noLeader?: string;
  /** Consequence of its absence. */
  readonly consequence: string;
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'api',
    down: 'VirtAPIDown',
    lowReady: 'LowReadyVirtAPICount',
    noReady: 'NoReadyVirtAPI',
    errors: 'VirtApiRESTErrorsBurst',
    low: { name: 'LowVirtAPICount', minutes: 60 },
    consequence: 'VMs can be neither created nor changed, and no console opens. Running guests are not affected.',
  },
  {
    name: 'controller',
    down: 'VirtControllerDown',
    lowReady: 'LowReadyVirtControllersCount',
    noReady: 'NoReadyVirtController',
    errors: 'VirtControllerRESTErrorsBurst',
    low: { name: 'LowVirtControllersCount', minutes: 10 },
    noLeader: 'NoLeadingVirtController',
    consequence: 'No VM starts, and a VM that stops is not restarted. Running guests are not affected.',
  },
  {
    name: 'handler',
    down: 'VirtHandlerDown',
    lowReady: 'LowReadyVirtHandlerCount',
    noReady: 'NoReadyVirtHandler',
    errors: 'VirtHandlerRESTErrorsBurst',
    consequence: 'No guest can start on any node, and running guests are not managed.',
  },
  {
    name: 'operator',
    down: 'VirtOperatorDown',
    lowReady: 'LowReadyVirtOperatorsCount',
    noReady: 'NoReadyVirtOperator',
    errors: 'VirtOperatorRESTErrorsBurst',
    low: { name: 'LowVirtOperatorCount', minutes: 60 },
    noLeader: 'NoLeadingVirtOperator',
    consequence:
      'Certificates are not renewed and damaged parts of the platform are not repaired. Guests are not affected yet.',
  },
];

/** Part of requests that must fail. Conflicts and objects that do not exist are part of normal work. */
const ERROR_RATIO = 0.8;
const ERROR_CODES = '4..|5..|<error>';
const NORMAL_CODES = '404|409';

/** Returns the alerts about the programs of the platform. */
export function programAlerts({ namespace }: Watched): Alert[] {
  return [...PROGRAMS.flatMap((program) => alertsOf(program, namespace)), ...others(namespace)];
}

function alertsOf(program: Program, namespace: string): Alert[] {
  const { name, consequence, low, noLeader } = program;
  const of = (what: string): string => `cluster:kubevirt_virt_${name}_${what}`;
  const pods = podsOf(namespace, name);
  const workload = name === 'handler' ? 'daemonset/virt-handler' : `deployment/virt-${name}`;
  const look = `Check: kubectl -n ${namespace} describe ${workload}`;
  const log = `Check its log: kubectl -n ${namespace} logs ${workload}`;
  const requests = `kubevirt_rest_client_requests_total{${pods}`;
  return [
    {
      name: program.down,
      severity: 'critical',
      minutes: 10,
      // without kube-state-metrics, nothing is known about Pods
      expr: `${of('pods_running:count')} == 0 unless on () absent(kube_pod_status_phase)`,
      summary: `No Pod of virt-${name} runs`,
      description: `${consequence} ${look}`,
    },
    {
      name: program.lowReady,
      severity: 'warning',
      minutes: 10,
      expr: `${of('ready:sum')} < ${of('pods_running:count')} and ${of('ready:sum')} > 0`,
      summary: `A virt-${name} runs and is not ready`,
      description: `Fewer Pods than expected do the work of virt-${name}, or none on some nodes. ${log}`,
    },
    {
      name: program.noReady,
      severity: 'critical',
      minutes: 10,
      expr:
        `${of('ready:sum')} == 0 unless on () absent(kube_pod_status_ready)` +
        (name === 'controller' ? ` or ${leaderIsNotReady(namespace)}` : ''),
      summary: name === 'controller' ? 'The leading virt-controller is not ready' : `No virt-${name} is ready`,
      description: `${consequence} ${log}`,
    },
    ...(low
      ? [
          {
            name: low.name,
            severity: 'warning' as const,
            minutes: low.minutes,
            expr:
              `${of('pods_running:count')} / on () ` +
              `kube_deployment_spec_replicas{namespace="${namespace}",deployment="virt-${name}"} < 0.75`,
            summary: `Pods of virt-${name} are missing`,
            description: `If the remaining Pods fail, no other one takes over. ${look}`,
          },
        ]
      : []),
    ...(noLeader
      ? [
          {
            name: noLeader,
            severity: 'critical' as const,
            minutes: 10,
            expr: `${of('leading:sum')} == 0`,
            summary: `No virt-${name} is the leader`,
            description: `${consequence} Check: kubectl -n ${namespace} get lease/virt-${name} pods`,
          },
        ]
      : []),
    {
      name: program.errors,
      severity: 'critical',
      minutes: 5,
      expr:
        `sum(rate(${requests},code=~"${ERROR_CODES}",code!~"${NORMAL_CODES}"}[5m])) / ` +
        `sum(rate(${requests}}[5m])) >= ${ERROR_RATIO}`,
      summary: `Most requests of virt-${name} to the API server fail`,
      description: `${consequence} The API server is not reachable, or rejects the requests. ${log}`,
    },
  ];
}

/** A leader whose caches are incomplete does nothing, while one that waits for the lease is ready. */
function leaderIsNotReady(namespace: string): string {
  const status = (of: string): string => `kubevirt_virt_controller_${of}_status{${podsOf(namespace, 'controller')}}`;
  return `sum(${status('leading')} * on (namespace, pod) ${status('ready')}) == 0 and on () cluster:kubevirt_virt_controller_leading:sum > 0`;
}

function others(namespace: string): Alert[] {
  const launchers = 'pod=~"virt-launcher-.*"';
  const handlers = podsOf(namespace, 'handler');
  const running = `kube_pod_info{${launchers},node!=""} and on (namespace, pod) kube_pod_status_phase{${launchers},phase="Running"} == 1`;
  const ready = `kube_pod_info{${handlers}} and on (namespace, pod) kube_pod_status_ready{${handlers},condition="true"} == 1`;
  const daemonSet = (of: string): string =>
    `kube_daemonset_status_${of}{namespace="${namespace}",daemonset="virt-handler"}`;
  return [
    {
      name: 'VirtHandlerDaemonSetRolloutFailing',
      severity: 'warning',
      minutes: 15,
      expr: `${daemonSet('number_ready')} < ${daemonSet('desired_number_scheduled')}`,
      summary: 'virt-handler does not run on every node',
      description: `Running guests on those nodes are not managed, and no guest can start there. Check: kubectl -n ${namespace} get pods -l kubevirt.io=virt-handler -o wide`,
    },
    {
      name: 'OrphanedVirtualMachineInstances',
      severity: 'warning',
      minutes: 10,
      expr: `count by (node) (${running}) unless on (node) count by (node) (${ready})`,
      summary: 'The node {{ $labels.node }} has guests and no virt-handler that is ready',
      description: `Its guests keep running, but they cannot be stopped, and their consoles do not open. Check: kubectl -n ${namespace} get pods -l kubevirt.io=virt-handler --field-selector spec.nodeName={{ $labels.node }}`,
    },
    {
      name: 'VirtLauncherPodsStuckFailed',
      severity: 'critical',
      minutes: 10,
      expr: `sum(kube_pod_status_phase{${launchers},phase="Failed"}) >= 200`,
      summary: '{{ $value }} launcher Pods have failed and are not deleted',
      description:
        'VMs fail in a loop, and their Pods fill the API server. Check: kubectl get pods -A --field-selector status.phase=Failed -l kubevirt.io=virt-launcher',
    },
    {
      name: 'VirtControllerBacklog',
      severity: 'warning',
      minutes: 15,
      expr: `max by (name) (kubevirt_workqueue_depth{${podsOf(namespace, 'controller')}}) > 1000`,
      summary: '{{ $value }} objects wait in the queue {{ $labels.name }}',
      description:
        'Changes to VMs reach guests late. Check the latency of the API server, and give virt-controller more CPU.',
    },
    {
      name: 'VirtAPIUnavailable',
      severity: 'critical',
      minutes: 10,
      expr: 'max by (name) (aggregator_unavailable_apiservice{name=~"v1.*\\\\.subresources\\\\.kubevirt\\\\.io"}) == 1',
      summary: 'The API server cannot reach {{ $labels.name }}',
      description:
        'Start, stop, console and all other actions fail. The reason is in the conditions of the APIService.',
    },
    {
      name: 'VirtAPIWebhookFailing',
      severity: 'critical',
      minutes: 5,
      expr: 'sum by (name) (rate(apiserver_admission_webhook_rejection_count{name=~".+\\\\.kubevirt\\\\.io",error_type!="no_error"}[5m])) > 0',
      summary: 'The API server cannot call the webhook {{ $labels.name }}',
      description:
        'Objects that the webhook validates are rejected. Check the certificates of virt-api, and caBundle in virt-api-validator and virt-api-mutator.',
    },
    {
      name: 'KubeVirtDeprecatedAPIRequested',
      severity: 'info',
      impact: 'none',
      expr:
        'sum by (group, version, resource) ' +
        '(increase(cluster:kubevirt_api_request_deprecated_total:sum{verb!~"LIST|WATCH|DELETE"}[10m])) > 0',
      summary: 'A client uses the deprecated version {{ $labels.version }} of {{ $labels.resource }}',
      description:
        'A later version of the platform does not serve it. Find the client in the audit log of the API server, and update it.',
    },
  ];
}
