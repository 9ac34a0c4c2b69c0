import type { VirtualMachineInstanceSpec } from '../../api/generated/kubevirt-v1';
import { Choice } from '../choice';
import { defined, definedOrNone, listed } from '../defined';

/** Source of a guest's name servers. */
export class VmDnsPolicy extends Choice {
  /** Name servers of the cluster, which forward other queries to those of the node. */
  public static readonly CLUSTER_FIRST = VmDnsPolicy.of('ClusterFirst');
  /** Name servers of the cluster, also for a Pod on the node's own network. */
  public static readonly CLUSTER_FIRST_WITH_HOST_NET = VmDnsPolicy.of('ClusterFirstWithHostNet');
  /** Name servers of the node. */
  public static readonly DEFAULT = VmDnsPolicy.of('Default');
  /** Only the name servers in `nameservers`. */
  public static readonly NONE = VmDnsPolicy.of('None');

  /**
   * Uses a value of Kubernetes that has no constant here.
   *
   * @param value value as written in the manifest
   */
  public static of(value: string): VmDnsPolicy {
    return new VmDnsPolicy(value);
  }
}

/** Name servers and search domains, which the guest receives by DHCP. */
export interface VmDnsOptions {
  /**
   * Source of the name servers.
   * @default VmDnsPolicy.CLUSTER_FIRST
   */
  readonly policy?: VmDnsPolicy;
  /**
   * Addresses of additional name servers, at most three.
   * @default - none
   */
  readonly nameservers?: string[];
  /**
   * Additional search domains.
   * @default - none
   */
  readonly searches?: string[];
  /**
   * Options of the resolver: `{ ndots: '2' }`. An option without a value is written as an empty string: `{ rotate: ''
   * }`.
   * @default - none
   */
  readonly options?: { readonly [name: string]: string };
}

/** Renders the DNS settings as the API writes them. */
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
