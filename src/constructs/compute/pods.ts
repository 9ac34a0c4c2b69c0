import type { core } from '../../api';
import type { PodSelection } from '../network/pod-selection';
import { mistakeInCode } from '../validation';

/** Pods that run guests, or others: every Pod, workload and selection of every version of cdk8s-plus. */
export interface IGuestPods {
  /** What selects them, in the shape of cdk8s-plus' `PodSelectorConfig`. */
  toPodSelectorConfig(): PodSelection;
}

/** What selects these Pods, as Kubernetes writes it. */
export function selectorOf(
  pods: IGuestPods,
): Pick<core.PodAffinityTerm, 'labelSelector' | 'namespaces' | 'namespaceSelector'> {
  const config = typeof pods?.toPodSelectorConfig === 'function' ? pods.toPodSelectorConfig() : undefined;
  const { labelSelector, namespaces } = (config ?? {}) as {
    labelSelector?: { _toKube(): core.PodAffinityTerm['labelSelector'] };
    namespaces?: { names?: string[]; labelSelector?: { _toKube(): core.PodAffinityTerm['namespaceSelector'] } };
  };
  if (typeof labelSelector?._toKube !== 'function') {
    const remedy = 'give it a VM, a set, a pool, or a Pod, workload or selection of cdk8s-plus';
    mistakeInCode('VmScheduling', 'pods', 'nothing selects them', remedy, 'pods-selector');
  }
  const namespaceSelector = namespaces?.labelSelector?._toKube();
  return {
    labelSelector: labelSelector._toKube(),
    ...(namespaces?.names ? { namespaces: [...namespaces.names] } : {}),
    ...(namespaceSelector ? { namespaceSelector } : {}),
  };
}
