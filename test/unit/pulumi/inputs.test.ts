import * as pulumi from '@pulumi/pulumi';
import * as cdk8s from 'cdk8s';
import type { Construct } from 'constructs';
import * as core from 'virt8s';
import * as lifted from 'virt8s/pulumi';
import { Recording } from '../../../src/pulumi/recording';
import { SIGNATURES } from '../../../src/constructs/generated/signatures';
import { gates, samples, type Library } from './samples';

/** The public API of the construct library, as it checks its callers. */
interface Signatures {
  readonly structs: Record<string, string[]>;
  readonly interfaces: Record<string, string[]>;
  readonly classes: Record<string, { init?: string[]; statics?: Record<string, string[]> }>;
}
const { structs, interfaces, classes } = JSON.parse(SIGNATURES) as Signatures;
const library = lifted as unknown as Record<string, Record<string, (...args: unknown[]) => unknown> | undefined>;

/** `image?: string` */
function parsed(text: string): { name: string; optional: boolean; type: string } {
  const [, name, optional, type] = /^(\w+)(\?)?\*?: (.*)$/.exec(text) as RegExpExecArray;
  return { name, optional: optional !== undefined, type };
}

const isPlain = (type: string): boolean => /^(string|number|boolean)(\[\])?$/.test(type);

/** A value of a type with an Output for each plain value in it; `undefined` where none is known. */
function eventual(type: string): unknown {
  if (type === 'string') return pulumi.output('x');
  if (type === 'number') return pulumi.output(1);
  if (type === 'boolean') return pulumi.output(true);
  if (type === 'Size') return lifted.Size.gibibytes(1);
  if (type === 'Duration') return lifted.Duration.minutes(1);
  if (type.endsWith('[]')) {
    const item = eventual(type.slice(0, -2));
    return item === undefined ? undefined : [item];
  }
  const members = structs[type] ?? interfaces[type];
  if (!members) {
    const owner = library[type] as unknown as (new () => object) | undefined;
    return owner && Object.values(owner).find((it) => it instanceof owner);
  }
  const needed = members.map(parsed).filter(({ optional }) => !optional);
  const values = needed.map((it) => [it.name, eventual(it.type)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

/** Optional properties of a struct that hold plain values. */
const plainOptions = (struct: string): { name: string; type: string }[] =>
  (structs[struct] ?? []).map(parsed).filter(({ optional, type }) => optional && isPlain(type));

type Case = readonly [call: string, make: () => unknown];

/** Reads a file while the program runs, so its name must be known. */
const READS_A_FILE = 'PlatformImages.fromLock';

const factories = Object.entries(classes).flatMap(([name, { statics = {} }]) =>
  Object.entries(statics).flatMap(([factory, parameters]): Case[] => {
    const call = library[name]?.[factory];
    if (!call) return [];
    const takes = parameters.map(parsed);
    const needed = takes.filter(({ optional }) => !optional).map(({ type }) => eventual(type));
    if (needed.includes(undefined) || `${name}.${factory}` === READS_A_FILE) return [];
    const options = takes.flatMap(({ type }, at) =>
      plainOptions(type).map((option): Case => {
        const args = takes.slice(0, Math.max(at + 1, needed.length)).map((it) => eventual(it.type));
        args[at] = { ...(args[at] as object), [option.name]: eventual(option.type) };
        return [`${name}.${factory}: ${option.name}`, () => call(...args)];
      }),
    );
    return [...(needed.length > 0 ? [[`${name}.${factory}`, () => call(...needed)] as const] : []), ...options];
  }),
);

type CoreClass = new (scope: Construct, id: string, ...args: unknown[]) => Construct;

/** Properties that a component returns while the program runs. */
function record(name: string, args: unknown[]): unknown {
  const Core = (core as unknown as Record<string, CoreClass>)[name];
  const context = { 'virt8s.io/configuration': { developerConfiguration: { featureGates: gates[name] ?? [] } } };
  return new Recording({
    name: 'sample',
    context,
    args,
    make: (chart, values) => new Core(chart, 'sample', ...values),
  });
}

const constructs = Object.entries(samples).flatMap(([name, sample]) => {
  const { type } = parsed(classes[name]?.init?.at(-1) ?? 'none: none');
  const args = sample({ ...core, ...cdk8s } as unknown as Library);
  const before = args.slice(0, -1);
  return plainOptions(type).flatMap((option): Case[] => {
    const withOption = (value: unknown): unknown[] => [...before, { ...(args.at(-1) as object), [option.name]: value }];
    // values that the sample rejects outright have nothing to do with Outputs
    const plain = { boolean: [true, false], string: ['x'] }[option.type] ?? [];
    const rule = option.type === 'boolean' ? /./ : /schema-unknown-field/;
    if (plain.length > 0 && plain.every((value) => refusal(() => record(name, withOption(value))).match(rule)))
      return [];
    return [[`${name}: ${option.name}`, () => record(name, withOption(eventual(option.type)))]];
  });
});

function refusal(make: () => unknown): string {
  try {
    make();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  ['factory', factories, 400],
  ['construct', constructs, 50],
] as const)('every property and argument of every %s may be an Output', (_, cases, atLeast) => {
  expect(cases.length).toBeGreaterThan(atLeast);
  const refused = cases.flatMap(([call, make]) => refusal(make) && `${call}: ${refusal(make)}`).filter(Boolean);
  expect(refused).toEqual([]);
});
