import { Size } from 'cdk8s';
import * as pulumi from '@pulumi/pulumi';
import * as virt8s from '../../../src';
import { mistakeOf, testChart, testVm } from './fixtures';

const { CloudInit, Cpu, DataVolume, DataVolumeSource, Disk, Firmware, TaintEffect, VirtualMachine, VmNetwork } = virt8s;

/** As a program without a type checker gives it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of a wrong type on purpose
const any = (value: unknown): any => value;
const image = 'registry.example/os:1';
const disks = (...items: unknown[]) => testVm({ disks: any(items) });
const volume = (): virt8s.DataVolume =>
  new DataVolume(testChart(), 'data', { source: DataVolumeSource.blank(), size: Size.gibibytes(1) });

describe('the remedy for a value of a wrong type depends on the value', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a Promise',
      () => Disk.containerDisk(any(Promise.resolve(image))),
      'image: must be a string, not a Promise\n  await it',
    ],
    [
      'an Output',
      () => testVm({ hostname: any(pulumi.output('web')) }),
      'hostname: must be a string, not an Output of Pulumi\n  use the component of virt8s/pulumi, which accepts Outputs, or pass the Output as an input of fromChart',
    ],
    ['a factory', () => testVm({ firmware: any(Firmware.efi) }), 'call it: Firmware.efi(…)'],
    ['another function', () => testVm({ hostname: any(() => 'web') }), 'call it, and pass its result'],
    [
      'undefined in a list',
      () => disks(undefined),
      'disks[0]: must be a Disk, not undefined\n  remove the item, or set its variable',
    ],
    [
      'a list in a list',
      () => disks([Disk.containerDisk(image)]),
      'disks[0]: must be a Disk, not a list\n  spread the list',
    ],
    [
      'a list',
      () => testVm({ cpu: any([Cpu.cores(1)]) }),
      'cpu: must be a Cpu, not a list\n  write it without brackets',
    ],
    ['null for an optional value', () => testVm({ cloudInit: any(null) }), 'leave it out, or write undefined'],
    [
      'null for a required value',
      () => Disk.containerDisk(any(null)),
      'must be a string, not null\n  write it in quotes',
    ],
    ['NaN', () => Cpu.cores(NaN), 'count: must be a number, not NaN\n  check how it is calculated'],
    ['a bigint', () => Cpu.cores(any(2n)), 'convert it: Number(…)'],
    ['a number in quotes', () => Cpu.cores(any('2')), 'write a number, without quotes'],
    ['an object for a number', () => Cpu.cores(any({ cores: 2 })), 'pass a number'],
    [
      'a Size for a quantity',
      () => testVm({ limits: any({ memory: Size.gibibytes(1) }) }),
      "write the quantity in quotes, such as '1Gi'",
    ],
    [
      'an object with a name for a string',
      () => testVm({ hostname: any({ name: 'web' }) }),
      'pass a string, such as its name',
    ],
    [
      'a missing argument',
      () => Disk.containerDisk(any(undefined)),
      'must be a string, not undefined\n  add it; if a variable sets it, check its value',
    ],
    ['a DataVolume for a Disk', () => disks(volume()), 'must be a Disk, not a DataVolume\n  use Disk.dataVolume(…)'],
    ['a source for a Disk', () => disks(DataVolumeSource.blank()), 'use Disk.from(…)'],
    ['a number for a CPU', () => testVm({ cpu: any(2) }), 'use Cpu.cores(…) or Cpu.sockets(…)'],
    ['an object for a CPU', () => testVm({ cpu: any({ cores: 2 }) }), 'use Cpu.topology(…)'],
    ['a string for a cloud-config', () => testVm({ cloudInit: any('#cloud-config') }), 'use CloudInit.raw(…)'],
    ['a port as a number', () => VmNetwork.masquerade({ ports: any([80]) }), 'use VmPort.tcp(…) or VmPort.udp(…)'],
    [
      'the value of a constant',
      () => testVm({ runStrategy: any('RerunOnFailure') }),
      'use RunStrategy.RERUN_ON_FAILURE',
    ],
    ['an unknown value', () => testVm({ runStrategy: any('Sometimes') }), 'use RunStrategy.ALWAYS, RunStrategy.HALTED'],
    [
      'the value of an effect',
      () => testVm({}).scheduling.tolerate('a', { effect: any(TaintEffect.NO_EXECUTE.value) }),
      'use TaintEffect.NO_EXECUTE',
    ],
    [
      'a resource of Pulumi',
      () => Disk.secret(any({ __pulumiResource: true, metadata: {} })),
      'secret: must be an INamedObject, not an object\n  pass its name: { name: ….metadata.name }',
    ],
    [
      'a component of Pulumi',
      () => Disk.secret(any({ __pulumiResource: true, [Symbol.for('virt8s.pulumi.reference')]: {} })),
      'secret: must be an INamedObject, not an object of Pulumi\n  use the component of virt8s/pulumi instead of the construct',
    ],
    [
      'an interface with several fields',
      () => new virt8s.GuestAutoscaler(testChart(), 'load', { target: any('web'), max: 3, cpuUsage: 1 }),
      'pass a construct, or { apiVersion: …, kind: …, name: … } of one that exists',
    ],
  ])('%s', (_, make, want) => expect(mistakeOf(make)).toContain(want));

  test('no message contains a value, because it may be a secret', () => {
    expect(mistakeOf(() => testVm({ cpu: any('hunter2') }))).not.toContain('hunter2');
  });
});

describe('a call without its id', () => {
  test.each<[string, () => unknown, string]>([
    [
      'of a method is one mistake',
      () => any(new virt8s.VirtualMachinePool(testChart(), 'pool')).autoscale({ max: 3, cpuUsage: 1 }),
      "VirtualMachinePool.autoscale: id: must be a string, not an object\n  pass it before the options: autoscale('…', { … }) [type]",
    ],
    [
      'of a method names the form of the call',
      () => any(testVm({})).snapshot({}),
      "VirtualMachine.snapshot: id: must be a string, not an object\n  pass it before the options: snapshot('…', { … }) [type]",
    ],
    [
      'of a constructor names the form of the call',
      () => new (any(VirtualMachine))(testChart(), {}),
      "new construct: id: must be a string, not an object\n  pass it before the properties: (chart, 'web', { … }) [type]",
    ],
    [
      'of a constructor without a scope says only that the scope is missing',
      () => new (any(VirtualMachine))('web', {}),
      'new construct: scope: must be a Construct, not a string\n  pass the Chart or the construct that contains this one [type]',
    ],
  ])('%s', (_, make, want) => expect(mistakeOf(make)).toContain(want));
});

test('cloud-init of the guest accepts no plain object', () => {
  expect(mistakeOf(() => testVm({ cloudInit: any({ packages: ['nginx'] }) }))).toContain(
    'use CloudInit.configDrive(…) or CloudInit.noCloud(…)',
  );
  expect(() => testVm({ cloudInit: CloudInit.noCloud({ packages: ['nginx'] }) })).not.toThrow();
});
