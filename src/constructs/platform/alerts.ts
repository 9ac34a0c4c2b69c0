/** An alert of Prometheus. */
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning'; readonly [label: string]: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** The installation that is watched. */
export interface Watched {
  readonly namespace: string;
  readonly useEmulation: boolean;
}

/** What must not go unseen: each says what it means for guests, and where to look. */
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
      'No virt-api answers',
      `VMs can be neither created nor changed, and no console opens. Guests run on. Look at: kubectl -n ${namespace} describe deployment/virt-api`,
    ),
    alert(
      'VirtAPIUnavailable',
      'critical',
      10,
      'max by (name) (aggregator_unavailable_apiservice{name=~"v1.*\\\\.subresources\\\\.kubevirt\\\\.io"}) == 1',
      'The API server does not reach {{ $labels.name }}',
      'Start, stop, console and all other actions fail. Look at the status of the APIService: its condition says why.',
    ),
    alert(
      'VirtAPIWebhookFailing',
      'critical',
      5,
      'sum by (name) (rate(apiserver_admission_webhook_rejection_count{name=~".+\\\\.kubevirt\\\\.io",error_type!="no_error"}[5m])) > 0',
      'The webhook {{ $labels.name }} cannot be asked',
      'What it judges is refused. Look at the certificates of virt-api, and at caBundle of virt-api-validator and virt-api-mutator.',
    ),
    alert(
      'NoLeadingVirtController',
      'critical',
      5,
      `(sum(kubevirt_virt_controller_leading_status{${own}}) or vector(0)) == 0`,
      'No virt-controller leads',
      `No VM starts, and none that ends is started again. Guests run on. Look at: kubectl -n ${namespace} get lease/virt-controller pods`,
    ),
    alert(
      'NoReadyVirtController',
      'critical',
      10,
      `(sum(kubevirt_virt_controller_leading_status{${own}}) > 0) unless (sum(kubevirt_virt_controller_ready_status{${own}}) > 0)`,
      'virt-controller leads, and does not know the cluster yet',
      `It cannot read a kind that it needs. Its log names the kind: kubectl -n ${namespace} logs deployment/virt-controller`,
    ),
    alert(
      'VirtControllerBacklog',
      'warning',
      15,
      `max by (name) (kubevirt_workqueue_depth{${own}}) > 1000`,
      '{{ $value }} objects wait in the queue {{ $labels.name }}',
      'Changes of VMs reach guests late. Look at the latency of the API server, and give virt-controller more CPU.',
    ),
    alert(
      'LowVirtControllersCount',
      'warning',
      15,
      `kube_deployment_status_replicas_available{${deployment('virt-controller')}} < kube_deployment_spec_replicas{${deployment('virt-controller')}}`,
      'A virt-controller is missing',
      `Nobody takes over when the one that leads is lost. Look at: kubectl -n ${namespace} describe deployment/virt-controller`,
    ),
    alert(
      'VirtHandlerDaemonSetRolloutFailing',
      'critical',
      15,
      `kube_daemonset_status_number_available{${own},daemonset="virt-handler"} < kube_daemonset_status_desired_number_scheduled{${own},daemonset="virt-handler"}`,
      'virt-handler does not run on every node',
      `Guests of those nodes run on, but nobody looks after them, and no new one starts there. Look at: kubectl -n ${namespace} get pods -l kubevirt.io=virt-handler -o wide`,
    ),
    ...(useEmulation
      ? []
      : [
          alert(
            'KubeVirtNoAvailableNodesToRunVMs',
            'warning',
            10,
            '(sum(kube_node_status_allocatable{resource="devices_kubevirt_io_kvm"}) or vector(0)) == 0',
            'KVM works on no node',
            'No VM can start. The annotation virt8s.io/kvm-unusable of each node says why; where emulation will do, set useEmulation.',
          ),
        ]),
  ];
}
