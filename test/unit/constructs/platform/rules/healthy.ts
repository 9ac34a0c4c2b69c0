import type { Series } from './promtool';

const NS = 'namespace="kubevirt"';
const PODS = ['api', 'controller', 'operator'].flatMap((program) =>
  [0, 1].map((i) => ({ program, pod: `virt-${program}-${i}` })),
);
const HANDLERS = ['n1', 'n2'].map((node) => ({ program: 'handler', pod: `virt-handler-${node}` }));
const GUEST = 'namespace="web",name="db",node="n1"';
const MiB = 2 ** 20;

/** Series of a platform without problems, with one guest, for two hours. */
export const HEALTHY: Series = {
  ...Object.fromEntries(
    [...PODS, ...HANDLERS].flatMap(({ program, pod }) => [
      [`up{${NS},pod="${pod}"}`, '1x120'],
      [`kube_pod_status_phase{${NS},pod="${pod}",phase="Running"}`, '1x120'],
      [`kube_pod_status_phase{${NS},pod="${pod}",phase="Failed"}`, '0x120'],
      [`kube_pod_status_ready{${NS},pod="${pod}",condition="true"}`, '1x120'],
      [`kubevirt_virt_${program}_ready_status{${NS},pod="${pod}"}`, '1x120'],
      [`kubevirt_rest_client_requests_total{${NS},pod="${pod}",code="200"}`, '0+60x120'],
      // conflicts and missing objects are normal
      [`kubevirt_rest_client_requests_total{${NS},pod="${pod}",code="409"}`, '0+600x120'],
      [`kubevirt_rest_client_requests_total{${NS},pod="${pod}",code="500"}`, '0+1x120'],
      [`kubevirt_workqueue_depth{${NS},pod="${pod}",name="virt-${program}-vm"}`, '3x120'],
    ]),
  ),
  ...Object.fromEntries(
    ['controller', 'operator'].flatMap((program) => [
      [`kubevirt_virt_${program}_leading_status{${NS},pod="virt-${program}-0"}`, '1x120'],
      [`kubevirt_virt_${program}_leading_status{${NS},pod="virt-${program}-1"}`, '0x120'],
    ]),
  ),
  ...Object.fromEntries(
    ['api', 'controller', 'operator'].map((program) => [
      `kube_deployment_spec_replicas{${NS},deployment="virt-${program}"}`,
      '2x120',
    ]),
  ),
  [`kube_daemonset_status_number_ready{${NS},daemonset="virt-handler"}`]: '2x120',
  [`kube_daemonset_status_desired_number_scheduled{${NS},daemonset="virt-handler"}`]: '2x120',
  ...Object.fromEntries(
    ['n1', 'n2'].flatMap((node) => [
      [`kube_node_status_allocatable{node="${node}",resource="cpu"}`, '8x120'],
      [`kube_node_status_allocatable{node="${node}",resource="devices_kubevirt_io_kvm"}`, '1000x120'],
      [`kube_node_labels{node="${node}",label_kubevirt_io_schedulable="true"}`, '1x120'],
      [`kube_node_spec_unschedulable{node="${node}"}`, '0x120'],
      [`kube_pod_info{${NS},pod="virt-handler-${node}",node="${node}"}`, '1x120'],
    ]),
  ),
  'kube_pod_info{namespace="web",pod="virt-launcher-db-x",node="n1"}': '1x120',
  'kube_pod_status_phase{namespace="web",pod="virt-launcher-db-x",phase="Running"}': '1x120',
  'kube_pod_status_phase{namespace="web",pod="virt-launcher-db-x",phase="Failed"}': '0x120',
  'aggregator_unavailable_apiservice{name="v1.subresources.kubevirt.io"}': '0x120',
  'apiserver_admission_webhook_rejection_count{name="virtualmachine-validator.kubevirt.io",error_type="no_error"}':
    '0+5x120',
  'kubevirt_vm_info{namespace="web",name="db",status="running",status_group="running"}': '1x120',
  [`kubevirt_vmi_info{${GUEST},phase="running"}`]: '1x120',
  [`kubevirt_vmi_non_evictable{${GUEST}}`]: '0x120',
  'kubevirt_vmi_number_of_outdated{namespace="kubevirt"}': '0x120',
  [`kubevirt_vmi_memory_available_bytes{${GUEST}}`]: `${1000 * MiB}x120`,
  [`kubevirt_vmi_memory_usable_bytes{${GUEST}}`]: `${500 * MiB}x120`,
  [`kubevirt_vmi_memory_swap_in_traffic_bytes{${GUEST}}`]: '0x120',
  [`kubevirt_vmi_memory_swap_out_traffic_bytes{${GUEST}}`]: '0x120',
  [`kubevirt_vmi_memory_pgmajfault_total{${GUEST}}`]: '0+30x120',
  [`kubevirt_vmi_vcpu_seconds_total{${GUEST},id="0",state="running"}`]: '0+30x120',
  [`kubevirt_vmi_vcpu_seconds_total{${GUEST},id="1",state="blocked"}`]: '0+30x120',
  [`kubevirt_vmi_guest_load_1m{${GUEST}}`]: '3x120',
  [`kubevirt_vmi_filesystem_capacity_bytes{${GUEST},disk_name="vda1",mount_point="/",file_system_type="ext4"}`]:
    '1000x120',
  [`kubevirt_vmi_filesystem_used_bytes{${GUEST},disk_name="vda1",mount_point="/",file_system_type="ext4"}`]: '500x120',
  // images that are full by design
  [`kubevirt_vmi_filesystem_capacity_bytes{${GUEST},disk_name="sr0",mount_point="/cd",file_system_type="iso9660"}`]:
    '10x120',
  [`kubevirt_vmi_filesystem_used_bytes{${GUEST},disk_name="sr0",mount_point="/cd",file_system_type="iso9660"}`]:
    '10x120',
  'kubevirt_vmi_guest_os_panic_total{namespace="web",name="db",type="unknown",bugcheck_code="unknown"}': '1x120',
};
