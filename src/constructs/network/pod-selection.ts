import type { IConstruct } from 'constructs';

/** Namespaces, by name. */
export interface PodNamespaces {
  /**
   * Names of the namespaces.
   * @default - the namespace of the selecting object
   */
  readonly names?: string[];
}

/** Selection of Pods, in the form that Services and NetworkPolicies of cdk8s-plus accept. */
export interface PodSelection {
  /** Labels of the Pods, in the form of cdk8s-plus' LabelSelector. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a class of each version of cdk8s-plus, with private members
  readonly labelSelector: any;
  /**
   * Namespaces of the Pods.
   * @default - the namespace of the selecting object
   */
  readonly namespaces?: PodNamespaces;
}

/** Peer of a NetworkPolicy of cdk8s-plus. */
export interface PodPeer {
  /** Pods of the peer. */
  readonly podSelector: PodSelection;
}

/**
 * A target for Services, NetworkPolicies and Pod affinities of cdk8s-plus. Guests are selected by the labels of their
 * Pods.
 */
export interface IPodTarget extends IConstruct {
  /** Returns the selection of the Pods (cdk8s-plus' IPodSelector). */
  toPodSelectorConfig(): PodSelection;
  /** Returns the peer for a NetworkPolicy (cdk8s-plus' INetworkPolicyPeer). */
  toNetworkPolicyPeerConfig(): PodPeer;
  /** Returns the construct itself, which can select Pods. */
  toPodSelector(): IPodTarget | undefined;
}
