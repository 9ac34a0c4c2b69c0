import type { PodSelection } from './pod-selection';

export type { IPodTarget, PodNamespaces, PodPeer, PodSelection } from './pod-selection';
/** Labels that select the Pod of one VM or instance: its `podLabels`. */
export { labelOfGuest } from '../../api/lint/network-guests';

/**
 * Returns the result of a construct's `toPodSelectorConfig`.
 *
 * @param labels labels of all its Pods
 * @param namespace its namespace, if the manifest contains one
 */
export function selectionOf(labels: { readonly [label: string]: string }, namespace?: string): PodSelection {
  return {
    labelSelector: new LabelSelection(labels),
    ...(namespace === undefined ? {} : { namespaces: { names: [namespace] } }),
  };
}

/** The part of cdk8s-plus' LabelSelector that other constructs call. */
class LabelSelection {
  public constructor(private readonly labels: { readonly [label: string]: string }) {}

  public isEmpty(): boolean {
    return Object.keys(this.labels).length === 0;
  }

  /** Renders the selector as cdk8s-plus does. */
  public _toKube(): { matchLabels?: { [label: string]: string } } {
    return this.isEmpty() ? {} : { matchLabels: { ...this.labels } };
  }
}
