import { isIP } from 'node:net';

/** An address with its prefix length. */
export interface Cidr {
  readonly family: 4 | 6;
  readonly prefix: number;
}

/** Undefined when the text is not `192.0.2.0/24`, `2001:db8::/64` or alike. */
export function readCidr(text: string): Cidr | undefined {
  const [address, prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family !== 4 && family !== 6) return undefined;
  if (more.length > 0 || !/^\d{1,3}$/.test(prefix ?? '') || Number(prefix) > (family === 4 ? 32 : 128))
    return undefined;
  return { family, prefix: Number(prefix) };
}
