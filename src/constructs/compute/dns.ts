import type { VirtualMachineInstanceSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined, definedOrNone, listed } from '../defined';

/** Where a guest's name servers come from. */
export class VmDnsPolicy extends Choice {
  /** The cluster's; what is outside goes on to those of the node. */
  public static readonly CLUSTER_FIRST = VmDnsPolicy.of('ClusterFirst');
  /** The cluster's, also for a Pod on the node's own network. */
  public static readonly CLUSTER_FIRST_WITH_HOST_NET = VmDnsPolicy.of('ClusterFirstWithHostNet');
  /** The node's. */
  public static readonly DEFAULT = VmDnsPolicy.of('Default');
  /** Only those that are named. */
  public static readonly NONE = VmDnsPolicy.of('None');

  /**
   * Another one that Kubernetes knows.
   *
   * @param value value as it is written in the manifest
   */
  public static of(value: string): VmDnsPolicy {
    return new VmDnsPolicy(value);
  }
}

/** Name servers and search domains, which the guest gets by DHCP. */
export interface VmDnsOptions {
  /**
   * Where name servers come from.
   * @default VmDnsPolicy.CLUSTER_FIRST
   */
  readonly policy?: VmDnsPolicy;
  /**
   * Addresses of further name servers, at most three.
   * @default - none
   */
  readonly nameservers?: string[];
  /**
   * Further search domains.
   * @default - none
   */
  readonly searches?: string[];
  /**
   * Options of the resolver: `{ ndots: '2' }`. An empty value stands for none: `{ rotate: '' }`.
   * @default - none
   */
  readonly options?: { readonly [name: string]: string };
}

/** DNS as the API writes it. */
export function renderDns(dns: VmDnsOptions | undefined): Pick<VirtualMachineInstanceSpec, 'dnsPolicy' | 'dnsConfig'> {
  if (!dns) return {};
  const { policy, nameservers, searches, options } = dns;
  return defined({
    dnsPolicy: policy?.value as VirtualMachineInstanceSpec['dnsPolicy'],
    dnsConfig: definedOrNone({
      nameservers: listed(nameservers),
      searches: listed(searches),
      options: options && Object.entries(options).map(([name, value]) => (value === '' ? { name } : { name, value })),
    }),
  });
}
