import { Duration, Lazy, Size } from 'cdk8s';
import { Cpu, Disk, RunStrategy } from '../../../../src';

/** Error of the user's own code, which the library passes on. */
export class UsersOwn extends Error {}

const throws = (): never => {
  throw new UsersOwn('a getter of the user');
};
const cyclic = (): unknown => {
  const loop: Record<string, unknown> = { name: 'loop' };
  loop.self = loop;
  return loop;
};
const cyclicList = (): unknown => {
  const loop: unknown[] = [];
  loop.push(loop);
  return loop;
};

const deep = (wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 'x';
  for (let i = 0; i < 20_000; i += 1) value = wrap(value);
  return value;
};

/** Texts that somebody may paste, or that a program may make. */
export const odd: readonly string[] = [
  '',
  ' ',
  'x'.repeat(100_000),
  'a-'.repeat(50_000),
  '/'.repeat(50_000),
  '0'.repeat(60_000),
  '\n'.repeat(40_000),
  'aA1.'.repeat(20_000),
  '\u0000',
  '\ud800',
  'x\udfffy',
  '\u202eevil\u202c',
  '👩‍💻'.repeat(20),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  '../../etc/passwd',
  'a\nb: c',
  '- &a [*a]',
  '{{ .x }}',
  '%s%n',
  'true',
  'null',
  '1e400',
  '-1',
  '0x10',
  '１２',
  'İ',
  '\u2028',
];

/** Makers of values that are of no type, or of another than is asked for. */
export const wrongValues: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  () => 0,
  () => -0,
  () => -1,
  () => 1.5,
  () => NaN,
  () => Infinity,
  () => -Infinity,
  () => 1e308,
  () => 2 ** 53,
  () => 10n,
  () => Symbol('s'),
  () => () => 'function',
  () => class Some {},
  () => [],
  () => [null],
  () => [[]],
  () => ['x'],
  () => [undefined],
  () => Array.from({ length: 3 }),
  cyclicList,
  () => deep((inner) => [inner]),
  () => deep((inner) => ({ a: inner })),
  () => deep((inner) => ({ spec: inner, name: 'x', users: [inner] })),
  () => Array.from({ length: 3_000 }, () => null),
  () => Array.from({ length: 3_000 }, () => 'x'),
  () => ({ length: 2 ** 40, name: 'x' }),
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`, i])),
  () => ({}),
  () => ({ name: 'x' }),
  () => ({ name: 5 }),
  () => ({ name: Symbol('n') }),
  () => ({ name: '' }),
  () => ({ value: 'x' }),
  () => ({ kind: 5, name: 'x', metadata: null }),
  () => JSON.parse('{"__proto__": {"polluted": true}, "name": "x"}') as unknown,
  () => JSON.parse('{"constructor": {"prototype": {"polluted": true}}}') as unknown,
  () => ({ constructor: 5, toString: 5, valueOf: 5, hasOwnProperty: 5 }),
  () => ({ toString: throws, toJSON: throws }),
  () => ({ toJSON: () => undefined }),
  () => ({ then: () => undefined }),
  () => Object.create(null) as unknown,
  () => Object.assign(Object.create({ inherited: 1 }) as object, { own: 1 }),
  cyclic,
  () => Object.defineProperty({}, 'name', { enumerable: true, get: throws }),
  () => new Proxy({}, {}),
  () => new Proxy({ name: 'proxy' }, { get: throws }),
  () => new Proxy({}, { ownKeys: throws }),
  () => Object.freeze({ name: 'frozen' }),
  () => Object.freeze([]),
  () => new Date(0),
  () => new Date(NaN),
  () => new Map([['a', 1]]),
  () => new Set(['a']),
  () => /x/g,
  () => new Error('an error'),
  () => Promise.resolve(1),
  () => Buffer.from('bytes'),
  () => new Uint8Array(4),
  () => new String('boxed'),
  () => new Number(5),
  () => Size.gibibytes(1),
  () => Duration.minutes(1),
  () => Duration.millis(1500),
  () => Cpu.cores(1),
  () => RunStrategy.ALWAYS,
  () => Disk.containerDisk('registry.example/os:1'),
  () => ({ toKibibytes: () => NaN }),
  () => ({ toKibibytes: () => 'x', toSeconds: 5 }),
  () => ({ toSeconds: () => -1, toMinutes: () => NaN }),
  () => ({ toSeconds: throws, toKibibytes: throws }),
  () => ({ toPodSelectorConfig: () => null }),
  () => ({ toPodSelectorConfig: () => ({ labelSelector: { _toKube: () => 5 } }) }),
  () => ({ matchLabels: { a: null }, matchExpressions: 5 }),
  () => ({ labels: { a: 5 }, annotations: [], name: {} }),
  () => Lazy.any({ produce: () => 'late' }),
  () => Lazy.any({ produce: () => ({ name: 'late' }) }),
  () => Object.create(Cpu.prototype) as unknown,
  () => Object.create(Disk.prototype) as unknown,
];
