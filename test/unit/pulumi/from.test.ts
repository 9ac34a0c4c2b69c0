import * as pulumi from '@pulumi/pulumi';
import { ApiObject, App, Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as core from 'virt8s';
import { CloudInit, fromApp, fromChart, VirtualMachine } from 'virt8s/pulumi';
import { run, valueOf } from './engine';

const kindsAndNames = (objects: Record<string, unknown>[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind as string}/${(metadata as { name: string }).name}`).sort();

const inOrder = (objects: Record<string, unknown>[]): unknown[] =>
  objects.toSorted((a, b) => kindsAndNames([a])[0].localeCompare(kindsAndNames([b])[0]));

/** Constructs of two libraries that know each other. */
function shop(chart: Chart, image = 'registry.example/web:1'): void {
  const settings = new kplus.ConfigMap(chart, 'settings', { data: { greeting: 'hello' } });
  const deployment = new kplus.Deployment(chart, 'front', { containers: [{ image, portNumber: 8080 }] });
  deployment.exposeViaService({ ports: [{ port: 80, targetPort: 8080 }] });
  const vm = new core.VirtualMachine(chart, 'db', {
    memory: Size.gibibytes(1),
    disks: [core.Disk.configMap(settings)],
  });
  vm.exposeViaService('db', { ports: [core.VmPort.tcp(5432)] });
  deployment.node.addDependency(vm);
}

describe('fromChart', () => {
  test('registers the objects of any constructs, with the names of a chart without hashes', async () => {
    const { objects, registrations } = await run(() => fromChart('shop', shop));
    const chart = new Chart(new App(), 'shop', { disableResourceNameHashes: true });
    shop(chart);
    expect(inOrder(objects)).toEqual(inOrder(chart.toJson()));
    expect(registrations.find(({ type }) => type === 'kubernetes:apps/v1:Deployment')?.name).toBe('shop/front');
  });

  test('passes the values of Inputs to the code', async () => {
    const { objects } = await run(() =>
      fromChart('shop', { image: pulumi.output('registry.example/web:2') }, (chart, { image }) => shop(chart, image)),
    );
    expect(JSON.stringify(objects)).toContain('"image":"registry.example/web:2"');
    expect(JSON.stringify(objects)).not.toMatch(/virt8s-\d+[ab]/);
  });

  test('reports all its mistakes together', async () => {
    const broken = (chart: Chart): void => {
      for (const id of ['a', 'b'])
        new core.VirtualMachine(chart, id, { instanceSpec: { networks: [{ name: 'lost', pod: {} }] } });
    };
    await expect(run(() => fromChart('shop', broken))).rejects.toThrow(/shop\/a[^]*shop\/b/);
  });
});

describe('fromApp', () => {
  test('registers every object of every chart of an app', async () => {
    const app = new App();
    const charts = ['one', 'two'].map((id) => new Chart(app, id));
    charts.forEach((chart) => shop(chart));
    const { objects, registrations } = await run(() => fromApp('all', app));
    expect(kindsAndNames(objects)).toEqual(kindsAndNames(charts.flatMap((chart) => chart.toJson())));
    expect(registrations.map(({ name }) => name)).toEqual(expect.arrayContaining(['all', 'all/one/db', 'all/two/db']));
  });

  test('fails on a mistake before anything is registered', async () => {
    const app = new App();
    const chart = new Chart(app, 'shop');
    new core.VirtualMachine(chart, 'db', { instanceSpec: { networks: [{ name: 'lost', pod: {} }] } });
    const names: string[] = [];
    await expect(run(() => fromApp('all', app), { answer: (_, name) => (names.push(name), {}) })).rejects.toThrow(
      /shop\/db/,
    );
    expect(names).toEqual(['all']);
  });
});

describe('order', () => {
  const dependencies = async (program: () => unknown): Promise<Record<string, string[]>> => {
    const { registrations } = await run(program);
    return Object.fromEntries(
      registrations.filter(({ custom }) => custom).map(({ name, dependsOn }) => [name, dependsOn]),
    );
  };

  test('follows the dependencies of constructs', async () => {
    const found = await dependencies(() => fromChart('shop', shop));
    expect(found['shop/front']).toEqual(expect.arrayContaining(['shop/db', 'shop/db/db']));
  });

  test('registers an object after those that define its content, its kind or its namespace', async () => {
    const found = await dependencies(() =>
      fromChart('all', (chart) => {
        const add = (id: string, apiVersion: string, kind: string, rest: object = {}): ApiObject =>
          new ApiObject(chart, id, { apiVersion, kind, ...rest });
        add('thing', 'example.com/v1', 'Thing', { metadata: { namespace: 'place' }, spec: { from: 'all-words' } });
        add('words', 'v1', 'ConfigMap', { metadata: { namespace: 'place' } });
        add('place', 'v1', 'Namespace', { metadata: { name: 'place' } });
        add('kinds', 'apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
          metadata: { name: 'things.example.com' },
          spec: { group: 'example.com', names: { kind: 'Thing' } },
        });
      }),
    );
    expect(found).toEqual({
      'all/thing': ['all/kinds', 'all/place', 'all/words'],
      'all/words': ['all/place'],
      'all/place': [],
      'all/kinds': [],
    });
  });

  test('puts cloud-init’s Secret before its VM', async () => {
    const found = await dependencies(() => {
      new VirtualMachine('web', {
        memory: Size.gibibytes(1),
        cloudInit: CloudInit.noCloud({ runcmd: ['true'], sensitive: true }),
      });
    });
    const [secret] = Object.keys(found).filter((name) => name !== 'web');
    expect(found.web).toEqual([secret]);
  });
});

test('components list the resources that they registered', async () => {
  const { result } = await run(() => new VirtualMachine('web', { memory: Size.gibibytes(1) }).objects);
  expect(Object.keys((await valueOf(result)) ?? {})).toEqual(['web']);
});
