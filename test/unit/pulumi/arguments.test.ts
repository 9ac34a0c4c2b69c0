import * as pulumi from '@pulumi/pulumi';
import { App, Chart } from 'cdk8s';
import * as core from 'virt8s';
import {
  ClusterInstancetype,
  ClusterPreference,
  Disk,
  ExportSource,
  fromApp,
  fromChart,
  Instancetype,
  Preference,
  Size,
  VirtualMachine,
  VirtualMachineExport,
} from 'virt8s/pulumi';
import { run } from './engine';

/** As a program without a type checker gives it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of a wrong type on purpose
const any = (value: unknown): any => value;
const memory = Size.mebibytes(256);

describe('the arguments of a component', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a scope before the name',
      () => new (any(VirtualMachine))(new Chart(new App(), 'shop'), 'web', { memory }),
      "new VirtualMachine: name: must be a string, not a Chart\n  a component has no scope: pass the name first, as in ('web', { … })",
    ],
    [
      'an Output as the name',
      () => new VirtualMachine(any(pulumi.output('web')), { memory }),
      'name: must be a string, not an Output of Pulumi\n  write a name that is known when the program runs',
    ],
    ['an empty name', () => new VirtualMachine('', { memory }), 'new VirtualMachine: name: must not be empty'],
    [
      'a misspelt option',
      () => new VirtualMachine('web', { memory }, any({ namespce: 'shop' })),
      'options.namespce: there is no such option\n  did you mean "namespace"? [unknown-property]',
    ],
    [
      'a namespace as a resource',
      () => new VirtualMachine('web', { memory }, { namespace: any({ __pulumiResource: true }) }),
      'options.namespace: must be a string, not an object\n  pass its name: namespace.metadata.name',
    ],
    [
      'an option among the properties',
      () => new VirtualMachine('web', any({ memory, dependsOn: [] })),
      "dependsOn: is an option of Pulumi, not a property\n  pass it in the last argument: ('…', { … }, { dependsOn })",
    ],
    [
      'a namespace among the properties',
      () => new VirtualMachine('web', any({ memory, namespace: 'shop' })),
      'namespace: there is no such property, so the object does not get it\n  write metadata: { namespace: … }',
    ],
    [
      'an asynchronous function for fromChart',
      () =>
        fromChart(
          'shop',
          any(async () => Promise.resolve()),
        ),
      'fromChart: shop: make: must not be async: constructs after an await are not registered',
    ],
  ])('reject %s', async (_, declare, want) => {
    await expect(run(declare)).rejects.toThrow(want);
  });

  test.each<[string, () => unknown]>([
    ['an unknown option that resembles no other', () => new VirtualMachine('web', { memory }, any({ owner: 'me' }))],
    [
      'the namespace of the options among the properties',
      () => new VirtualMachine('web', any({ memory, namespace: 'shop' }), { namespace: 'shop' }),
    ],
    [
      'an option that is passed in both places',
      () => new VirtualMachine('web', any({ memory, protect: true }), { protect: true }),
    ],
  ])('accept %s', async (_, declare) => {
    const { registrations } = await run(declare);
    expect(registrations).toHaveLength(2);
  });
});

describe('an object that is declared elsewhere', () => {
  test('is a VM by its name, which can be an Output', async () => {
    const { registrations } = await run(() => {
      const legacy = VirtualMachine.fromName('legacy', pulumi.output('old-web'), { namespace: 'shop' });
      legacy.snapshot('before');
    });
    expect(registrations.find(({ name }) => name === 'legacy/before')?.fields).toMatchObject({
      metadata: { namespace: 'shop' },
      spec: { source: { kind: 'VirtualMachine', name: 'old-web' } },
    });
  });

  test.each([
    ['VirtualMachineInstancetype', Instancetype.fromName('small'), Preference.fromName('linux')],
    ['VirtualMachineClusterInstancetype', ClusterInstancetype.fromName('small'), ClusterPreference.fromName('linux')],
  ])('is a %s, and its preference', async (kind, instancetype, preference) => {
    const { registrations } = await run(() => new VirtualMachine('web', { instancetype, preference }));
    expect(registrations.find(({ custom }) => custom)?.fields).toMatchObject({
      spec: { instancetype: { kind, name: 'small' }, preference: { name: 'linux' } },
    });
  });
});

describe('the KubeVirt version in the configuration of the stack', () => {
  const snapshot = (context?: object): unknown =>
    new VirtualMachineExport('copy', { source: ExportSource.virtualMachine({ name: 'web' }) }, any({ context }));
  const legacyApp = (version?: string): unknown => {
    const app = new App();
    const chart = new Chart(app, 'shop');
    const disks = [core.Disk.blank(Size.gibibytes(1) as never)];
    const vm = new core.VirtualMachine(chart, 'web', { memory: Size.gibibytes(1) as never, disks });
    vm.export('copy');
    if (version !== undefined) core.TargetVersion.apply(app, version);
    return fromApp('shop', app);
  };
  afterEach(() => pulumi.runtime.setAllConfig({}));

  test.each<[string, () => unknown]>([
    ['a component', () => snapshot()],
    ['an app', () => legacyApp()],
    [
      'code for a chart',
      () =>
        fromChart(
          'shop',
          (chart) =>
            void new core.VirtualMachineExport(chart, 'copy', {
              source: core.ExportSource.virtualMachine({ name: 'web' }),
            }),
        ),
    ],
  ])('reports what it lacks in %s', async (_, declare) => {
    pulumi.runtime.setAllConfig({ 'virt8s:kubevirtVersion': '1.4' });
    await expect(run(declare)).rejects.toThrow(/exists since KubeVirt 1\.9, and the target is 1\.4/);
  });

  test.each<[string, () => unknown]>([
    ['the context of a component', () => snapshot({ 'virt8s.io/kubevirt-version': '1.9' })],
    ['the version of an app', () => legacyApp('1.9')],
  ])('does not replace %s', async (_, declare) => {
    pulumi.runtime.setAllConfig({ 'virt8s:kubevirtVersion': '1.4' });
    await expect(run(declare)).resolves.toBeDefined();
  });

  test('must be known', async () => {
    pulumi.runtime.setAllConfig({ 'virt8s:kubevirtVersion': 'latest' });
    const declare = (): unknown => new VirtualMachine('web', { memory, disks: [Disk.containerDisk('a.example/b:1')] });
    await expect(run(declare)).rejects.toThrow('pulumi config virt8s:kubevirtVersion: "latest" is not a known version');
  });
});
