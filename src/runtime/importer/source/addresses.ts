/** Rules about the addresses that an import may connect to. Pure, except for the DNS lookup. */
import { lookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Link-local addresses serve the credentials of cloud machines, never images. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// the same services of AWS and Google over IPv6, and of Alibaba and Oracle
forbidden.addAddress('fd00:ec2::254', 'ipv6');
forbidden.addAddress('fd20:ce::254', 'ipv6');
forbidden.addAddress('100.100.100.200', 'ipv4');
forbidden.addAddress('192.0.0.192', 'ipv4');

/** Addresses of the importer's own Pod; unspecified addresses connect to it, too. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addSubnet('0.0.0.0', 8, 'ipv4');
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
