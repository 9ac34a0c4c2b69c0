import type { Series } from './promtool';

const NS = 'namespace="kubevirt"';
const GUEST = 'namespace="web",name="db",node="n1"';
const DISK = `${GUEST},disk_name="vda1",mount_point="/",file_system_type="ext4"`;
const MiB = 2 ** 20;
const each = (names: readonly string[], series: (name: string) => string, values: string): Series =>
  Object.fromEntries(names.map((name) => [series(name), values]));
const pods = (program: string): string[] =>
  (program === 'handler' ? ['n1', 'n2'] : ['0', '1']).map((i) => `virt-${program}-${i}`);
const phase = (pod: string): string => `kube_pod_status_phase{${NS},pod="${pod}",phase="Running"}`;
const status = (program: string, of: string, pod: string): string =>
  `kubevirt_virt_${program}_${of}_status{${NS},pod="${pod}"}`;
const requests = (pod: string, code: string): string =>
  `kubevirt_rest_client_requests_total{${NS},pod="${pod}",code="${code}"}`;

/** A change of the healthy platform that fires an alert. */
export interface AlertCase {
  readonly alert: string;
  /** Series that differ from those of the healthy platform. */
  readonly series: Series;
  /** Time at which the alert fires. It does not fire `before`. */
  readonly at: string;
  readonly before?: string;
  readonly interval?: string;
  /** Labels of the alert, besides those that all alerts have. */
  readonly labels?: string;
}

const components = ['api', 'controller', 'handler', 'operator'] as const;
const name = {
  api: { down: 'VirtAPIDown', low: 'LowReadyVirtAPICount', none: 'NoReadyVirtAPI', errors: 'VirtApiRESTErrorsBurst' },
  controller: {
    down: 'VirtControllerDown',
    low: 'LowReadyVirtControllersCount',
    none: 'NoReadyVirtController',
    errors: 'VirtControllerRESTErrorsBurst',
  },
  handler: {
    down: 'VirtHandlerDown',
    low: 'LowReadyVirtHandlerCount',
    none: 'NoReadyVirtHandler',
    errors: 'VirtHandlerRESTErrorsBurst',
  },
  operator: {
    down: 'VirtOperatorDown',
    low: 'LowReadyVirtOperatorsCount',
    none: 'NoReadyVirtOperator',
    errors: 'VirtOperatorRESTErrorsBurst',
  },
} as const;

const programCases = components.flatMap((program): AlertCase[] => [
  { alert: name[program].down, series: each(pods(program), phase, '0x120'), at: '11m', before: '9m' },
  {
    alert: name[program].low,
    series: { [status(program, 'ready', pods(program)[1]!)]: '0x120' },
    at: '11m',
    before: '9m',
  },
  {
    alert: name[program].none,
    series: each(pods(program), (pod) => status(program, 'ready', pod), '0x120'),
    at: '11m',
    before: '9m',
  },
  {
    alert: name[program].errors,
    series: each(pods(program), (pod) => requests(pod, '<error>'), '0+9000x120'),
    at: '8m',
    before: '4m',
  },
]);

const lowCases = (['api', 'controller', 'operator'] as const).map((program): AlertCase => {
  const minutes = program === 'controller' ? 10 : 60;
  const names = { api: 'LowVirtAPICount', controller: 'LowVirtControllersCount', operator: 'LowVirtOperatorCount' };
  return {
    alert: names[program],
    series: { [phase(pods(program)[1]!)]: '0x120' },
    at: `${minutes + 1}m`,
    before: `${minutes - 1}m`,
  };
});

const leaderCases = (['controller', 'operator'] as const).map((program): AlertCase => ({
  alert: program === 'controller' ? 'NoLeadingVirtController' : 'NoLeadingVirtOperator',
  series: { [status(program, 'leading', `virt-${program}-0`)]: '0x120' },
  at: '11m',
  before: '9m',
}));

/** Each alert at least once. */
export const ALERT_CASES: readonly AlertCase[] = [
  ...programCases,
  ...lowCases,
  ...leaderCases,
  {
    // the other one waits for the lease, and is ready
    alert: 'NoReadyVirtController',
    series: { [status('controller', 'ready', 'virt-controller-0')]: '0x120' },
    at: '11m',
    before: '9m',
  },
  {
    alert: 'VirtHandlerDaemonSetRolloutFailing',
    series: { [`kube_daemonset_status_number_ready{${NS},daemonset="virt-handler"}`]: '1x120' },
    at: '16m',
    before: '14m',
  },
  {
    alert: 'OrphanedVirtualMachineInstances',
    series: { [`kube_pod_status_ready{${NS},pod="virt-handler-n1",condition="true"}`]: '0x120' },
    at: '11m',
    before: '9m',
    labels: 'node="n1"',
  },
  {
    alert: 'VirtLauncherPodsStuckFailed',
    series: each(
      Array.from({ length: 200 }, (_, i) => `virt-launcher-${i}`),
      (pod) => `kube_pod_status_phase{namespace="web",pod="${pod}",phase="Failed"}`,
      '1x120',
    ),
    at: '11m',
    before: '9m',
  },
  {
    alert: 'VirtControllerBacklog',
    series: { [`kubevirt_workqueue_depth{${NS},pod="virt-controller-0",name="virt-controller-vm"}`]: '1001x120' },
    at: '16m',
    before: '14m',
    labels: 'name="virt-controller-vm"',
  },
  {
    alert: 'VirtAPIUnavailable',
    series: { 'aggregator_unavailable_apiservice{name="v1.subresources.kubevirt.io"}': '1x120' },
    at: '11m',
    before: '9m',
  },
  {
    alert: 'VirtAPIWebhookFailing',
    series: {
      'apiserver_admission_webhook_rejection_count{name="virtualmachine-validator.kubevirt.io",error_type="calling_webhook_error"}':
        '0+1x120',
    },
    at: '8m',
  },
  {
    alert: 'KubeVirtDeprecatedAPIRequested',
    series: {
      'apiserver_requested_deprecated_apis{group="kubevirt.io",version="v1alpha3",resource="virtualmachines",subresource=""}':
        '1x120',
      'apiserver_request_total{group="kubevirt.io",version="v1alpha3",resource="virtualmachines",subresource="",verb="POST",code="200"}':
        '0+1x120',
      'apiserver_request_total{group="kubevirt.io",version="v1",resource="virtualmachines",subresource="",verb="POST",code="200"}':
        '0+1x120',
    },
    at: '12m',
    labels: 'group="kubevirt.io",version="v1alpha3",resource="virtualmachines"',
  },
  {
    alert: 'KubeVirtNoAvailableNodesToRunVMs',
    series: each(
      ['n1', 'n2'],
      (node) => `kube_node_status_allocatable{node="${node}",resource="devices_kubevirt_io_kvm"}`,
      '0x120',
    ),
    at: '6m',
    before: '4m',
  },
  {
    alert: 'KubeVirtNoAvailableNodesToRunVMs',
    series: each(['n1', 'n2'], (node) => `kube_node_spec_unschedulable{node="${node}"}`, '1x120'),
    at: '6m',
    before: '4m',
  },
  {
    alert: 'LowKVMNodesCount',
    series: { 'kube_node_status_allocatable{node="n2",resource="devices_kubevirt_io_kvm"}': '0x120' },
    at: '6m',
    before: '4m',
  },
  {
    alert: 'VirtualMachineStuckInUnhealthyState',
    series: { 'kubevirt_vm_info{namespace="web",name="new",status="errimagepull",status_group="error"}': '1x120' },
    at: '11m',
    before: '9m',
    labels: 'namespace="web",name="new",status="errimagepull",vm="new"',
  },
  {
    alert: 'VirtualMachineStuckOnNode',
    series: {
      'kubevirt_vm_info{namespace="web",name="db",status="running",status_group="running"}': '_x120',
      'kubevirt_vm_info{namespace="web",name="db",status="stopping",status_group="non_running"}': '1x120',
    },
    at: '6m',
    before: '4m',
    labels: `${GUEST},status="stopping",vm="db"`,
  },
  {
    alert: 'VMCannotBeEvicted',
    series: { [`kubevirt_vmi_non_evictable{${GUEST}}`]: '1x120' },
    at: '2m',
    before: '0m',
    labels: `${GUEST},vm="db"`,
  },
  {
    alert: 'KubeVirtVMIExcessiveMigrations',
    series: each(
      Array.from({ length: 12 }, (_, i) => `m${i}`),
      (vmim) => `kubevirt_vmi_migration_succeeded{namespace="web",vmi="db",vmim="${vmim}"}`,
      '1x120',
    ),
    at: '2m',
    labels: 'namespace="web",vmi="db",vm="db"',
  },
  {
    alert: 'OutdatedVirtualMachineInstanceWorkloads',
    series: { 'kubevirt_vmi_number_of_outdated{namespace="kubevirt"}': '3x300' },
    interval: '15m',
    at: '25h',
    before: '23h',
  },
  {
    alert: 'VMNonRecoverableOSPanic',
    series: {
      'kubevirt_vmi_guest_os_panic_total{namespace="web",name="db",type="unknown",bugcheck_code="unknown"}': '1+1x120',
    },
    at: '10m',
    labels: 'namespace="web",name="db",vm="db"',
  },
  {
    alert: 'KubeVirtVMGuestMemoryPressure',
    series: {
      [`kubevirt_vmi_memory_usable_bytes{${GUEST}}`]: `${40 * MiB}x120`,
      [`kubevirt_vmi_memory_pgmajfault_total{${GUEST}}`]: '0+600x120',
    },
    at: '12m',
    before: '4m',
    labels: 'namespace="web",name="db",vm="db"',
  },
  {
    alert: 'KubeVirtVMGuestMemoryPressure',
    series: {
      [`kubevirt_vmi_memory_usable_bytes{${GUEST}}`]: `${40 * MiB}x120`,
      [`kubevirt_vmi_memory_swap_in_traffic_bytes{${GUEST}}`]: `0+${100 * MiB}x120`,
    },
    at: '12m',
    before: '4m',
  },
  {
    alert: 'KubeVirtVMGuestMemoryAvailableLow',
    series: { [`kubevirt_vmi_memory_usable_bytes{${GUEST}}`]: `${20 * MiB}x120` },
    at: '40m',
    before: '29m',
    labels: 'namespace="web",name="db",vm="db"',
  },
  {
    alert: 'GuestFilesystemAlmostOutOfSpace',
    series: { [`kubevirt_vmi_filesystem_used_bytes{${DISK}}`]: '900x120' },
    at: '11m',
    before: '9m',
    labels: `${DISK},severity="warning",vm="db"`,
  },
  {
    alert: 'GuestFilesystemAlmostOutOfSpace',
    series: { [`kubevirt_vmi_filesystem_used_bytes{${DISK}}`]: '960x120' },
    at: '1m',
    labels: `${DISK},severity="critical",vm="db"`,
  },
  {
    alert: 'GuestVCPUQueueHighWarning',
    series: { [`kubevirt_vmi_guest_load_1m{${GUEST}}`]: '13x120' },
    at: '2m',
    labels: 'namespace="web",name="db",vm="db"',
  },
  {
    alert: 'GuestVCPUQueueHighCritical',
    series: { [`kubevirt_vmi_guest_load_1m{${GUEST}}`]: '23x120' },
    at: '2m',
  },
];
