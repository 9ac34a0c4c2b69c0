import type { IConstruct } from 'constructs';

/** Namespaces by name. */
export interface PodNamespaces {
  /**
   * Names of the namespaces.
   * @default - that of the object that selects
   */
  readonly names?: string[];
}

/** Which Pods are meant. The shape that cdk8s-plus expects of what its Services and NetworkPolicies select. */
export interface PodSelection {
  /** Labels of the Pods, as cdk8s-plus' LabelSelector. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a class of each version of cdk8s-plus, with private members
  readonly labelSelector: any;
  /**
   * Where the Pods are.
   * @default - in the namespace of the object that selects
   */
  readonly namespaces?: PodNamespaces;
}

/** Whom a NetworkPolicy of cdk8s-plus lets in or out. */
export interface PodPeer {
  /** The Pods. */
  readonly podSelector: PodSelection;
}

/** What cdk8s-plus' Services, NetworkPolicies and Pod affinities take: a guest is found by the labels of its Pod. */
export interface IPodTarget extends IConstruct {
  /** Which Pods these are (cdk8s-plus' IPodSelector). */
  toPodSelectorConfig(): PodSelection;
  /** Whom a NetworkPolicy lets in or out (cdk8s-plus' INetworkPolicyPeer). */
  toNetworkPolicyPeerConfig(): PodPeer;
  /** The same, as what selects Pods. */
  toPodSelector(): IPodTarget | undefined;
}
