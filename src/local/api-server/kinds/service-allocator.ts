import { randomInt } from 'node:crypto';
import { BlockList } from 'node:net';
import { fromNumber, toNumber } from '../../addresses';
import { Store } from '../store/store';
import { AnyObject } from '../types';

const NODE_PORTS = { from: 30_000, to: 32_767 };
/** Time that a number is reserved for a create that is not stored yet. */
const RESERVATION_MS = 60_000;
/** Maximum number of addresses of a range, so that arithmetic fits into doubles. */
const MAX_ADDRESSES = 65_534;

/** Node ports that one request claims. */
export interface PortClaims {
  /** Claims a number. Returns the reason if it is not available. */
  claim(port: number): string | undefined;
  /** Claims any free number; undefined if all are in use. */
  next(): number | undefined;
}

/** Allocates ClusterIPs and node ports. */
export class ServiceAllocator {
  private readonly reserved = new Map<string, number>();
  private readonly ranges: readonly Range[];

  /** @param cidrs IPv4 range and optionally an IPv6 range */
  public constructor(
    private readonly store: Store,
    cidrs: readonly string[],
  ) {
    this.ranges = cidrs.map((cidr) => new Range(cidr));
  }

  public get families(): string[] {
    return this.ranges.map((range) => range.family);
  }

  /** Address of the `kubernetes` Service. */
  public get first(): string {
    return this.ranges[0].at(1);
  }

  /** Allocates a free address; undefined if all are in use. A dry run shows the first address of the range. */
  public address(family: string, dryRun = false): string | undefined {
    const range = this.ranges.find((item) => item.family === family);
    if (!range) return undefined;
    if (dryRun) return range.at(0);
    const taken = this.taken();
    // The lower part is reserved for addresses that users choose.
    const low = Math.min(256, Math.max(16, Math.floor(range.size / 16)));
    for (const [from, to] of [
      [low, range.size],
      [2, low],
    ]) {
      if (to <= from) continue;
      const start = randomInt(from, to);
      for (let i = 0; i < to - from; i++) {
        const address = range.at(from + ((start - from + i) % (to - from)));
        if (!taken.has(address)) return this.reserve(address);
      }
    }
    return undefined;
  }

  /** Reserves a requested address. Returns the reason if it is not available. */
  public claim(address: string, dryRun = false): string | undefined {
    const range = this.ranges.find((item) => item.contains(address));
    if (!range) {
      return `failed to allocate IP ${address}: the provided network does not match the current range`;
    }
    if (dryRun) return undefined;
    if (this.taken().has(address)) return `failed to allocate IP ${address}: provided IP is already allocated`;
    this.reserve(address);
    return undefined;
  }

  /** Node ports for one request. A dry run reserves none: it shows numbers after the largest one of the request. */
  public ports(dryRun: boolean): PortClaims {
    if (!dryRun) return { claim: (port) => this.claimPort(port), next: () => this.port() };
    const claimed: number[] = [];
    return {
      claim: (port) => {
        if (claimed.includes(port) || this.taken().has(String(port))) return 'provided port is already allocated';
        claimed.push(port);
        return undefined;
      },
      next: () => {
        const next = (claimed.length ? Math.max(...claimed) : NODE_PORTS.to + 1) + 1;
        claimed.push(next);
        return next;
      },
    };
  }

  /** Allocates a free node port. */
  public port(): number | undefined {
    const taken = this.taken();
    const count = NODE_PORTS.to - NODE_PORTS.from + 1;
    const start = randomInt(count);
    for (let i = 0; i < count; i++) {
      const port = NODE_PORTS.from + ((start + i) % count);
      if (!taken.has(String(port))) return Number(this.reserve(String(port)));
    }
    return undefined;
  }

  public claimPort(port: number): string | undefined {
    if (port < NODE_PORTS.from || port > NODE_PORTS.to) {
      return `provided port is not in the valid range. The range of valid ports is ${NODE_PORTS.from}-${NODE_PORTS.to}`;
    }
    if (this.taken().has(String(port))) return 'provided port is already allocated';
    this.reserve(String(port));
    return undefined;
  }

  private reserve(value: string): string {
    this.reserved.set(value, Date.now() + RESERVATION_MS);
    return value;
  }

  private taken(): Set<string> {
    const now = Date.now();
    for (const [value, until] of this.reserved) if (until < now) this.reserved.delete(value);
    const taken = new Set(this.reserved.keys());
    for (const { spec } of this.store.list({ resource: '/services' })) {
      for (const value of numbersOf({ spec })) taken.add(value);
    }
    return taken;
  }
}

function numbersOf({ spec }: Pick<AnyObject, 'spec'>): string[] {
  const ports: { nodePort?: number }[] = spec?.ports ?? [];
  return [
    ...(spec?.healthCheckNodePort ? [String(spec.healthCheckNodePort)] : []),
    ...((spec?.clusterIPs ?? []) as string[]),
    ...ports.flatMap(({ nodePort }) => (nodePort ? [String(nodePort)] : [])),
  ];
}

class Range {
  public readonly family: 'IPv4' | 'IPv6';
  public readonly size: number;
  private readonly base: bigint;
  private readonly list = new BlockList();

  public constructor(public readonly cidr: string) {
    const [address, bits] = cidr.split('/');
    this.family = address.includes(':') ? 'IPv6' : 'IPv4';
    const width = this.family === 'IPv6' ? 128 : 32;
    this.list.addSubnet(address, Number(bits), this.family === 'IPv6' ? 'ipv6' : 'ipv4');
    const count = 2n ** BigInt(width - Number(bits)) - 1n;
    this.size = Number(count < MAX_ADDRESSES ? count : MAX_ADDRESSES);
    this.base = toNumber(address);
  }

  public contains(address: string): boolean {
    const family = address.includes(':') ? 'IPv6' : 'IPv4';
    return family === this.family && this.list.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
  }

  public at(offset: number): string {
    return fromNumber(this.base + BigInt(offset), this.family === 'IPv6');
  }
}
