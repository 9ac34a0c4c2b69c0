import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { type Chart } from 'cdk8s';
import * as core from 'virt8s';
import {
  CloudInit,
  CloudUser,
  Cpu,
  Disk,
  fromChart,
  JsonPatch,
  RunStrategy,
  Size,
  Sysprep,
  VirtualMachine,
  VirtualMachineBackupTracker,
  VmPort,
  VmService,
} from 'virt8s/pulumi';
import { run, stateOf, valueOf, type Registration } from './engine';

const KEY = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)} me`;
const MEMORY = { memory: Size.mebibytes(256) };
const unknown = (): pulumi.Output<string> => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
const find = (registrations: Registration[], name: string): Registration => {
  const found = registrations.find((it) => it.name === name && it.custom);
  if (!found) throw new Error(`no ${name} among ${registrations.map((it) => it.name).join(', ')}`);
  return found;
};
/** The domain of a VM's instance. */
const specOf = ({ fields }: Registration) =>
  (fields as { spec: { template: { spec: Record<string, unknown> } } }).spec.template.spec as {
    domain: { cpu: object; memory: object };
    volumes: Record<string, { image?: string; userData?: string }>[];
    hostname?: string;
    nodeSelector?: object;
  };

describe('a component', () => {
  test('registers the objects of its construct below itself, by the classes that Pulumi has for them', async () => {
    const { registrations } = await run(() => {
      const vm = new VirtualMachine('web', MEMORY);
      vm.exposeViaService('http', { ports: [VmPort.HTTP] });
    });
    expect(registrations.map(({ type, name, parent }) => [type, name, parent]).sort()).toEqual([
      ['kubernetes:core/v1:Service', 'web/http', 'web'],
      ['kubernetes:kubevirt.io/v1:VirtualMachine', 'web', 'web'],
      ['virt8s:compute:VirtualMachine', 'web', ''],
    ]);
  });

  test('takes Outputs and promises anywhere', async () => {
    const { registrations } = await run(
      () =>
        new VirtualMachine('web', {
          cpu: Cpu.cores(pulumi.output(3)),
          memory: Size.gibibytes(Promise.resolve(2)),
          disks: [Disk.containerDisk(pulumi.output('registry.example/tiny:1'))],
          cloudInit: CloudInit.noCloud({
            users: [CloudUser.named('me', { sshKeys: [pulumi.output(KEY)] })],
            runcmd: pulumi.output(['echo 1', 'echo 2']),
          }),
          runStrategy: RunStrategy.of(pulumi.output('Halted')),
          hostname: pulumi.interpolate`${pulumi.output('web')}-1`,
          metadata: { namespace: pulumi.output('shop') },
        }),
    );
    const vm = find(registrations, 'web');
    expect(vm.fields).toMatchObject({ metadata: { name: 'web', namespace: 'shop' }, spec: { runStrategy: 'Halted' } });
    const { domain, volumes, hostname } = specOf(vm);
    expect(domain).toMatchObject({ cpu: { cores: 3 }, memory: { guest: '2Gi' } });
    expect(volumes[0].containerDisk.image).toBe('registry.example/tiny:1');
    expect(volumes[1].cloudInitNoCloud.userData).toContain(`- ${KEY}`);
    expect(volumes[1].cloudInitNoCloud.userData).toMatch(/runcmd:\n {2}- echo 1\n {2}- echo 2/);
    expect(hostname).toBe('web-1');
    expect(JSON.stringify(registrations)).not.toMatch(/virt8s-\d+[ab]/);
  });

  test('has the methods and facets of its construct, until its turn of the program is over', async () => {
    const { registrations, result } = await run(() => {
      const vm = new VirtualMachine('web', MEMORY);
      vm.addDisk(Disk.containerDisk(pulumi.output('registry.example/tiny:1')));
      vm.scheduling.selectNode('disktype', pulumi.output('ssd'));
      vm.apiObject.addJsonPatch(JsonPatch.add('/spec/template/spec/hostname', pulumi.output('patched')));
      return vm;
    });
    const { volumes, nodeSelector, hostname } = specOf(find(registrations, 'web'));
    expect(volumes.map(({ containerDisk }) => containerDisk.image)).toEqual(['registry.example/tiny:1']);
    expect(nodeSelector).toEqual({ disktype: 'ssd' });
    expect(hostname).toBe('patched');
    expect(() => result.addDisk(Disk.emptyDisk(Size.gibibytes(1)))).toThrow(
      /^web: addDisk\(\) comes too late: .*\n {2}call it in the same turn .* \[pulumi-too-late\]$/,
    );
  });

  test('tells what its construct knows as Outputs', async () => {
    const { result } = await run(() => {
      const vm = new VirtualMachine('web', MEMORY);
      const service = vm.exposeViaService('http', { ports: [VmPort.HTTP] });
      return {
        name: vm.name,
        namespace: vm.namespace,
        ssh: vm.sshCommand('me'),
        strategy: vm.runStrategy.value,
        host: service.host,
        port: service.ports[0].port,
      };
    });
    const values = await Promise.all(
      Object.entries(result).map(async ([key, it]) => [key, await valueOf(it as never)]),
    );
    expect(Object.fromEntries(values)).toEqual({
      name: 'web',
      namespace: 'default',
      ssh: 'virt8s ssh me@vm/web -n default',
      strategy: 'Always',
      host: 'web-http',
      port: 80,
    });
  });

  test('is an argument of other components, which wait for its objects', async () => {
    const { registrations } = await run(() => {
      const vm = new VirtualMachine('web', { ...MEMORY, metadata: { namespace: pulumi.output('shop') } });
      new VmService('front', { target: vm, ports: [VmPort.HTTP] });
      new VirtualMachine('peer', { ...MEMORY, hostname: vm.name });
    });
    const service = find(registrations, 'front');
    expect(service.fields).toMatchObject({
      metadata: { namespace: 'shop' },
      spec: { selector: { 'vm.kubevirt.io/name': 'web' } },
    });
    expect(service.dependsOn).toEqual(['web']);
    expect(specOf(find(registrations, 'peer')).hostname).toBe('web');
    expect(find(registrations, 'peer').dependsOn).toEqual(['web']);
  });
});

test('two components may name each other', async () => {
  const { registrations } = await run(() => {
    const one = new VirtualMachine('one', MEMORY);
    const two = new VirtualMachine('two', { ...MEMORY, instanceMetadata: { annotations: { peer: one.name } } });
    one.instanceMetadata.addAnnotation('peer', two.name);
  });
  const peers = ['one', 'two'].map((name) => find(registrations, name));
  expect(JSON.stringify(peers.map(({ fields }) => fields))).toMatch(/"peer":"two".*"peer":"one"/);
  expect(peers.flatMap(({ dependsOn }) => dependsOn)).toHaveLength(1);
});

describe('mistakes', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['in a plain value', () => new VirtualMachine('web', { ...MEMORY, cpu: Cpu.cores(0) }), /Cpu|cpu/],
    [
      'beside an Output',
      () => new VirtualMachine('web', { ...MEMORY, hostname: 'a b', metadata: { namespace: pulumi.output('x') } }),
      /hostname/,
    ],
    [
      'in a factory with an Output',
      () => CloudUser.named('A B', { shell: pulumi.output('/bin/sh') }),
      /CloudUser.named/,
    ],
    [
      'in a later call',
      () => new VirtualMachine('web', MEMORY).addDisk(Disk.emptyDisk(Size.gibibytes(1), { serial: '!' })),
      /serial/,
    ],
  ])('%s are thrown where they are written', async (_, program, text) => {
    await run(() => expect(program).toThrow(text));
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'of the whole object',
      () => {
        const vm = new VirtualMachine('web', MEMORY);
        vm.addDisk(Disk.emptyDisk(Size.gibibytes(1), { name: 'a' }));
        vm.addDisk(Disk.emptyDisk(Size.gibibytes(1), { name: pulumi.output('a') }));
      },
      /disks\[1\]\.name .*\n.*\[disk-name-unique\]/,
    ],
    [
      'in a value that comes later',
      () => new VirtualMachine('web', { ...MEMORY, hostname: pulumi.output('a b') }),
      /hostname/,
    ],
  ])('%s fail the program before one of its objects is registered', async (_, program, text) => {
    const registered: string[] = [];
    const running = run(program, { answer: (type) => (registered.push(type), {}) });
    await expect(running).rejects.toThrow(text);
    expect(registered).toEqual(['virt8s:compute:VirtualMachine']);
  });

  test('are reported by a preview if they do not depend on unknown Outputs', async () => {
    const program = () =>
      new VirtualMachine('web', {
        ...MEMORY,
        hostname: unknown(),
        disks: [Disk.emptyDisk(Size.gibibytes(1), { name: 'a' }), Disk.emptyDisk(Size.gibibytes(1), { name: 'a' })],
      });
    await expect(run(program, { preview: true })).rejects.toThrow(/disk-name-unique/);
  });

  test('say what to do when nothing can stand for an Output', async () => {
    const exacting = (_: Chart, { word }: { word: string }): void => {
      if (word !== 'sesame') throw new Error(`${word}: not the word`);
    };
    const program = () => fromChart('all', { word: pulumi.output('sesame') }, exacting);
    await run(() =>
      expect(program).toThrow(
        /^\(known later\): not the word\n {2}no placeholder .* create the component inside apply.* \[pulumi-guess\]/,
      ),
    );
  });

  test('never show a secret', async () => {
    const program = () => new VirtualMachine('web', { ...MEMORY, hostname: pulumi.secret('Hush hush') });
    await expect(run(program)).rejects.toThrow(
      /^web\/web: hostname \(spec\.template\.spec\.hostname\): the value depends on a secret that is not valid here\n {2}correct the secret \[hostname\]$/,
    );
  });
});

describe('secrets', () => {
  test('reach cloud-init by a Secret only, and whatever follows from them is secret', async () => {
    const { registrations } = await run(() => {
      const token = pulumi.secret('hush');
      const cloudInit = CloudInit.noCloud({ runcmd: [pulumi.interpolate`login --token ${token}`] });
      new VirtualMachine('web', { ...MEMORY, cloudInit });
    });
    const secret = registrations.find(({ type }) => type === 'kubernetes:core/v1:Secret');
    expect(secret?.fields).toMatchObject({ stringData: { userdata: expect.stringContaining('login --token hush') } });
    expect(secret?.secrets).toContain('stringData');
    const vm = find(registrations, 'web');
    expect(JSON.stringify(vm.fields)).not.toContain('hush');
    // the checksum, and nothing else
    expect(vm.secrets).toEqual([expect.stringMatching(/^spec\.template\.metadata\.annotations\./)]);
    expect(vm.dependsOn).toEqual([secret?.name]);
  });

  test('reach answer files of Windows by a Secret only', async () => {
    const { registrations } = await run(() => {
      const xml = pulumi.interpolate`<unattend xmlns="urn:schemas-microsoft-com:unattend"><!-- ${pulumi.secret('hush')} --></unattend>`;
      new VirtualMachine('win', { ...MEMORY, sysprep: Sysprep.raw(xml) });
    });
    const kinds = registrations.filter(({ fields }) => JSON.stringify(fields).includes('hush')).map(({ type }) => type);
    expect(kinds).toEqual(['kubernetes:core/v1:Secret']);
  });

  test('in any other place make that field a secret', async () => {
    const { registrations } = await run(
      () =>
        new VirtualMachine('web', {
          ...MEMORY,
          hostname: pulumi.secret('hush'),
          instanceMetadata: { annotations: { a: pulumi.interpolate`x${pulumi.secret('y')}`, b: 'z' } },
        }),
    );
    expect(find(registrations, 'web').secrets.sort()).toEqual([
      'spec.template.metadata.annotations.a',
      'spec.template.spec.hostname',
    ]);
  });

  test('make Outputs that follow from them secret', async () => {
    const { result } = await run(() => {
      const vm = new VirtualMachine('web', { ...MEMORY, metadata: { name: pulumi.secret('hush') } });
      return vm.name;
    });
    expect(await valueOf(result)).toBe('hush');
    expect(await stateOf(result)).toEqual({ known: true, secret: true });
  });

  test('of a Secret that is generated for its size alone are secret, too', async () => {
    const { registrations } = await run(() => {
      new VirtualMachine('web', { ...MEMORY, cloudInit: CloudInit.noCloud({ runcmd: ['x'.repeat(3000)] }) });
    });
    expect(registrations.find(({ type }) => type === 'kubernetes:core/v1:Secret')?.secrets).toEqual(['stringData']);
  });
});

describe('a preview', () => {
  test('shows every object, and as unknown only what follows from unknown Outputs', async () => {
    const { registrations, result } = await run(
      () => {
        const cloudInit = CloudInit.noCloud({ users: [CloudUser.named('me', { sshKeys: [unknown()] })] });
        const disks = [Disk.containerDisk(unknown()), Disk.emptyDisk(Size.gibibytes(1))];
        const vm = new VirtualMachine('web', { ...MEMORY, disks, cloudInit });
        vm.exposeViaService('http', { ports: [VmPort.HTTP] });
        return { name: vm.name, ip: vm.ip };
      },
      { preview: true },
    );
    const vm = find(registrations, 'web');
    expect(vm.unknowns.sort()).toEqual([
      'spec.template.spec.volumes[0].containerDisk.image',
      'spec.template.spec.volumes[2].cloudInitNoCloud.userData',
    ]);
    expect(find(registrations, 'web/http').unknowns).toEqual([]);
    expect(await valueOf(result.name)).toBe('web');
    expect(await stateOf(result.ip)).toMatchObject({ known: false });
    expect(JSON.stringify(registrations)).not.toMatch(/virt8s-\d+[ab]/);
  });

  test('shows as unknown what is one of several words', async () => {
    const program = () => new VirtualMachine('web', { ...MEMORY, runStrategy: RunStrategy.of(unknown()) });
    const { registrations } = await run(program, { preview: true });
    expect(find(registrations, 'web').unknowns).toEqual(['spec.runStrategy']);
  });

  test('shows a whole object as unknown where only one value can stand for an Output', async () => {
    const exacting = (chart: Chart, { on }: { on: boolean }): void => {
      if (on !== false) throw new Error('on: no [on]');
      new core.VirtualMachine(chart, 'web', { memory: MEMORY.memory });
    };
    const on = unknown() as unknown as pulumi.Output<boolean>;
    const { registrations } = await run(() => fromChart('all', { on }, exacting), { preview: true });
    expect(find(registrations, 'all/web').unknowns).toEqual(['spec']);
  });

  test('shows a component that cannot be validated yet, with a warning', async () => {
    const warn = jest.spyOn(pulumi.log, 'warn').mockResolvedValue(undefined);
    const exacting = (chart: Chart, { word }: { word: string }): void => {
      new core.VirtualMachine(chart, 'web', { memory: MEMORY.memory });
      chart.node.addValidation({ validate: () => (word === 'sesame' ? [] : [`${word}: not the word [word]`]) });
    };
    const { registrations } = await run(() => fromChart('all', { word: unknown() }, exacting), { preview: true });
    expect(registrations.map(({ name }) => name)).toContain('all/web');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('cannot be validated'), expect.anything());
    warn.mockRestore();
    await run(() => fromChart('all', { word: pulumi.output('sesame') }, exacting));
    await expect(run(() => fromChart('all', { word: pulumi.output('simsim') }, exacting))).rejects.toThrow(/simsim/);
  });

  test('keeps an unknown secret secret', async () => {
    const { registrations } = await run(
      () => new VirtualMachine('web', { ...MEMORY, hostname: pulumi.secret(unknown()) }),
      { preview: true },
    );
    const { secrets, unknowns } = find(registrations, 'web');
    expect([...secrets, ...unknowns]).toContain('spec.template.spec.hostname');
  });
});

describe('the address of a guest', () => {
  const answer = (type: string): Record<string, unknown> =>
    type.endsWith(':VirtualMachineInstance') ? { status: { interfaces: [{}, { ipAddress: '10.0.0.7' }] } } : {};

  test('is read from the instance when the VM is ready', async () => {
    const { registrations, result } = await run(() => new VirtualMachine('web', MEMORY).ip, { answer });
    expect(await valueOf(result)).toBe('10.0.0.7');
    expect(find(registrations, 'web').fields).toMatchObject({
      metadata: { annotations: { 'pulumi.com/waitFor': 'condition=Ready' } },
    });
    expect(find(registrations, 'web/instance')).toMatchObject({ read: true, importId: 'default/web', parent: 'web' });
  });

  test('of a VM that does not run is empty, and nothing waits for it', async () => {
    const props = { ...MEMORY, runStrategy: RunStrategy.HALTED };
    const { registrations, result } = await run(() => new VirtualMachine('web', props).ip);
    expect(await valueOf(result)).toBe('');
    expect(find(registrations, 'web').fields).toEqual(expect.not.objectContaining({ metadata: { annotations: {} } }));
  });
});

describe('options of Pulumi', () => {
  test('reach the objects that they are for', async () => {
    const { registrations } = await run(() => {
      const before = new k8s.core.v1.ConfigMap('before');
      const vm = new VirtualMachine('web', MEMORY, {
        dependsOn: [before],
        aliases: [{ name: 'old' }],
        protect: true,
        retainOnDelete: true,
        ignoreChanges: ['spec.runStrategy'],
        customTimeouts: { create: '2m' },
        import: 'default/web',
      });
      vm.exposeViaService('http', { ports: [VmPort.HTTP] });
    });
    const component = registrations.find(({ name, custom }) => name === 'web' && !custom);
    expect(component).toMatchObject({ importId: '', ignoreChanges: [], aliases: [{ name: 'old' }] });
    const common = { dependsOn: ['before'], protect: true, retainOnDelete: true };
    const timeouts = expect.objectContaining({ create: '2m' });
    expect(find(registrations, 'web')).toMatchObject({ ...common, timeouts, importId: 'default/web' });
    expect(find(registrations, 'web').ignoreChanges).toEqual(['spec.runStrategy']);
    expect(find(registrations, 'web/http')).toMatchObject({ ...common, timeouts, importId: '', ignoreChanges: [] });
  });

  test('give every object a name that begins with the component’s, so that its aliases hold for them', async () => {
    const { registrations } = await run(() => {
      const vm = new VirtualMachine('web', { ...MEMORY, cloudInit: CloudInit.raw('#!/bin/sh', { sensitive: true }) });
      vm.exposeViaService('http', { ports: [VmPort.HTTP] });
    });
    expect(registrations.filter(({ name }) => !/^web(\/|$)/.test(name))).toEqual([]);
    expect(new Set(registrations.map(({ type, name }) => `${type} ${name}`)).size).toBe(registrations.length);
  });

  test('import objects by their logical names', async () => {
    const make = (ids: Record<string, string>) => () => {
      new VirtualMachine('web', MEMORY, { import: ids }).exposeViaService('http', { ports: [VmPort.HTTP] });
    };
    const { registrations } = await run(make({ 'web/http': 'default/web-http' }));
    expect(find(registrations, 'web/http').importId).toBe('default/web-http');
    expect(find(registrations, 'web').importId).toBe('');
    await expect(run(make({ 'web/https': 'x' }))).rejects.toThrow(
      'web: import: no object is called "web/https" (allowed: "web", "web/http")\n' +
        '  use the logical name of an object of this component [pulumi-import]',
    );
  });

  test('give its children the provider and the transformations of a component', async () => {
    const seen: string[] = [];
    const { registrations } = await run(() => {
      const provider = new k8s.Provider('cluster', { kubeconfig: '{}' });
      const note = ({ name, type }: { name: string; type: string }): undefined => void seen.push(`${type} ${name}`);
      new VirtualMachine('web', MEMORY, { provider, transformations: [note] });
    });
    expect(find(registrations, 'web').provider).toMatch(/::cluster::/);
    expect(seen).toEqual(['virt8s:compute:VirtualMachine web', 'kubernetes:kubevirt.io/v1:VirtualMachine web']);
  });

  test('let others wait for all objects of a component', async () => {
    const { registrations } = await run(() => {
      const vm = new VirtualMachine('web', MEMORY);
      vm.exposeViaService('http', { ports: [VmPort.HTTP] });
      new k8s.core.v1.ConfigMap('after', {}, { dependsOn: vm });
    });
    expect(find(registrations, 'after').dependsOn).toEqual(['web', 'web/http']);
  });

  test('set the namespace of objects that name none, also for components below', async () => {
    const { registrations, result } = await run(() => {
      const vm = new VirtualMachine('web', MEMORY, { namespace: pulumi.output('shop') });
      vm.exposeViaService('http', { ports: [VmPort.HTTP] });
      new VirtualMachine('below', MEMORY, { parent: vm });
      return vm.namespace;
    });
    const places = registrations.filter(({ custom }) => custom).map(({ fields }) => fields.metadata);
    expect(places).toEqual(Array(3).fill(expect.objectContaining({ namespace: 'shop' })));
    expect(await valueOf(result)).toBe('shop');
  });

  test('sets the configuration for rules, also for child components', async () => {
    const backup = (parent?: pulumi.Resource, context?: Record<string, unknown>) =>
      new VirtualMachineBackupTracker('backup', { source: { name: 'web' } }, { parent, context });
    const configuration = { developerConfiguration: { featureGates: ['IncrementalBackup'] } };
    const context = { 'virt8s.io/configuration': configuration };
    await expect(run(() => backup())).rejects.toThrow(/gate-incremental-backup/);
    await run(() => backup(undefined, context));
    await run(() => backup(new VirtualMachine('web', MEMORY, { context })));
  });
});
