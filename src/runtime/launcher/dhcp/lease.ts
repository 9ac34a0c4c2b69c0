/** Derives the DHCP lease of a guest from VMI, Pod interface and resolv.conf. Pure. */
import type { VirtualMachineInstance } from '../../../api';
import type { PodInterface } from '../../protocol';
import type { Lease } from './answer';

export interface ResolvConf {
  nameservers: string[];
  searchDomains: string[];
}

/** Nameservers and search domains of a resolv.conf; the last `search` or `domain` line counts. */
export function parseResolvConf(text: string): ResolvConf {
  const nameservers: string[] = [];
  let searchDomains: string[] = [];
  for (const line of text.split('\n')) {
    const [key, ...values] = line.trim().split(/\s+/);
    if (key === 'nameserver' && values[0]) nameservers.push(values[0]);
    if (key === 'search' || key === 'domain') searchDomains = values;
  }
  return {
    nameservers,
    searchDomains: searchDomains.filter((domain) => /^[\w.-]{1,253}$/.test(domain) && domain !== '.'),
  };
}

function splitCidr(cidr: string): { address: string; prefix: number } {
  const [address, prefix] = cidr.split('/');
  return { address: address!, prefix: Number(prefix) };
}

const isIpv4 = (address: string): boolean => /^\d+(\.\d+){3}$/.test(address);

/** With a subdomain, the guest's own domain comes first, so that `hostname -f` is correct. */
function searchDomains(vmi: VirtualMachineInstance, resolv: ResolvConf): string[] {
  const { subdomain } = vmi.spec;
  const cluster = resolv.searchDomains.find((domain) => domain.startsWith(`${vmi.metadata.namespace}.svc.`));
  return subdomain && cluster ? [`${subdomain}.${cluster}`, ...resolv.searchDomains] : resolv.searchDomains;
}

/** Lease of one NIC; undefined if phase 1 gave it no IPv4 address. */
export function leaseOf(vmi: VirtualMachineInstance, nic: PodInterface, resolv: ResolvConf): Lease | undefined {
  if (!nic.guestIPv4 || !nic.mac) return undefined;
  const { address, prefix } = splitCidr(nic.guestIPv4);
  const spec = vmi.spec.domain.devices.interfaces?.find(({ name }) => name === nic.network);
  const options = spec?.dhcpOptions;
  return {
    mac: nic.mac,
    address,
    prefix,
    server: nic.dhcpServer || nic.gatewayIPv4 || address,
    gateway: nic.gatewayIPv4 || undefined,
    routes: (nic.routes ?? []).flatMap((route) => {
      const { address: destination, prefix: length } = splitCidr(route.destination ?? '');
      return isIpv4(destination) ? [{ destination, prefix: length, gateway: route.gateway || '0.0.0.0' }] : [];
    }),
    nameservers: resolv.nameservers.filter(isIpv4),
    searchDomains: searchDomains(vmi, resolv),
    hostname: vmi.spec.hostname || vmi.metadata.name,
    mtu: nic.mtu || undefined,
    bootFileName: options?.bootFileName,
    tftpServerName: options?.tftpServerName,
    ntpServers: (options?.ntpServers ?? []).filter(isIpv4),
    privateOptions: options?.privateOptions ?? [],
  };
}
