/** Alert of Prometheus. */
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning'; readonly [label: string]: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** Installation to monitor. */
export interface Watched {
  readonly namespace: string;
  readonly useEmulation: boolean;
}

/** Returns the alerts of an installation. Each describes the consequence for guests and where to look. */
export function alertsOf({ namespace, useEmulation }: Watched): Alert[] {
  const own = `namespace="${namespace}"`;
  const alert = (
    name: string,
    severity: Alert['labels']['severity'],
    minutes: number,
    expr: string,
    summary: string,
    description: string,
  ): Alert => ({
    alert: name,
    expr,
    for: `${minutes}m`,
    labels: { severity, operator_health_impact: severity, kubernetes_operator_part_of: 'kubevirt' },
    annotations: { summary, description },
  });
  const deployment = (name: string): string => `${own},deployment="${name}"`;
  return [
    alert(
      'VirtAPIDown',
      'critical',
      5,
      `kube_deployment_status_replicas_available{${deployment('virt-api')}} == 0`,
      'No virt-api Pod is available',
      `VMs can be neither created nor changed, and no console opens. Running guests are not affected. Check: kubectl -n ${namespace} describe deployment/virt-api`,
    ),
    alert(
      'VirtAPIUnavailable',
      'critical',
      10,
      'max by (name) (aggregator_unavailable_apiservice{name=~"v1.*\\\\.subresources\\\\.kubevirt\\\\.io"}) == 1',
      'The API server cannot reach {{ $labels.name }}',
      'Start, stop, console and all other actions fail. The reason is in the conditions of the APIService.',
    ),
    alert(
      'VirtAPIWebhookFailing',
      'critical',
      5,
      'sum by (name) (rate(apiserver_admission_webhook_rejection_count{name=~".+\\\\.kubevirt\\\\.io",error_type!="no_error"}[5m])) > 0',
      'The API server cannot call the webhook {{ $labels.name }}',
      'Objects that the webhook validates are rejected. Check the certificates of virt-api, and caBundle in virt-api-validator and virt-api-mutator.',
    ),
    alert(
      'NoLeadingVirtController',
      'critical',
      5,
      `(sum(kubevirt_virt_controller_leading_status{${own}}) or vector(0)) == 0`,
      'No virt-controller is the leader',
      `No VM starts, and a VM that stops is not restarted. Running guests are not affected. Check: kubectl -n ${namespace} get lease/virt-controller pods`,
    ),
    alert(
      'NoReadyVirtController',
      'critical',
      10,
      `(sum(kubevirt_virt_controller_leading_status{${own}}) > 0) unless (sum(kubevirt_virt_controller_ready_status{${own}}) > 0)`,
      'The leading virt-controller has not read the cluster state yet',
      `virt-controller cannot list a kind that it needs. Its log names the kind: kubectl -n ${namespace} logs deployment/virt-controller`,
    ),
    alert(
      'VirtControllerBacklog',
      'warning',
      15,
      `max by (name) (kubevirt_workqueue_depth{${own}}) > 1000`,
      '{{ $value }} objects wait in the queue {{ $labels.name }}',
      'Changes to VMs reach guests late. Check the latency of the API server, and give virt-controller more CPU.',
    ),
    alert(
      'LowVirtControllersCount',
      'warning',
      15,
      `kube_deployment_status_replicas_available{${deployment('virt-controller')}} < kube_deployment_spec_replicas{${deployment('virt-controller')}}`,
      'A virt-controller is missing',
      `If the leader fails, no other Pod takes over. Check: kubectl -n ${namespace} describe deployment/virt-controller`,
    ),
    alert(
      'VirtHandlerDaemonSetRolloutFailing',
      'critical',
      15,
      `kube_daemonset_status_number_available{${own},daemonset="virt-handler"} < kube_daemonset_status_desired_number_scheduled{${own},daemonset="virt-handler"}`,
      'virt-handler does not run on every node',
      `Running guests on those nodes are not managed, and no guest can start there. Check: kubectl -n ${namespace} get pods -l kubevirt.io=virt-handler -o wide`,
    ),
    ...(useEmulation
      ? []
      : [
          alert(
            'KubeVirtNoAvailableNodesToRunVMs',
            'warning',
            10,
            '(sum(kube_node_status_allocatable{resource="devices_kubevirt_io_kvm"}) or vector(0)) == 0',
            'No node has working KVM',
            'No VM can start. The annotation virt8s.io/kvm-unusable of each node contains the reason. If emulation is fast enough, set useEmulation.',
          ),
        ]),
  ];
}
