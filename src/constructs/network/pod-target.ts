import type { PodSelection } from './pod-selection';

export type { IPodTarget, PodNamespaces, PodPeer, PodSelection } from './pod-selection';
/** Labels by which the Pod of one VM or instance is found: its `podLabels`. */
export { labelOfGuest } from '../../api/lint/network-guests';

/**
 * What a construct answers in `toPodSelectorConfig`.
 *
 * @param labels labels that all its Pods carry
 * @param namespace its namespace, if the manifest says it
 */
export function selectionOf(labels: { readonly [label: string]: string }, namespace?: string): PodSelection {
  return {
    labelSelector: new LabelSelection(labels),
    ...(namespace === undefined ? {} : { namespaces: { names: [namespace] } }),
  };
}

/** The part of cdk8s-plus' LabelSelector that others call. */
class LabelSelection {
  public constructor(private readonly labels: { readonly [label: string]: string }) {}

  public isEmpty(): boolean {
    return Object.keys(this.labels).length === 0;
  }

  /** As cdk8s-plus itself renders a selector. */
  public _toKube(): { matchLabels?: { [label: string]: string } } {
    return this.isEmpty() ? {} : { matchLabels: { ...this.labels } };
  }
}
