/** Rules about the addresses that an import may connect to. Pure, except for the DNS lookup. */
import { lookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Link-local addresses serve the credentials of cloud machines, never images. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// the same service of AWS over IPv6
forbidden.addAddress('fd00:ec2::254', 'ipv6');

/** Whether an import may connect to this IP address. IPv4 addresses within IPv6 (`::ffff:`) count as IPv4. */
export function isAllowed(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !forbidden.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Error of a name or URL that leads to a forbidden address. */
export class ForbiddenAddress extends Error {}

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** `lookup` of node:net that only returns allowed addresses: the connection uses the address that was checked. */
export function allowedLookup(host: string, options: LookupOptions, done: LookupDone): void {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const allowed = found.filter(({ address }) => isAllowed(address));
    const [first] = allowed;
    if (!first) return done(new ForbiddenAddress(`${host} has only link-local addresses`), []);
    if (options.all) done(null, allowed);
    else done(null, first.address, first.family);
  });
}

/** @throws ForbiddenAddress if the URL's host is a forbidden address; names are checked by `allowedLookup` */
export function assertAllowedHost({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isAllowed(address)) throw new ForbiddenAddress(`${address} is a link-local address`);
}
