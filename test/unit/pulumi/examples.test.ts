import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { App } from 'cdk8s';
import * as lifted from 'virt8s/pulumi';
import { run } from './engine';

jest.mock('../../../src/api/crds', () => jest.requireActual<object>('../../support/few-definitions'));

const examples = resolve(__dirname, '../../../examples');
const all = readdirSync(examples).filter((name) => !name.startsWith('.'));
const apps = all.filter((name) => existsSync(join(examples, name, 'main.ts')));
const twins = all.filter((name) => name.startsWith('pulumi-'));

type Manifest = { apiVersion: string; kind: string; metadata: { name: string; namespace?: string } };

const inOrder = (objects: Manifest[]): Manifest[] => {
  const key = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace} ${metadata.name}`;
  return objects.toSorted((a, b) => key(a).localeCompare(key(b)));
};

interface Synthesized {
  readonly app: App;
  readonly manifests: Manifest[];
}

const known = new Map<string, Synthesized>();

/** A cdk8s program: its objects, and its app. */
function synthesized(name: string): Synthesized {
  if (!known.has(name)) known.set(name, synthesize(name));
  return known.get(name) as Synthesized;
}

function synthesize(name: string): Synthesized {
  // the objects are compared, not their text
  const synth = jest.spyOn(App.prototype, 'synth').mockReturnValue();
  try {
    load(join(examples, name, 'main.ts'));
    const app = synth.mock.contexts[0] as unknown as App;
    return { app, manifests: inOrder(app.charts.flatMap((chart) => chart.toJson() as Manifest[])) };
  } finally {
    synth.mockRestore();
  }
}

function load(file: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a program is run by loading it
  return require(file);
}

test.each(apps)('Pulumi registers what cdk8s synthesizes for %s', async (name) => {
  const { app, manifests } = synthesized(name);
  expect(manifests.length).toBeGreaterThan(0);
  const { objects } = await run(() => lifted.fromApp('example', app));
  expect(inOrder(objects as unknown as Manifest[])).toEqual(manifests);
});

test('there are twins of four examples', () => {
  expect(twins.length).toBeGreaterThanOrEqual(4);
  expect(twins.filter((name) => !apps.includes(name.replace('pulumi-', '')))).toEqual([]);
});

test.each(twins)('%s yields the same objects as its twin, by components', async (name) => {
  const { manifests } = synthesized(basename(name).replace('pulumi-', ''));
  const { objects } = await run(() => load(join(examples, name, 'index.ts')));
  expect(inOrder(objects as unknown as Manifest[])).toEqual(manifests);
});
