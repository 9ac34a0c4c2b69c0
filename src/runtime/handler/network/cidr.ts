import { isIP } from 'node:net';

/** Address arithmetic for a guest's network. */

export interface Cidr {
  readonly family: 4 | 6;
  /** Network address. */
  readonly base: bigint;
  readonly prefix: number;
}

/** Parses `10.0.2.0/24` or `fd10:0:2::/120`; host bits are dropped. Throws for invalid text. */
export function parseCidr(text: string): Cidr {
  const [address, prefixText, ...rest] = text.split('/');
  const family = isIP(address) as 0 | 4 | 6;
  const prefix = Number(prefixText);
  const bits = family === 4 ? 32 : 128;
  if (!family || rest.length || !/^\d{1,3}$/.test(prefixText ?? '') || prefix > bits) {
    throw new Error(`"${text}" is not a CIDR (allowed: like 10.0.2.0/24 or fd10:0:2::/120)`);
  }
  const shift = BigInt(bits - prefix);
  return { family, base: (parseIp(address) >> shift) << shift, prefix };
}

/** The n-th address of the network; throws if the network is smaller. */
export function nth(cidr: Cidr, n: number): string {
  const size = 1n << BigInt((cidr.family === 4 ? 32 : 128) - cidr.prefix);
  if (BigInt(n) >= size) throw new Error(`a /${cidr.prefix} network is too small for a guest; use a larger one`);
  return formatIp(cidr.base + BigInt(n), cidr.family);
}

function parseIp(address: string): bigint {
  if (isIP(address) === 4) return address.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const plain = address.split('%')[0].replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const hex = (x: string, y: string): string => ((Number(x) << 8) | Number(y)).toString(16);
    return `${hex(a, b)}:${hex(c, d)}`;
  });
  const [head, tail] = plain.split('::');
  const groups = (part: string | undefined): string[] => (part ? part.split(':') : []);
  const before = groups(head);
  const after = groups(tail);
  const zeros = plain.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** Shortest form; for IPv6 as the URL standard defines it. */
function formatIp(value: bigint, family: 4 | 6): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
