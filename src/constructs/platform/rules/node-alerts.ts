import type { Alert, Watched } from './rule';

/** Returns the alerts about nodes. A platform that emulates needs no KVM. */
export function nodeAlerts({ useEmulation }: Watched): Alert[] {
  const withoutKvm = 'cluster:kubevirt_nodes_with_kvm:count == 0 unless on () absent(kube_node_status_allocatable)';
  // kube-state-metrics has this label only if its list of labels allows it
  const withoutHandler =
    'sum(kube_node_labels{label_kubevirt_io_schedulable="true"} * on (node) (1 - kube_node_spec_unschedulable)) == 0';
  return [
    {
      name: 'KubeVirtNoAvailableNodesToRunVMs',
      severity: 'warning',
      impact: 'critical',
      minutes: 5,
      expr: useEmulation ? withoutHandler : `${withoutKvm} or ${withoutHandler}`,
      summary: 'No node can run guests',
      description:
        'No VM can start. The annotation virt8s.io/kvm-unusable of each node contains the reason why it has no KVM; if emulation is fast enough, set useEmulation. Otherwise check which nodes have the label kubevirt.io/schedulable=true.',
    },
    ...(useEmulation
      ? []
      : [
          {
            name: 'LowKVMNodesCount',
            severity: 'warning' as const,
            minutes: 5,
            expr: 'cluster:kubevirt_nodes_allocatable:count > 1 and cluster:kubevirt_nodes_with_kvm:count < 2',
            summary: 'Fewer than two nodes have KVM',
            description:
              'A guest whose node is drained or fails has no other node. The annotation virt8s.io/kvm-unusable of each node contains the reason.',
          },
        ]),
  ];
}
