/** Chooses the addresses of an engine's network. Pure. */

export interface Subnets {
  /** `10.77.0.0/24`, always a /24. */
  readonly ipv4: string;
  /** `fd77:7638:1::/64`, always a /64; absent where the host has no IPv6. */
  readonly ipv6?: string;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** First candidate that does not overlap a route or an address of the host. */
export function freeSubnets(taken: readonly string[], withIpv6: boolean): Subnets {
  for (let index = 0; index < 3 * 256; index++) {
    const ipv4 = `10.${77 + Math.floor(index / 256)}.${index % 256}.0/24`;
    const ipv6 = `fd77:7638:${(index + 1).toString(16)}::/64`;
    if (areFree({ ipv4, ipv6 }, taken)) return { ipv4, ...(withIpv6 ? { ipv6 } : {}) };
  }
  throw new Error('network: 10.77.0.0/16 to 10.79.0.0/16 are all routed elsewhere; free one /24 of them');
}

/** Whether subnets overlap no route or address of the host. */
export function areFree({ ipv4, ipv6 }: Subnets, taken: readonly string[]): boolean {
  const range = rangeOf(ipv4) as Range;
  return taken.every((cidr) => {
    const other = rangeOf(cidr);
    if (other) return range.to < other.from || other.to < range.from;
    return ipv6 === undefined || !cidr.toLowerCase().startsWith(ipv6.slice(0, -3));
  });
}

/** Bounds of an IPv4 network; `undefined` for anything else and for the default route. */
function rangeOf(cidr: string): Range | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(cidr);
  if (!match) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(1, 5).map(Number);
  const length = Number(match[5] ?? 32);
  if (length === 0) return undefined;
  const size = 2 ** (32 - length);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const from = Math.floor(address / size) * size;
  return { from, to: from + size - 1 };
}

/** The n-th address: `10.77.0.n` and `fd77:7638:1::n` (in hexadecimal). 1 is the gateway. */
export function addressAt(subnets: Subnets, n: number): { ipv4: string; ipv6?: string } {
  const ipv4 = subnets.ipv4.replace(/0\/24$/, String(n));
  return { ipv4, ...(subnets.ipv6 ? { ipv6: subnets.ipv6.replace(/\/64$/, n.toString(16)) } : {}) };
}

const FIRST_HOST = 2;
const LAST_HOST = 254;

/** Next free host number after the last one, so that a freed address is not reused at once. */
export function nextHost(used: ReadonlySet<number>, last: number): number {
  const count = LAST_HOST - FIRST_HOST + 1;
  for (let step = 1; step <= count; step++) {
    const candidate = FIRST_HOST + ((last - FIRST_HOST + step + count) % count);
    if (!used.has(candidate)) return candidate;
  }
  throw new Error(`network: all ${count} Pod addresses are in use; delete Pods that are not needed`);
}

/** MAC derived from the address, so that neighbour caches stay valid when an address is reused. */
export const macOf = (ipv4: string): string =>
  `0a:58:${ipv4
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join(':')}`;
