import { Chart, Size } from 'cdk8s';
import {
  CloudInit,
  CloudUser,
  Cpu,
  Disk,
  DiskBus,
  DiskDevice,
  RunStrategy,
  VirtualMachine,
  VirtualMachineProps,
  VmNetwork,
  VmPort,
} from '../../../src';
import { mistakeOf, synthMistake, testChart, testVm } from './fixtures';
import { testApp } from '../../support/app';

/** A property of the code and the field that it makes. */
const at = (property: string, field: string): string => `web/vm: ${whereOf(property, field)}`;
const whole = (property: string, field: string): string => `[web/vm] ${whereOf(property, field)}`;
const whereOf = (property: string, field: string): string => `${property} (spec.template.spec.${field})`;
const os = (options = {}) => Disk.containerDisk('os', options);

describe('at construction', () => {
  test.each<[string, VirtualMachineProps, string]>([
    [
      'an invalid quantity',
      { requests: { cpu: '500mm' } },
      `${at('requests.cpu', 'domain.resources.requests.cpu')}: "500mm" is not a quantity
  write a number with an optional unit (m, k, M, G, T, P, E or Ki, Mi, Gi, Ti, Pi, Ei), like 512Mi [schema-quantity]`,
    ],
    [
      'zero cores',
      { cpu: Cpu.cores(0) },
      `${at('cpu.cores', 'domain.cpu.cores')}: '0': must be greater than 0
  use 1 or more, or leave it out [cpu-positive]`,
    ],
    [
      'half a core',
      { cpu: Cpu.cores(0.5) },
      `${at('cpu.cores', 'domain.cpu.cores')}: must be of type integer, not number (value: 0.5)
  write an integer here [schema-type]`,
    ],
    [
      'an unknown bus',
      { disks: [os({ bus: DiskBus.of('virtoi') })] },
      `${at('disks[0].bus', 'domain.devices.disks[0].disk.bus')}: is set with an unrecognized bus virtoi, must be one of: [virtio scsi sata usb] (allowed: "virtio", "scsi", "sata", "usb")
  did you mean "virtio"? [disk-bus]`,
    ],
    [
      'a CD drive on virtio',
      { disks: [os({ device: DiskDevice.CDROM, bus: DiskBus.VIRTIO })] },
      `${at('disks[0].bus', 'domain.devices.disks[0].cdrom.bus')}: Bus type virtio is invalid for CD-ROM device (allowed: "scsi", "sata", "usb")
  use sata or scsi [cdrom-bus]`,
    ],
    [
      'a malformed MAC address',
      { networks: [VmNetwork.masquerade({ macAddress: '02:00' })] },
      `${at('networks[0].macAddress', 'domain.devices.interfaces[0].macAddress')}: interface networks[0].name has malformed MAC address (02:00)
  write it like 02:00:00:12:34:56 [mac-format]`,
    ],
    [
      'an unknown run strategy',
      { runStrategy: RunStrategy.of('Allways') },
      `web/vm: runStrategy (spec.runStrategy): Invalid RunStrategy (Allways) (allowed: "Halted", "Manual", "Always", "RerunOnFailure", "Once", "WaitAsReceiver")
  did you mean "Always"? [run-strategy]`,
    ],
    [
      'a misspelt field in the way out',
      { instanceSpec: { terminationGracePeriod: 5 } },
      expect.stringContaining('unknown field "terminationGracePeriod"') as unknown as string,
    ],
    [
      'a serial that QEMU would cut',
      { disks: [os({ serial: 'x'.repeat(40) })] },
      `${at('disks[0].serial', 'domain.devices.disks[0].serial')}: must be less than or equal to 20 in length: the guest sees only so many characters (value: "${'x'.repeat(40)}")
  shorten the serial number [disk-serial-length]`,
    ],
    [
      'a name that is too long for a label',
      { metadata: { name: 'a'.repeat(64) } },
      `web/vm: metadata.name: name must be no more than 63 characters: it becomes a label of the guest and its Pod (value: "${'a'.repeat(64)}")
  shorten the name [name-length]`,
    ],
  ])('%s', (_, props, want) => expect(mistakeOf(() => testVm(props))).toEqual(want));

  test('reports all mistakes together', () => {
    const text = mistakeOf(() =>
      testVm({ cpu: Cpu.cores(0), hostname: 'Web_1', disks: [os({ bus: DiskBus.of('x') })] }),
    );
    expect(text.split('\n')[0]).toBe('web/vm: 3 mistakes');
    expect(text.match(/\[[a-z-]+\]$/gm)).toEqual(['[hostname]', '[disk-bus]', '[cpu-positive]']);
  });

  test('a disk or a network that is added is checked at once', () => {
    const vm = testVm();
    expect(mistakeOf(() => vm.addDisk(os({ bus: DiskBus.of('x') })))).toContain('[disk-bus]');
    expect(mistakeOf(() => testVm().addNetwork(VmNetwork.masquerade({ macAddress: 'x' })))).toContain('[mac-format]');
  });
});

describe('a Service', () => {
  test('reports an invalid port immediately', () => {
    expect(mistakeOf(() => testVm().exposeViaService('svc', { ports: [VmPort.tcp(99999)] }))).toBe(
      `web/vm/svc: 2 mistakes
web/vm/svc: ports[0].port (spec.ports[0].port): 99999 is not a valid port
  use 1 to 65535 [port-range]
web/vm/svc: ports[0].targetPort (spec.ports[0].targetPort): 99999 is not a valid port
  use 1 to 65535 [port-range]`,
    );
  });
});

describe('cloud-init', () => {
  test.each<[string, () => unknown, string]>([
    ['an invalid login name', () => CloudUser.named('Me'), '[cloud-user-name]'],
    ['an invalid public key', () => CloudUser.named('me', { sshKeys: ['AAAA'] }), '[cloud-user-key]'],
    [
      'a user twice',
      () => CloudInit.noCloud({ users: [CloudUser.named('me'), CloudUser.named('me')] }),
      '[cloud-user-unique]',
    ],
  ])('%s', (_, action, rule) => expect(mistakeOf(action)).toContain(rule));

  test('a private key pasted by mistake is not repeated in the error', () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----';
    const text = mistakeOf(() => CloudUser.named('me', { sshKeys: [key] }));
    expect(text).toContain('[cloud-user-key]');
    expect(text).not.toContain('c2VjcmV0');
  });
});

describe('at synth', () => {
  test.each<[string, VirtualMachineProps, string]>([
    [
      'two disks of one name',
      { disks: [os({ name: 'root' }), Disk.emptyDisk(Size.gibibytes(1), { name: 'root' })] },
      `${whole('disks[1].name', 'domain.devices.disks[1].name')}: disks[1] and disks[0] must not have the same Name (value: "root")
  rename one of them [disk-name-unique]
  ${whole('disks[1].name', 'volumes[1].name')}: disks[1] and disks[0] must not have the same Name (value: "root")
  rename one of them [volume-name-unique]`,
    ],
    [
      'two disks with one boot order',
      { disks: [os({ bootOrder: 1 }), os({ bootOrder: 1 })] },
      `${whole('disks[1].bootOrder', 'domain.devices.disks[1].bootOrder')}: Boot order for disks[1].bootOrder already set for a different device (value: 1)
  disks[0] has this boot order; give each device its own [boot-order-unique]`,
    ],
    [
      'no memory',
      { memory: undefined },
      `${whole('memory', 'domain.memory.guest')}: no memory requested, at least one of 'memory', 'memoryOptions.hugepages' or 'requests.memory' must be set
  set memory, such as Size.gibibytes(1), or an instancetype [memory-required]`,
    ],
    [
      'more memory than the limit',
      { limits: { memory: '512Mi' } },
      `${whole('memory', 'domain.memory.guest')}: '1Gi' must be equal to or less than the memory limit limits.memory '512Mi'
  raise the limit or lower the guest memory [guest-memory-limit]`,
    ],
    [
      'two Pod networks',
      { networks: [VmNetwork.masquerade(), VmNetwork.bridge({ name: 'second' })] },
      `${whole('networks[1]', 'networks[1]')}: more than one interface is connected to a pod network in networks
  keep networks[0] and make the others multus networks [pod-network-one]`,
    ],
  ])('%s', (_, props, want) => {
    const chart = testChart();
    expect(mistakeOf(() => testVm(props, chart))).toBe('nothing was thrown');
    expect(synthMistake(chart)).toBe(`Validation failed with the following errors:\n  ${want}`);
  });

  test('reports the mistakes of all objects together', () => {
    const chart = testChart();
    testVm({ memory: undefined }, chart);
    new VirtualMachine(chart, 'other', {
      metadata: { name: 'web-vm' },
      memory: Size.gibibytes(1),
      disks: [os(), os({ name: 'disk0' })],
    });
    const rules = synthMistake(chart).match(/\[[a-z-]+\]$/gm);
    expect(rules).toEqual([
      '[memory-required]',
      '[object-unique]',
      '[disk-name-unique]',
      '[volume-name-unique]',
      '[object-unique]',
    ]);
  });

  test('labels that were added are checked with the whole object', () => {
    const chart = testChart();
    testVm({}, chart).instanceMetadata.addLabel('app', 'a b');
    expect(synthMistake(chart)).toContain(
      'instanceMetadata (spec.template.metadata.labels.app): "app=a b" is not a valid label',
    );
  });

  test("the cluster's configuration is heeded when the context has it", () => {
    const app = testApp();
    app.node.setContext('virt8s.io/configuration', { developerConfiguration: { featureGates: ['HostDisk'] } });
    const chart = new Chart(app, 'web');
    const disks = [Disk.of({ hostDisk: { path: '/data/disk.img', type: 'Disk' } })];
    expect(mistakeOf(() => new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(1), disks }))).toBe(
      'nothing was thrown',
    );
    const closed = testChart();
    testVm({ disks }, closed);
    expect(synthMistake(closed)).toContain('HostDisk feature gate is not enabled');
  });
});

test.each([
  ['My Shop', 'metadata.namespace: "My Shop" is not a DNS label (RFC 1123), as the name of a namespace must be'],
  ['team.shop', 'metadata.namespace: "team.shop" is not a DNS label'],
  ['a'.repeat(64), 'is not a DNS label'],
])('reports the namespace %s of a chart', (namespace, want) => {
  expect(mistakeOf(() => testVm({}, new Chart(testApp(), 'web', { namespace })))).toContain(want);
});

test('accepts the longest name of a namespace', () => {
  const chart = new Chart(testApp(), 'web', { namespace: 'a'.repeat(63) });
  testVm({}, chart);
  expect(synthMistake(chart)).toBe('nothing was thrown');
});
