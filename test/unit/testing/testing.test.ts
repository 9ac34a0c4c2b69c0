import { App, ApiObject, Chart, Size } from 'cdk8s';
import { testApp } from '../../support/app';
import { Disk, VirtualMachine, VmPort } from 'virt8s';
import {
  expectValid,
  findObjects,
  type KubeObject,
  matchers,
  mistakesIn,
  mistakesOf,
  serializer,
  synthObjects,
  theObject,
  toSnapshot,
} from 'virt8s/testing';

expect.extend(matchers);
expect.addSnapshotSerializer(serializer);

const image = 'registry.example/web:1';

function shop(options: { memory?: Size; disks?: Disk[] } = {}): { app: App; chart: Chart; vm: VirtualMachine } {
  const app = testApp();
  const chart = new Chart(app, 'shop', { disableResourceNameHashes: true, namespace: 'shop' });
  const { memory = Size.gibibytes(1), disks = [Disk.containerDisk(image)] } = options;
  const vm = new VirtualMachine(chart, 'web', { memory, disks });
  vm.exposeViaService('web', { ports: [VmPort.HTTP] });
  return { app, chart, vm };
}

/** A VM that no construct would make. */
const broken = (): KubeObject => {
  const [vm] = JSON.parse(JSON.stringify(findObjects(shop().chart, { kind: 'VirtualMachine' })));
  vm.spec.template.spec.domain.devices.disks[0].name = 'other';
  return vm;
};
/** Chart whose mistake only synth can report. */
function clash(): Chart {
  const { chart } = shop();
  const vm = new VirtualMachine(chart, 'twin', {
    memory: Size.gibibytes(1),
    disks: [Disk.containerDisk(image)],
    metadata: { name: 'shop-web' },
  });
  expect(vm.name).toBe('shop-web');
  return chart;
}
/** Message of a failed expectation. */
function failure(expectation: () => unknown): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the expectation holds');
}

describe('the objects', () => {
  test('of an app, a chart and a construct', () => {
    const { app, chart, vm } = shop();
    expect(
      synthObjects(app)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['Service', 'VirtualMachine']);
    expect(synthObjects(chart)).toEqual(synthObjects(app));
    expect(synthObjects(vm)[0]).toMatchObject({
      kind: 'VirtualMachine',
      metadata: { name: 'shop-web', namespace: 'shop' },
    });
    expect(synthObjects(app)).toEqual(synthObjects(app));
  });

  test('are found by a part of them', () => {
    const { chart } = shop();
    expect(theObject(chart, { kind: 'Service', namespace: 'shop' }).metadata.name).toBe('shop-web');
    expect(theObject(chart, { kind: 'Service', namespace: 'shop' }).spec.ports).toHaveLength(1);
    expect(
      findObjects(chart, { kind: 'Service', spec: { ports: [expect.objectContaining({ port: 80 })] } }),
    ).toHaveLength(1);
    expect(findObjects(synthObjects(chart), { kind: 'Service', name: 'other' })).toEqual([]);
  });

  test('that are missing are reported with the nearest objects', () => {
    const { chart } = shop();
    expect(() => theObject(chart, { kind: 'Ingress' })).toThrow(
      'expected Ingress; there is no object of this kind, only Service, VirtualMachine',
    );
    expect(() =>
      theObject(chart, { kind: 'Service', name: 'shop-web', spec: { ports: [{ port: 81 }], type: undefined } }),
    ).toThrow(
      'expected Service shop-web; the nearest:\n  Service shop/shop-web\n    spec.ports[0].port: expected 81, found 80',
    );
    const twice = [...synthObjects(chart), ...synthObjects(chart)];
    expect(() => theObject(twice, { kind: 'Service' })).toThrow('expected one object, found 2');
  });
});

describe('toHaveObject', () => {
  test('passes and fails, both ways', () => {
    const { chart } = shop();
    expect(chart).toHaveObject({ kind: 'VirtualMachine', name: 'shop-web', spec: { runStrategy: 'Always' } });
    expect(chart).not.toHaveObject({ kind: 'VirtualMachine', name: 'db' });
    expect(failure(() => expect(chart).toHaveObject({ kind: 'VirtualMachine', name: 'db' }))).toContain(
      'metadata.name: expected "db", found "shop-web"',
    );
    expect(failure(() => expect(chart).not.toHaveObject({ kind: 'VirtualMachine' }))).toContain(
      'found VirtualMachine shop/shop-web',
    );
    expect(failure(() => expect(7).toHaveObject({ kind: 'VirtualMachine' }))).toContain('expected an App, a Chart');
  });
});

describe('mistakes', () => {
  test('a chart without any is valid', () => {
    const { app, chart, vm } = shop();
    for (const each of [app, chart, vm, synthObjects(chart)]) {
      expectValid(each);
      expect(each).toBeValid();
    }
    expect(vm).toBeValidVirtualMachine();
    expect(failure(() => expect(vm).not.toBeValid())).toBe('expected a mistake, found none');
  });

  test('that synth would report', () => {
    expect(() => expectValid(clash())).toThrow(
      /^expected no mistake, found 2 mistakes:\n {2}shop\/web: .*\n {4}.* \[object-unique\]\n {2}shop\/twin/,
    );
    expect(clash()).not.toBeValid();
    expect(clash()).toReportMistake('object-unique');
    expect(clash()).toReportMistake(/is declared by shop\/web and shop\/twin/);
    expect(clash()).not.toReportMistake('disk-has-volume');
    expect(failure(() => expect(clash()).toReportMistake('disk-has-volume'))).toMatch(
      /^expected the mistake disk-has-volume, found others:\n {2}shop\/web.*\n {4}.*\[object-unique\]/,
    );
  });

  test('of objects without a construct', () => {
    expect(mistakesOf(broken()).map(({ where, rule }) => `${where} ${rule}`)).toEqual(
      expect.arrayContaining(['VirtualMachine shop/shop-web disk-has-volume']),
    );
    expect(broken()).not.toBeValidVirtualMachine();
    expect(broken()).toReportMistake('disk-has-volume');
    const chart = new Chart(testApp(), 'raw');
    const { spec, ...head } = broken() as KubeObject & { spec: object };
    new ApiObject(chart, 'vm', { ...head, spec } as never);
    // cdk8s itself does not validate raw objects
    expect(synthObjects(chart)).toReportMistake('disk-has-volume');
  });

  test('that a construct throws, each with its rule', () => {
    const twice = () =>
      shop({ disks: [Disk.containerDisk(image, { name: 'a' }), Disk.containerDisk(image, { name: 'a' })] }).chart;
    expect(twice).not.toReportMistake('disk-has-volume');
    expect(mistakesIn(twice).length).toBeGreaterThan(0);
    expect(() => shop().chart).not.toReportMistake(/./);
    expect(clash).toReportMistake('object-unique');
  });

  test('are data: thrown by a construct, reported at synth, and of objects', () => {
    const thrown = mistakesIn(() => shop({ disks: [Disk.containerDisk(image, { serial: '!' })] }).chart);
    expect(thrown).toMatchObject([
      { where: 'shop/web', rule: 'disk-serial', finding: { property: 'disks[0].serial' } },
    ]);
    expect(`${thrown[0].finding!.path}`).toBe('spec.template.spec.domain.devices.disks[0].serial');
    const [reported] = mistakesOf(clash());
    expect(reported).toMatchObject({
      where: 'shop/web',
      finding: { rule: 'object-unique', remedy: expect.any(String) },
    });
    const [found] = mistakesOf(broken()).filter(({ rule }) => rule === 'disk-has-volume');
    expect(found.finding).toMatchObject({ value: 'other', allowed: ['disk0'] });
  });

  test('of checks that are not of virt8s have their texts only', () => {
    const { chart } = shop();
    chart.node.addValidation({ validate: () => ['memory: too small [team-rule]'] });
    expect(mistakesOf(chart)).toEqual([{ where: 'shop', text: 'memory: too small [team-rule]' }]);
  });

  test('rethrows errors that are not mistakes of a manifest', () => {
    const bug = () => {
      throw new TypeError('a bug');
    };
    expect(() => mistakesIn(bug)).toThrow('a bug');
  });

  test('only virtual machines are valid virtual machines', () => {
    expect(failure(() => expect({ apiVersion: 'v1', kind: 'Secret', metadata: {} }).toBeValidVirtualMachine())).toBe(
      'expected a VirtualMachine, found Secret',
    );
  });
});

describe('snapshots', () => {
  const secret = (value: string): KubeObject =>
    ({
      kind: 'Secret',
      apiVersion: 'v1',
      stringData: { b: value },
      metadata: { uid: '1', resourceVersion: '2', name: 's', creationTimestamp: 'now', managedFields: [] },
      data: { a: Buffer.from(value).toString('base64') },
    }) as KubeObject;

  test('Secrets are distinguishable but not readable, and fields that differ between runs are left out', () => {
    expect(secret('hunter2')).toMatchInlineSnapshot(`
apiVersion: v1
kind: Secret
metadata:
  name: s
data:
  a: <redacted sha256:f52fbd32b2b3>
stringData:
  b: <redacted sha256:f52fbd32b2b3>
`);
    expect(toSnapshot(secret('hunter3'))).not.toBe(toSnapshot(secret('hunter2')));
  });

  test('a chart is its objects as YAML, names first', () => {
    expect(toSnapshot(shop().chart)).toContain(
      'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n  name: shop-web\n  namespace: shop\n',
    );
    expect(toSnapshot(shop().app).split('\n---\n')).toHaveLength(2);
  });

  test('the order of fields does not matter', () => {
    const one = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, spec: { b: 1, a: [{ z: 1, name: 'n' }] } };
    const two = { spec: { a: [{ name: 'n', z: 1 }], b: 1 }, metadata: { name: 'a' }, kind: 'X', apiVersion: 'v1' };
    expect(toSnapshot(one)).toBe(toSnapshot(two));
    expect(toSnapshot(one)).toBe(
      'apiVersion: v1\nkind: X\nmetadata:\n  name: a\nspec:\n  a:\n    - name: n\n      z: 1\n  b: 1',
    );
  });

  test.each([[7], ['text'], [null], [[]], [{}], [[{ apiVersion: 'v1' }]]])('%j is left to others', (value) =>
    expect(serializer.test(value)).toBe(false),
  );
});
