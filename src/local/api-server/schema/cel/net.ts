import { isIPv4, isIPv6 } from 'node:net';

/** Address as a number; IPv4-mapped IPv6 and zones are rejected, as in Kubernetes' CEL. */
export class Ip {
  private constructor(
    public readonly family: 4 | 6,
    public readonly bits: bigint,
  ) {}

  public static isValid(text: string): boolean {
    return isIPv4(text) || (isIPv6(text) && !text.includes('%') && !/^::ffff:\d+\./i.test(text));
  }

  public static parse(text: string): Ip {
    if (!Ip.isValid(text)) throw new Error(`IP Address "${text}" parse error during conversion from string`);
    return isIPv4(text) ? new Ip(4, fromIPv4(text)) : new Ip(6, fromIPv6(text));
  }

  public masked(length: number): Ip {
    const width = BigInt(this.width - length);
    return new Ip(this.family, (this.bits >> width) << width);
  }

  public get width(): number {
    return this.family === 4 ? 32 : 128;
  }

  public inPrefix(prefix: string): boolean {
    return Cidr.parse(prefix).contains(this);
  }

  public equals(other: Ip): boolean {
    return this.family === other.family && this.bits === other.bits;
  }

  /** The canonical text (RFC 5952). */
  public toString(): string {
    if (this.family === 4) return [24n, 16n, 8n, 0n].map((s) => (this.bits >> s) & 255n).join('.');
    const groups = Array.from({ length: 8 }, (_, i) => ((this.bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
    const run = /(^|:)0(:0)+(?=:|$)/g;
    const text = groups.join(':');
    const longest = [...text.matchAll(run)].sort((a, b) => b[0].length - a[0].length || a.index - b.index)[0];
    if (!longest) return text;
    const head = text.slice(0, longest.index);
    const tail = text.slice(longest.index + longest[0].length).replace(/^:/, '');
    return `${head}::${tail}`;
  }
}

/** An address with a prefix length. */
export class Cidr {
  private constructor(
    public readonly ip: Ip,
    public readonly length: number,
  ) {}

  public static isValid(text: string): boolean {
    const [, ip = '', length = ''] = /^(.*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
    return Ip.isValid(ip) && Number(length) <= Ip.parse(ip).width;
  }

  public static parse(text: string): Cidr {
    if (!Cidr.isValid(text)) throw new Error(`network address parse error during conversion from string: "${text}"`);
    const [ip = '', length = ''] = text.split('/');
    return new Cidr(Ip.parse(ip), Number(length));
  }

  public contains(ip: Ip): boolean {
    return ip.family === this.ip.family && ip.masked(this.length).equals(this.ip.masked(this.length));
  }

  public containsCidr(other: Cidr): boolean {
    return other.length >= this.length && this.contains(other.ip);
  }

  public masked(): Cidr {
    return new Cidr(this.ip.masked(this.length), this.length);
  }

  public toString(): string {
    return `${this.ip}/${this.length}`;
  }
}

const fromIPv4 = (text: string): bigint => text.split('.').reduce((n, part) => (n << 8n) | BigInt(part), 0n);

function fromIPv6(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const v4 = dotted?.[2] === undefined ? undefined : fromIPv4(dotted[2]);
  const plain = v4 === undefined ? text : `${dotted?.[1]}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return all.reduce((n, group) => (n << 16n) | BigInt(`0x${group}`), 0n);
}
