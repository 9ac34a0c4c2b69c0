import type { core } from '../../api';
import type { PodSelection } from '../network/pod-selection';
import { mistakeInCode } from '../validation';

/** Pods of guests, or other Pods: any Pod, workload or selection of any version of cdk8s-plus. */
export interface IGuestPods {
  /** Returns the selector of the Pods, in the form of cdk8s-plus' `PodSelectorConfig`. */
  toPodSelectorConfig(): PodSelection;
}

/** Renders the selector of these Pods as Kubernetes writes it. */
export function selectorOf(
  pods: IGuestPods,
): Pick<core.PodAffinityTerm, 'labelSelector' | 'namespaces' | 'namespaceSelector'> {
  const config = typeof pods?.toPodSelectorConfig === 'function' ? pods.toPodSelectorConfig() : undefined;
  const { labelSelector, namespaces } = (config ?? {}) as {
    labelSelector?: { _toKube(): core.PodAffinityTerm['labelSelector'] };
    namespaces?: { names?: string[]; labelSelector?: { _toKube(): core.PodAffinityTerm['namespaceSelector'] } };
  };
  if (typeof labelSelector?._toKube !== 'function') {
    const remedy = 'pass a VM, replica set or pool, or a Pod, workload or selection of cdk8s-plus';
    mistakeInCode('VmScheduling', 'pods', 'has no selector for its Pods', remedy, 'pods-selector');
  }
  const namespaceSelector = namespaces?.labelSelector?._toKube();
  return {
    labelSelector: labelSelector._toKube(),
    ...(namespaces?.names ? { namespaces: [...namespaces.names] } : {}),
    ...(namespaceSelector ? { namespaceSelector } : {}),
  };
}
