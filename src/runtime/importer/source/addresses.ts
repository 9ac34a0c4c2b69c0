/** Rules about the addresses that an import may connect to. Pure, except for the DNS lookup. */
import { lookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** `169.254.0.0` as the last two groups of an IPv6 address. */
const groups = (ipv4: string): string => {
  const bytes = ipv4.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return `${bytes.slice(0, 2).join('')}:${bytes.slice(2).join('')}`;
};

/** Adds IPv4 addresses, also as gateways write them within IPv6: NAT64 (RFC 6052), 6to4 (RFC 3056), and `::a.b.c.d`. */
function addIpv4(list: BlockList, network: string, prefix: number): void {
  list.addSubnet(network, prefix, 'ipv4');
  list.addSubnet(`64:ff9b::${groups(network)}`, 96 + prefix, 'ipv6');
  list.addSubnet(`2002:${groups(network)}::`, 16 + prefix, 'ipv6');
  list.addSubnet(`::${groups(network)}`, 96 + prefix, 'ipv6');
}

/** Link-local addresses serve the credentials of cloud machines, never images. */
const forbidden = new BlockList();
addIpv4(forbidden, '169.254.0.0', 16);
forbidden.addSubnet('fe80::', 10, 'ipv6');
// the same services of AWS and Google over IPv6, and of Alibaba and Oracle
forbidden.addAddress('fd00:ec2::254', 'ipv6');
forbidden.addAddress('fd20:ce::254', 'ipv6');
addIpv4(forbidden, '100.100.100.200', 32);
addIpv4(forbidden, '192.0.0.192', 32);
// a gateway of the operator's own, whose form is not known
forbidden.addSubnet('64:ff9b:1::', 48, 'ipv6');

/** Addresses of the importer's own Pod; unspecified addresses connect to it, too. */
const loopback = new BlockList();
addIpv4(loopback, '127.0.0.0', 8);
addIpv4(loopback, '0.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
loopback.addAddress('::', 'ipv6');

/** Whether an import may connect to this IP address. IPv4 addresses within IPv6 (`::ffff:`) count as IPv4. */
export function isAllowed(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !forbidden.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether the URL itself names the importer's own Pod. Only then may its redirects lead there. */
export const isLoopbackHost = (url: URL): boolean => url.hostname === 'localhost' || isLoopback(addressIn(url));

/** Error of a name or URL that leads to a forbidden address. */
export class ForbiddenAddress extends Error {}

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** `lookup` of node:net that only returns allowed addresses: the connection uses the address that was checked. */
export const lookupWithin =
  (canBeLocal: boolean) =>
  (host: string, options: LookupOptions, done: LookupDone): void =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const allowed = found.filter(({ address }) => isAllowed(address) && (canBeLocal || !isLoopback(address)));
      const [first] = allowed;
      if (!first) return done(new ForbiddenAddress(`${host} has only ${LOCAL} addresses`), []);
      if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });

const LOCAL = 'link-local or loopback';

/** @throws ForbiddenAddress if the URL's host is a forbidden address; names are checked by `lookupWithin` */
export function assertAllowedHost(url: URL, canBeLocal: boolean): void {
  const address = addressIn(url);
  if (isIP(address) === 0 || (isAllowed(address) && (canBeLocal || !isLoopback(address)))) return;
  throw new ForbiddenAddress(`${address} is a ${LOCAL} address`);
}

const addressIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
