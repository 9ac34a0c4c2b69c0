import { isIP } from 'node:net';
import { fromNumber, toNumber } from '../../addresses';

/** Ranges of addresses and ports as numbers. Pure. */

export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Address families, named as in nftables. */
export type Family = 'ip' | 'ip6';

/** Ranges per family, ordered and apart from each other. */
export type Addresses = Readonly<Record<Family, readonly Range[]>>;

export const families: readonly Family[] = ['ip', 'ip6'];
const BITS: Readonly<Record<Family, number>> = { ip: 32, ip6: 128 };

/** Range of a network or of one address; undefined for a text that is neither. */
export function parseNetwork(text: string): { family: Family; range: Range } | undefined {
  const [address = '', prefix, more] = text.split('/');
  const version = isIP(address);
  if (!version || address.includes('%') || more !== undefined) return undefined;
  const family = version === 6 ? 'ip6' : 'ip';
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined;
  const free = BITS[family] - Number(prefix ?? BITS[family]);
  if (free < 0) return undefined;
  const size = 1n << BigInt(free);
  const value = toNumber(address);
  const from = value - (value % size);
  return { family, range: { from, to: from + size - 1n } };
}

/** Addresses of several networks; other texts are left out. */
export function addressesOf(networks: readonly string[]): Addresses {
  const parsed = networks.flatMap((text) => parseNetwork(text) ?? []);
  const [ip, ip6] = families.map((family) =>
    merge(parsed.filter((network) => network.family === family).map(({ range }) => range)),
  );
  return { ip: ip!, ip6: ip6! };
}

/** Addresses that are in one of several collections. */
export const union = (all: readonly Addresses[]): Addresses => ({
  ip: merge(all.flatMap(({ ip }) => ip)),
  ip6: merge(all.flatMap(({ ip6 }) => ip6)),
});

/** Addresses that are in the first collection only. */
export const without = (a: Addresses, b: Addresses): Addresses => ({
  ip: subtract(a.ip, b.ip),
  ip6: subtract(a.ip6, b.ip6),
});

/** Orders ranges and joins those that overlap or touch. */
export function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = merged.at(-1);
    if (!last || range.from > last.to + 1n) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to };
  }
  return merged;
}

/** Parts of `ranges` outside of `holes`; both are merged. */
function subtract(ranges: readonly Range[], holes: readonly Range[]): Range[] {
  return ranges.flatMap((range) => {
    const parts: Range[] = [];
    let { from } = range;
    for (const hole of holes.filter(({ from: start, to }) => start <= range.to && to >= range.from)) {
      if (hole.from > from) parts.push({ from, to: hole.from - 1n });
      from = hole.to + 1n;
    }
    if (from <= range.to) parts.push({ from, to: range.to });
    return parts;
  });
}

/** Whether the ranges have every address of the family. */
export const isAll = (family: Family, [first]: readonly Range[]): boolean =>
  first?.from === 0n && first.to === (1n << BigInt(BITS[family])) - 1n;

/** Ranges of addresses in nftables' syntax. */
export const formatAddresses = (family: Family, ranges: readonly Range[]): string[] =>
  ranges.map((range) => formatRange(range, (value) => fromNumber(value, family === 'ip6')));

/** Ranges of ports in nftables' syntax. */
export const formatPorts = (ranges: readonly Range[]): string[] => ranges.map((range) => formatRange(range, String));

const formatRange = ({ from, to }: Range, format: (value: bigint) => string): string =>
  from === to ? format(from) : `${format(from)}-${format(to)}`;
