import type { KubeObject } from '../../../api/meta';
import type { Resource } from '../../../runtime/kube';
import type { Labels, LabelSelector } from '../../core-v1';

/** The parts of networking.k8s.io/v1 that are enforced, and of the objects that its selectors match. */

export type PolicyType = 'Ingress' | 'Egress';

export interface PolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

export interface PolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface NetworkPolicy extends KubeObject {
  spec: {
    podSelector?: LabelSelector;
    policyTypes?: PolicyType[];
    ingress?: { ports?: PolicyPort[]; from?: PolicyPeer[] }[];
    egress?: { ports?: PolicyPort[]; to?: PolicyPeer[] }[];
  };
}

/** A port of a container that has a name. */
export interface NamedPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
}

/** The part of a Pod that policies depend on. */
export interface PolicyPod {
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly nodeName?: string;
  /** Whether the Pod uses the network of its node: then policies ignore it. */
  readonly hostNetwork: boolean;
  /** Addresses, without those of a Pod that ended: another one may have them. */
  readonly addresses: readonly string[];
  readonly ports: readonly NamedPort[];
}

export const networkPolicies: Resource = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
};
