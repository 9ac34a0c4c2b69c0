import { CelType, parseType } from './types';

/** Overload of a function: types of its receiver (if it has one) and parameters, and of its result. */
export interface Overload {
  readonly member: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

const NUMBERS = ['int', 'uint', 'double'];
const ORDERED = ['bool', 'string', 'bytes', 'timestamp', 'duration'];
const each = (types: readonly string[], make: (type: string) => string): string[] => types.map(make);
const pairs = NUMBERS.flatMap((a) => NUMBERS.map((b) => [a, b] as const));

/** Operators and functions: `name(parameters): result`, with the receiver before a dot. */
const SIGNATURES: readonly string[] = [
  ...each(['_==_', '_!=_'], (op) => `${op}(A, A): bool`),
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((op) => [
    ...each(ORDERED, (t) => `${op}(${t}, ${t}): bool`),
    ...pairs.map(([a, b]) => `${op}(${a}, ${b}): bool`),
  ]),
  ...['_+_', '_-_', '_*_', '_/_'].flatMap((op) => each(NUMBERS, (t) => `${op}(${t}, ${t}): ${t}`)),
  ...each(['int', 'uint'], (t) => `_%_(${t}, ${t}): ${t}`),
  ...each(['string', 'bytes', 'list<A>', 'duration'], (t) => `_+_(${t}, ${t}): ${t}`),
  '_+_(timestamp, duration): timestamp',
  '_+_(duration, timestamp): timestamp',
  '_-_(timestamp, duration): timestamp',
  '_-_(timestamp, timestamp): duration',
  '_-_(duration, duration): duration',
  '@in(A, list<A>): bool',
  '@in(A, map<A, B>): bool',
  '!_(bool): bool',
  '-_(int): int',
  '-_(double): double',
  '_[_](list<A>, int): A',
  '_[_](map<A, B>, A): B',
  '_?_:_(bool, A, A): A',
  ...each(['string', 'bytes', 'list<A>', 'map<A, B>'], (t) => `size(${t}): int`),
  ...each(['string', 'bytes', 'list<A>', 'map<A, B>'], (t) => `${t}.size(): int`),
  'dyn(A): dyn',
  'type(A): type',
  ...each(['bool', 'string'], (t) => `bool(${t}): bool`),
  ...each(['int', 'uint', 'double', 'string', 'timestamp', 'duration'], (t) => `int(${t}): int`),
  ...each(['int', 'uint', 'double', 'string'], (t) => `uint(${t}): uint`),
  ...each(['int', 'uint', 'double', 'string'], (t) => `double(${t}): double`),
  ...each(
    ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration', 'net.IP', 'net.CIDR'],
    (t) => `string(${t}): string`,
  ),
  ...each(['bytes', 'string'], (t) => `bytes(${t}): bytes`),
  ...each(['string', 'int', 'timestamp'], (t) => `timestamp(${t}): timestamp`),
  ...each(['string', 'int', 'duration'], (t) => `duration(${t}): duration`),
  ...each(['contains', 'startsWith', 'endsWith', 'matches'], (name) => `string.${name}(string): bool`),
  'matches(string, string): bool',
  ...each(
    [
      'FullYear',
      'Month',
      'DayOfYear',
      'DayOfMonth',
      'Date',
      'DayOfWeek',
      'Hours',
      'Minutes',
      'Seconds',
      'Milliseconds',
    ],
    (name) => `timestamp.get${name}(): int|timestamp.get${name}(string): int`,
  ).flatMap((both) => both.split('|')),
  ...each(['Hours', 'Minutes', 'Seconds', 'Milliseconds'], (name) => `duration.get${name}(): int`),
  // strings
  'string.charAt(int): string',
  'string.format(list<dyn>): string',
  'string.indexOf(string): int',
  'string.indexOf(string, int): int',
  'string.lastIndexOf(string): int',
  'string.lastIndexOf(string, int): int',
  'list<string>.join(): string',
  'list<string>.join(string): string',
  'string.lowerAscii(): string',
  'string.upperAscii(): string',
  'string.replace(string, string): string',
  'string.replace(string, string, int): string',
  'string.split(string): list<string>',
  'string.split(string, int): list<string>',
  'string.substring(int): string',
  'string.substring(int, int): string',
  'string.trim(): string',
  'string.reverse(): string',
  'string.find(string): string',
  'string.findAll(string): list<string>',
  'string.findAll(string, int): list<string>',
  // lists
  ...each([...NUMBERS, ...ORDERED], (t) => `list<${t}>.isSorted(): bool`),
  ...each([...NUMBERS, 'duration'], (t) => `list<${t}>.sum(): ${t}`),
  ...each([...NUMBERS, ...ORDERED], (t) => `list<${t}>.min(): ${t}`),
  ...each([...NUMBERS, ...ORDERED], (t) => `list<${t}>.max(): ${t}`),
  'list<A>.indexOf(A): int',
  'list<A>.lastIndexOf(A): int',
  'list<A>.slice(int, int): list<A>',
  'list<A>.reverse(): list<A>',
  'list<A>.distinct(): list<A>',
  'list<A>.sort(): list<A>',
  'list<dyn>.flatten(): list<dyn>',
  'list<A>.first(): optional<A>',
  'list<A>.last(): optional<A>',
  ...each(['contains', 'equivalent', 'intersects'], (name) => `sets.${name}(list<A>, list<A>): bool`),
  // optional values
  'optional.of(A): optional<A>',
  'optional.ofNonZeroValue(A): optional<A>',
  'optional.none(): optional<A>',
  'optional<A>.hasValue(): bool',
  'optional<A>.value(): A',
  'optional<A>.or(optional<A>): optional<A>',
  'optional<A>.orValue(A): A',
  // Kubernetes
  'quantity(string): kubernetes.Quantity',
  'isQuantity(string): bool',
  'kubernetes.Quantity.sign(): int',
  'kubernetes.Quantity.isInteger(): bool',
  'kubernetes.Quantity.asInteger(): int',
  'kubernetes.Quantity.asApproximateFloat(): double',
  ...each(['isGreaterThan', 'isLessThan'], (name) => `kubernetes.Quantity.${name}(kubernetes.Quantity): bool`),
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int',
  ...['add', 'sub'].flatMap((name) =>
    each(['kubernetes.Quantity', 'int'], (t) => `kubernetes.Quantity.${name}(${t}): kubernetes.Quantity`),
  ),
  'url(string): kubernetes.URL',
  'isURL(string): bool',
  ...each(
    ['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'],
    (name) => `kubernetes.URL.${name}(): string`,
  ),
  'kubernetes.URL.getQuery(): map<string, list<string>>',
  'ip(string): net.IP',
  'isIP(string): bool',
  'ip.isCanonical(string): bool',
  'net.IP.family(): int',
  ...each(
    ['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'],
    (name) => `net.IP.${name}(): bool`,
  ),
  'cidr(string): net.CIDR',
  'isCIDR(string): bool',
  ...each(['string', 'net.IP'], (t) => `net.CIDR.containsIP(${t}): bool`),
  ...each(['string', 'net.CIDR'], (t) => `net.CIDR.containsCIDR(${t}): bool`),
  'net.CIDR.ip(): net.IP',
  'net.CIDR.prefixLength(): int',
  'net.CIDR.masked(): net.CIDR',
  'semver(string): kubernetes.Semver',
  'semver(string, bool): kubernetes.Semver',
  'isSemver(string): bool',
  'isSemver(string, bool): bool',
  ...each(['major', 'minor', 'patch'], (name) => `kubernetes.Semver.${name}(): int`),
  ...each(['isGreaterThan', 'isLessThan'], (name) => `kubernetes.Semver.${name}(kubernetes.Semver): bool`),
  'kubernetes.Semver.compareTo(kubernetes.Semver): int',
  ...each(
    'dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date datetime'.split(
      ' ',
    ),
    (name) => `format.${name}(): kubernetes.NamedFormat`,
  ),
  'format.named(string): optional<kubernetes.NamedFormat>',
  'kubernetes.NamedFormat.validate(string): optional<list<string>>',
  'kubernetes.authorization.Authorizer.path(string): kubernetes.authorization.PathCheck',
  'kubernetes.authorization.Authorizer.group(string): kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.Authorizer.serviceAccount(string, string): kubernetes.authorization.Authorizer',
  'kubernetes.authorization.GroupCheck.resource(string): kubernetes.authorization.ResourceCheck',
  ...each(
    ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'],
    (name) => `kubernetes.authorization.ResourceCheck.${name}(string): kubernetes.authorization.ResourceCheck`,
  ),
  ...each(
    ['Path', 'Resource'],
    (t) => `kubernetes.authorization.${t}Check.check(string): kubernetes.authorization.Decision`,
  ),
  ...each(['allowed', 'errored'], (name) => `kubernetes.authorization.Decision.${name}(): bool`),
  ...each(['reason', 'error'], (name) => `kubernetes.authorization.Decision.${name}(): string`),
];

/** Prefixes of functions that belong to a namespace instead of a receiver. */
export const NAMESPACES = new Set(['sets', 'optional', 'format', 'ip']);

let table: Map<string, Overload[]> | undefined;

/** Overloads of a function or operator; undefined if there is none of this name. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  if (!table) {
    table = new Map();
    for (const text of SIGNATURES) {
      const { key, overload } = parseSignature(text);
      table.set(key, [...(table.get(key) ?? []), overload]);
    }
  }
  return table.get(name);
}

function parseSignature(text: string): { key: string; overload: Overload } {
  const [, head = '', inside = '', result = ''] = /^(.*?)\(([^()]*)\): (.*)$/.exec(text) ?? [];
  const dot = head.lastIndexOf('.');
  const receiver = dot < 0 ? '' : head.slice(0, dot);
  const member = receiver !== '' && !NAMESPACES.has(receiver);
  const parameters = splitTypes(inside).map(parseType);
  return {
    key: member ? head.slice(dot + 1) : head,
    overload: {
      member,
      parameters: member ? [parseType(receiver), ...parameters] : parameters,
      result: parseType(result),
    },
  };
}

/** Splits a list of types at the commas that are not inside of brackets. */
function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = '';
  for (const char of text) {
    if (char === '<') depth++;
    if (char === '>') depth--;
    if (char === ',' && depth === 0) {
      parts.push(current.trim());
      current = '';
    } else current += char;
  }
  return current.trim() === '' ? parts : [...parts, current.trim()];
}
