import * as pulumi from '@pulumi/pulumi';
import * as cdk8s from 'cdk8s';
import * as core from 'virt8s';
import {
  ClusterInstancetype,
  ClusterPreference,
  Disk,
  fromApp,
  fromChart,
  Instancetype,
  Preference,
  Size,
  VirtualMachine,
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
      () => new (any(VirtualMachine))(new cdk8s.Chart(new cdk8s.App(), 'shop'), 'web', { memory }),
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
      'options.namespce: ComponentOptions has no property "namespce"\n  did you mean "namespace"? [unknown-property]',
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
      'namespace: VirtualMachineProps has no property "namespace", so the object does not get it\n  write metadata: { namespace: … }',
    ],
    [
      'a value instead of a function for fromChart',
      () => (fromChart as (...args: unknown[]) => unknown)('shop', {}, {}),
      'fromChart: shop: make: must be a function, not an object',
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
  const rebootPolicy = core.RebootPolicy.TERMINATE;
  const vm = (context?: object): unknown => new VirtualMachine('web', { memory, rebootPolicy }, any({ context }));
  const declareIn = (chart: cdk8s.Chart): unknown =>
    new core.VirtualMachine(chart, 'vm', { memory: cdk8s.Size.gibibytes(1), rebootPolicy });
  const app = (version?: string): unknown => {
    const legacy = new cdk8s.App();
    declareIn(new cdk8s.Chart(legacy, 'shop'));
    if (version !== undefined) core.TargetVersion.apply(legacy, version);
    return fromApp('shop', legacy);
  };
  afterEach(() => pulumi.runtime.setAllConfig({}));

  test.each<[string, () => unknown]>([
    ['a component', () => vm()],
    ['an app', () => app()],
    ['code for a chart', () => fromChart('shop', (chart) => void declareIn(chart))],
  ])('reports what it lacks in %s', async (_, declare) => {
    pulumi.runtime.setAllConfig({ 'virt8s:kubevirtVersion': '1.4' });
    await expect(run(declare)).rejects.toThrow(/exists since KubeVirt 1\.8, and the target is 1\.4/);
  });

  test.each<[string, () => unknown]>([
    ['the context of a component', () => vm({ 'virt8s.io/kubevirt-version': '1.9' })],
    ['the version of an app', () => app('1.9')],
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

describe('an Output that is known after the objects of a component are registered', () => {
  const late = 'depends on an Output that is known after the objects of this component are registered';
  const annotate = (vm: VirtualMachine, value: pulumi.Output<string>): void => vm.metadata.addAnnotation('from', value);

  test.each<[string, (vm: VirtualMachine) => pulumi.Output<string>]>([
    ['its address', (vm) => vm.ip],
    ['a text with its address', (vm) => pulumi.interpolate`http://${vm.ip}/`],
    ['its namespace', (vm) => vm.namespace],
  ])('is not an argument of its own methods: %s', (_, read) => {
    let error: unknown;
    return run(() => {
      const vm = new VirtualMachine('web', { memory });
      try {
        annotate(vm, read(vm));
      } catch (thrown) {
        error = thrown;
      }
    }).then(() => expect(String(error)).toContain(`web: addAnnotation() ${late}`));
  });

  test('is not an argument where two components would wait for each other', async () => {
    let error: unknown;
    await run(() => {
      const [a, b] = ['a', 'b'].map((name) => new VirtualMachine(name, { memory }));
      annotate(a, b.ip);
      try {
        annotate(b, a.ip);
      } catch (thrown) {
        error = thrown;
      }
    });
    expect(String(error)).toContain(`b: addAnnotation() ${late}`);
  });

  test('is an argument of another component', async () => {
    const answer = (type: string): Record<string, unknown> =>
      type.endsWith('VirtualMachineInstance') ? { status: { interfaces: [{ ipAddress: '10.0.0.7' }] } } : {};
    const program = (): void => {
      const [a, b] = ['a', 'b'].map((name) => new VirtualMachine(name, { memory }));
      annotate(a, b.ip);
      annotate(b, b.name);
    };
    const { registrations } = await run(program, { answer });
    const annotations = registrations
      .filter(({ custom, read }) => custom && !read)
      .map(({ name, fields }) => [name, fields.metadata]);
    expect(Object.fromEntries(annotations)).toMatchObject({
      a: { annotations: { from: '10.0.0.7' } },
      b: { annotations: { from: 'b' } },
    });
  });
});
