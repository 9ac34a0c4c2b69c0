import { Environment, Optional } from '@marcbachmann/cel-js';
import { formatCheck } from '../formats';
import { findMatches, pattern } from '../pattern';
import { deepEqual } from '../../json/values';
import { limitLength } from './limits';
import { Cidr, Ip } from './net';
import { Quantity } from './quantity';
import { Semver } from './semver';

/** Names under which functions are registered whose implementation in the library is not linear or not bounded. */
export const OWN_NAMES = { matches: 'matches_re2', join: 'join_bounded' } as const;

/** A parsed URL, as Go sees it. */
class Url {
  public constructor(
    public readonly url: URL | undefined,
    public readonly text: string,
  ) {}

  public static isValid(text: string): boolean {
    return /^\/[^\s]*$/.test(text) || (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text) && URL.canParse(text));
  }

  public static parse(text: string): Url {
    if (!Url.isValid(text))
      throw new Error(`URL parse error during conversion from string: parse "${text}": invalid URI for request`);
    return new Url(new URL(text, 'none://'), text);
  }

  public get absolute(): boolean {
    return !this.text.startsWith('/');
  }
}

/** A named format of `format.dns1123Label()`. */
class Format {
  public constructor(public readonly check: (text: string) => string[]) {}
}

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const named =
  (source: string, max: number, what: string) =>
  (text: string): string[] => [
    ...(new RegExp(`^${source}$`).test(text) ? [] : [`${what} must match '${source}'`]),
    ...(text.length > max ? [`must be no more than ${max} bytes`] : []),
  ];
const stringFormat =
  (name: string) =>
  (text: string): string[] =>
    formatCheck(name)?.(text) === false ? [`invalid ${name}`] : [];

const FORMATS: Readonly<Record<string, (text: string) => string[]>> = {
  dns1123Label: named(DNS_LABEL, 63, 'a lowercase RFC 1123 label'),
  dns1123Subdomain: named(`${DNS_LABEL}(\\.${DNS_LABEL})*`, 253, 'a lowercase RFC 1123 subdomain'),
  dns1035Label: named('[a-z]([-a-z0-9]*[a-z0-9])?', 63, 'a DNS-1035 label'),
  qualifiedName: named(
    `(${DNS_LABEL}(\\.${DNS_LABEL})*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`,
    317,
    'a qualified name',
  ),
  dns1123LabelPrefix: named('[a-z0-9]([-a-z0-9]*)?', 63, 'a prefix of a lowercase RFC 1123 label'),
  dns1123SubdomainPrefix: named('[a-z0-9]([-a-z0-9.]*)?', 253, 'a prefix of a lowercase RFC 1123 subdomain'),
  dns1035LabelPrefix: named('[a-z]([-a-z0-9]*)?', 63, 'a prefix of a DNS-1035 label'),
  labelValue: named('(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?', 63, 'a valid label'),
  uri: stringFormat('uri'),
  uuid: stringFormat('uuid'),
  byte: stringFormat('byte'),
  date: stringFormat('date'),
  datetime: stringFormat('datetime'),
};

/** Adds the functions that Kubernetes adds to CEL. */
export function registerKubernetesFunctions(env: Environment): void {
  const add = (signature: string, handler: (...args: never[]) => unknown) =>
    env.registerFunction(signature, handler as (...args: unknown[]) => unknown);
  registerQuantities(env, add);
  registerNetwork(env, add);
  env.registerType('SetsNamespace', SetsNamespace);
  env.registerConstant('sets', 'SetsNamespace', new SetsNamespace());
  registerLists(add);
  registerStrings(add);
  registerSemver(env, add);
  env.registerType('Format', Format);
  env.registerType('FormatNamespace', FormatNamespace);
  env.registerConstant('format', 'FormatNamespace', new FormatNamespace());
  for (const [name, check] of Object.entries(FORMATS))
    add(`FormatNamespace.${name}(): Format`, () => new Format(check));
  add('FormatNamespace.named(string): optional<Format>', (_: FormatNamespace, name: string) => {
    const check = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    return check ? Optional.of(new Format(check)) : Optional.none();
  });
  add('Format.validate(string): optional<list<string>>', (format: Format, text: string) => {
    const problems = format.check(text);
    return problems.length > 0 ? Optional.of(problems) : Optional.none();
  });
}

class FormatNamespace {}
class SetsNamespace {}

type Add = (signature: string, handler: (...args: never[]) => unknown) => unknown;

function registerQuantities(env: Environment, add: Add): void {
  env.registerType('Quantity', Quantity);
  add('quantity(string): Quantity', (text: string) => Quantity.parse(text));
  add('isQuantity(string): bool', (text: string) => Quantity.isValid(text));
  add('Quantity.sign(): int', (q: Quantity) => q.sign());
  add('Quantity.isInteger(): bool', (q: Quantity) => q.isInteger);
  add('Quantity.asInteger(): int', (q: Quantity) => q.asInteger());
  add('Quantity.asApproximateFloat(): double', (q: Quantity) => q.asNumber());
  add('Quantity.isGreaterThan(Quantity): bool', (a: Quantity, b: Quantity) => a.compareTo(b) > 0n);
  add('Quantity.isLessThan(Quantity): bool', (a: Quantity, b: Quantity) => a.compareTo(b) < 0n);
  add('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) => a.compareTo(b));
  add('Quantity.add(Quantity): Quantity', (a: Quantity, b: Quantity) => a.add(b));
  add('Quantity.add(int): Quantity', (a: Quantity, b: bigint) => a.add(Quantity.of(b)));
  add('Quantity.sub(Quantity): Quantity', (a: Quantity, b: Quantity) => a.sub(b));
  add('Quantity.sub(int): Quantity', (a: Quantity, b: bigint) => a.sub(Quantity.of(b)));
  env.registerOperator('Quantity == Quantity', (a: Quantity, b: Quantity) => a.compareTo(b) === 0n);
}

function registerNetwork(env: Environment, add: Add): void {
  env.registerType('Url', Url);
  add('isURL(string): bool', (text: string) => Url.isValid(text));
  add('url(string): Url', (text: string) => Url.parse(text));
  const part = (read: (url: URL) => string) => (u: Url) => (u.url && u.absolute ? read(u.url) : '');
  add(
    'Url.getScheme(): string',
    part((u) => u.protocol.replace(/:$/, '')),
  );
  add(
    'Url.getHost(): string',
    part((u) => u.host),
  );
  add(
    'Url.getHostname(): string',
    part((u) => u.hostname.replace(/^\[(.*)\]$/, '$1')),
  );
  add(
    'Url.getPort(): string',
    part((u) => u.port),
  );
  add('Url.getEscapedPath(): string', (u: Url) => {
    const [, path = ''] = /^(?:[^/?#]*:\/\/[^/?#]*)?([^?#]*)/.exec(u.text) ?? [];
    return path;
  });
  add('Url.getQuery(): map<string, list<string>>', (u: Url) => {
    const query = new Map<string, string[]>();
    for (const [k, v] of u.url?.searchParams ?? []) query.set(k, [...(query.get(k) ?? []), v]);
    return query;
  });

  env.registerType('Ip', Ip);
  add('isIP(string): bool', (text: string) => Ip.isValid(text));
  add('ip(string): Ip', (text: string) => Ip.parse(text));
  add('string(Ip): string', (ip: Ip) => ip.toString());
  add('Ip.family(): int', (ip: Ip) => BigInt(ip.family));
  const inside = (v4: string[], v6: string[]) => (ip: Ip) => (ip.family === 4 ? v4 : v6).some((p) => ip.inPrefix(p));
  add('Ip.isUnspecified(): bool', (ip: Ip) => ip.bits === 0n);
  add('Ip.isLoopback(): bool', inside(['127.0.0.0/8'], ['::1/128']));
  add('Ip.isLinkLocalMulticast(): bool', inside(['224.0.0.0/24'], ['ff02::/16']));
  add('Ip.isLinkLocalUnicast(): bool', inside(['169.254.0.0/16'], ['fe80::/10']));
  const notGlobal = inside(
    ['0.0.0.0/32', '255.255.255.255/32', '127.0.0.0/8', '224.0.0.0/4', '169.254.0.0/16'],
    ['::/128', '::1/128', 'ff00::/8', 'fe80::/10'],
  );
  add('Ip.isGlobalUnicast(): bool', (ip: Ip) => !notGlobal(ip));
  env.registerOperator('Ip == Ip', (a: Ip, b: Ip) => a.equals(b));

  env.registerType('Cidr', Cidr);
  add('isCIDR(string): bool', (text: string) => Cidr.isValid(text));
  add('cidr(string): Cidr', (text: string) => Cidr.parse(text));
  add('string(Cidr): string', (c: Cidr) => c.toString());
  add('Cidr.containsIP(string): bool', (c: Cidr, ip: string) => c.contains(Ip.parse(ip)));
  add('Cidr.containsIP(Ip): bool', (c: Cidr, ip: Ip) => c.contains(ip));
  add('Cidr.containsCIDR(string): bool', (c: Cidr, other: string) => c.containsCidr(Cidr.parse(other)));
  add('Cidr.containsCIDR(Cidr): bool', (c: Cidr, other: Cidr) => c.containsCidr(other));
  add('Cidr.ip(): Ip', (c: Cidr) => c.ip);
  add('Cidr.prefixLength(): int', (c: Cidr) => BigInt(c.length));
  add('Cidr.masked(): Cidr', (c: Cidr) => c.masked());
  env.registerOperator('Cidr == Cidr', (a: Cidr, b: Cidr) => a.toString() === b.toString());
}

function registerLists(add: Add): void {
  const before = (a: unknown, b: unknown) => (a as number) < (b as number);
  add('list<dyn>.isSorted(): bool', (list: unknown[]) => list.every((v, i) => i === 0 || !before(v, list[i - 1])));
  add('list<dyn>.sum(): dyn', (list: (bigint | number)[]) =>
    list.length === 0 ? 0n : list.reduce((a, b) => (a as bigint) + (b as bigint)),
  );
  const extreme = (name: string, better: (a: unknown, b: unknown) => boolean) => (list: unknown[]) => {
    if (list.length === 0) throw new Error(`${name} called on empty list`);
    return list.reduce((a, b) => (better(b, a) ? b : a));
  };
  add('list<dyn>.min(): dyn', extreme('min', before));
  add(
    'list<dyn>.max(): dyn',
    extreme('max', (a, b) => before(b, a)),
  );
  add('list<dyn>.indexOf(dyn): int', (list: unknown[], v: unknown) => BigInt(list.findIndex((x) => deepEqual(x, v))));
  add('list<dyn>.lastIndexOf(dyn): int', (list: unknown[], v: unknown) =>
    BigInt(list.findLastIndex((x) => deepEqual(x, v))),
  );
  const sliced = (list: unknown[], from: bigint, to: bigint) => list.slice(Number(from), Number(to));
  add('list<dyn>.slice(int, int): list<dyn>', sliced);
  add('list<dyn>.reverse(): list<dyn>', (list: unknown[]) => [...list].reverse());
  add('list<dyn>.distinct(): list<dyn>', (list: unknown[]) =>
    list.filter((v, i) => list.findIndex((w) => deepEqual(v, w)) === i),
  );
  add('list<dyn>.sort(): list<dyn>', (list: unknown[]) => [...list].sort((a, b) => (before(a, b) ? -1 : 1)));
  add('list<dyn>.flatten(): list<dyn>', (list: unknown[]) => list.flat());
  add('list<dyn>.first(): optional<dyn>', (list: unknown[]) => (list.length ? Optional.of(list[0]) : Optional.none()));
  add('list<dyn>.last(): optional<dyn>', (list: unknown[]) =>
    list.length ? Optional.of(list.at(-1)) : Optional.none(),
  );
  const has = (list: unknown[], v: unknown) => list.some((w) => deepEqual(v, w));
  add('SetsNamespace.contains(list<dyn>, list<dyn>): bool', (_: object, a: unknown[], b: unknown[]) =>
    b.every((v) => has(a, v)),
  );
  add(
    'SetsNamespace.equivalent(list<dyn>, list<dyn>): bool',
    (_: object, a: unknown[], b: unknown[]) => a.every((v) => has(b, v)) && b.every((v) => has(a, v)),
  );
  add('SetsNamespace.intersects(list<dyn>, list<dyn>): bool', (_: object, a: unknown[], b: unknown[]) =>
    a.some((v) => has(b, v)),
  );
}

/** Replaces the first `times` occurrences. */
function replaced(text: string, a: string, b: string, times: number): string {
  const found = text.split(a).length + (a === '' ? 1 : -1);
  limitLength(text.length + Math.min(found, times) * b.length);
  let left = times;
  return text.replaceAll(a, () => (left-- > 0 ? b : a));
}

/** Joins strings. @throws CostLimitError */
function joined(list: unknown[], separator: string): string {
  let length = 0;
  for (const item of list) {
    if (typeof item !== 'string') throw new Error('no such overload');
    length += item.length + separator.length;
  }
  limitLength(length);
  return list.join(separator);
}

function registerStrings(add: Add): void {
  add(`list<dyn>.${OWN_NAMES.join}(): string`, (list: unknown[]) => joined(list, ''));
  add(`list<dyn>.${OWN_NAMES.join}(string): string`, joined);
  add(`string.${OWN_NAMES.matches}(string): bool`, (text: string, re: string) => pattern(re).test(text));
  add(`${OWN_NAMES.matches}(string, string): bool`, (text: string, re: string) => pattern(re).test(text));
  add('string.find(string): string', (text: string, re: string) => findMatches(text, re, 1)[0] ?? '');
  add('string.findAll(string): list<string>', (text: string, re: string) => findMatches(text, re, Infinity));
  add('string.findAll(string, int): list<string>', (text: string, re: string, n: bigint) =>
    findMatches(text, re, n < 0n ? Infinity : Number(n)),
  );
  add('string.charAt(int): string', (text: string, i: bigint) => {
    const chars = [...text];
    if (i < 0n || i > BigInt(chars.length)) throw new Error(`index out of range: ${i}`);
    return chars[Number(i)] ?? '';
  });
  add('string.replace(string, string): string', (text: string, a: string, b: string) => replaced(text, a, b, Infinity));
  add('string.replace(string, string, int): string', (text: string, a: string, b: string, n: bigint) => {
    return replaced(text, a, b, n < 0n ? Infinity : Number(n));
  });
  add('string.reverse(): string', (text: string) => [...text].reverse().join(''));
}

function registerSemver(env: Environment, add: Add): void {
  env.registerType('Semver', Semver);
  add('semver(string): Semver', (text: string) => Semver.parse(text));
  add('semver(string, bool): Semver', (text: string, normalize: boolean) => Semver.parse(text, normalize));
  add('isSemver(string): bool', (text: string) => Semver.isValid(text));
  add('isSemver(string, bool): bool', (text: string, normalize: boolean) => Semver.isValid(text, normalize));
  add('Semver.major(): int', (v: Semver) => v.major);
  add('Semver.minor(): int', (v: Semver) => v.minor);
  add('Semver.patch(): int', (v: Semver) => v.patch);
  add('Semver.compareTo(Semver): int', (a: Semver, b: Semver) => a.compareTo(b));
  add('Semver.isGreaterThan(Semver): bool', (a: Semver, b: Semver) => a.compareTo(b) > 0n);
  add('Semver.isLessThan(Semver): bool', (a: Semver, b: Semver) => a.compareTo(b) < 0n);
  env.registerOperator('Semver == Semver', (a: Semver, b: Semver) => a.compareTo(b) === 0n);
}
