import * as pulumi from '@pulumi/pulumi';
import * as cdk8s from 'cdk8s';
import { Construct } from 'constructs';
import * as core from 'virt8s';
import * as lifted from 'virt8s/pulumi';
import { run } from './engine';
import { gates, later, samples, type Library } from './samples';

type Manifest = { kind: string; metadata: { name: string } };
type CoreClass = new (scope: Construct, id: string, ...args: unknown[]) => unknown;
type PulumiClass = new (name: string, ...args: unknown[]) => unknown;

const constructs = { ...core, ...cdk8s } as unknown as Library;
const components = lifted as unknown as Library;

const contextOf = (name: string): Record<string, unknown> => ({
  'virt8s.io/configuration': { developerConfiguration: { featureGates: gates[name] ?? [] } },
});

/** Objects that cdk8s synthesizes. */
function synthesized(name: string, args: unknown[]): Manifest[] {
  const app = new cdk8s.App();
  for (const [key, value] of Object.entries(contextOf(name))) app.node.setContext(key, value);
  const chart = new cdk8s.Chart(app, 'sample', { disableResourceNameHashes: true });
  const made = new (constructs as unknown as Record<string, CoreClass>)[name](chart, 'sample', ...args);
  later[name]?.(made as never);
  return inOrder(chart.toJson());
}

/** Objects that Pulumi registers. */
async function registered(name: string, args: unknown[]): Promise<Manifest[]> {
  const { objects } = await run(() => {
    const Component = (components as unknown as Record<string, PulumiClass>)[name];
    const made = new Component('sample', ...args, { context: contextOf(name) });
    later[name]?.(made as never);
  });
  return inOrder(objects as unknown as Manifest[]);
}

const inOrder = (objects: Manifest[]): Manifest[] =>
  objects.sort((a, b) => `${a.kind} ${a.metadata.name}`.localeCompare(`${b.kind} ${b.metadata.name}`));

/** The same with an Output for each plain value in it. */
function eventual(value: unknown): unknown {
  if (['string', 'number', 'boolean'].includes(typeof value)) return pulumi.output(value);
  if (Array.isArray(value)) return value.map(eventual);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, eventual(item)]));
}

/** The library for Pulumi, whose factories get an Output for each plain value. */
const eventually = new Proxy(components, {
  get: (library, name) => {
    const member = (library as unknown as Record<string | symbol, object>)[name];
    if (typeof member !== 'function') return member;
    return new Proxy(member, {
      get: (target, key) => {
        const factory = (target as unknown as Record<string | symbol, unknown>)[key];
        if (typeof factory !== 'function' || key === 'prototype') return factory;
        return (...args: unknown[]) => factory(...args.map(eventual)) as unknown;
      },
    });
  },
});

const cases = Object.entries(samples);
const withValues = cases.filter(([, args]) => JSON.stringify(args(constructs)) !== '[{}]');
// registering all definitions takes the SDK seconds
const PATIENCE = 60_000;

test('there is a sample of every construct', () => {
  const names = Object.entries(lifted).flatMap(([name, it]) =>
    typeof it === 'function' && (it.prototype as unknown) instanceof lifted.ConstructComponent ? [name] : [],
  );
  expect(Object.keys(samples).sort()).toEqual(names.sort());
});

test.each(cases)(
  '%s yields the objects that cdk8s synthesizes',
  async (name, args) => {
    const expected = synthesized(name, args(constructs));
    expect(await registered(name, args(components))).toEqual(expected);
  },
  PATIENCE,
);

test.each(withValues)('%s yields them also when every plain value is an Output', async (name, args) => {
  const expected = synthesized(name, args(constructs));
  expect(await registered(name, args(eventually).map(eventual))).toEqual(expected);
});
