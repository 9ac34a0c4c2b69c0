import { BlockList, isIP } from 'node:net';

/** Address with its prefix length. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly prefix: number;
}

/** Parses `192.0.2.0/24` or `2001:db8::/64`; undefined for other text. */
export function readCidr(text: string): Cidr | undefined {
  const [address, prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  if (more.length > 0 || !/^\d{1,3}$/.test(prefix ?? '') || Number(prefix) > (family === 4 ? 32 : 128))
    return undefined;
  return { family, prefix: Number(prefix) };
}

/** Whether a network contains an address, of the same family. False for texts that are not what they should be. */
export function isInCidr(address: string, network: string): boolean {
  const cidr = readCidr(network);
  if (!cidr || isIP(address) !== cidr.family) return false;
  const list = new BlockList();
  const family = cidr.family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network.split('/')[0], cidr.prefix, family);
  return list.check(address, family);
}
