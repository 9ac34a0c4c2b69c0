import { Chart, Size } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  CloudInit,
  CloudUser,
  Cpu,
  DataVolume,
  DataVolumeSource,
  Disk,
  Firmware,
  Gpu,
  VirtualMachine,
  type VirtualMachineProps,
  VmNetwork,
  VmPort,
  VmProbe,
} from '../../../src';
import { testApp } from '../../support/app';
import { mistakeOf, testChart, testVm } from './fixtures';

const shop = (): Chart => new Chart(testApp(), 'shop', { namespace: 'shop' });
const image = 'registry.example/os:1';
/** As a program without a type checker gives it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of a wrong type on purpose
const untyped = (properties: object): any => properties;
const cloud = (props: object): CloudInit => CloudInit.noCloud(untyped(props));

describe('a property that does not exist is an error where another one was meant:', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a misspelt one of a construct',
      () => testVm(untyped({ evictionStratgy: 'x' })),
      'web/vm: evictionStratgy: VirtualMachineProps has no property "evictionStratgy"\n  did you mean "evictionStrategy"? [unknown-property]',
    ],
    [
      'a misspelt one of options',
      () => Disk.containerDisk(image, untyped({ boorOrder: 1 })),
      'Disk.containerDisk: options.boorOrder: ContainerDiskOptions has no property "boorOrder"\n  did you mean "bootOrder"? [unknown-property]',
    ],
    ['other capitals', () => testVm(untyped({ hostName: 'web' })), 'did you mean "hostname"? [unknown-property]'],
    [
      'a field of KubeVirt',
      () => testVm(untyped({ running: true })),
      'did you mean "runStrategy"? Write runStrategy: RunStrategy.ALWAYS or RunStrategy.HALTED',
    ],
    [
      'a duration in seconds',
      () => VmProbe.fromTcpSocket(22, untyped({ periodSeconds: 5 })),
      'did you mean "period"? Write period: Duration.seconds(…)',
    ],
    ['a MAC address', () => VmNetwork.masquerade(untyped({ mac: '02:00:00:00:00:01' })), 'did you mean "macAddress"?'],
    ['a file name', () => cloud({ writeFiles: [{ filename: '/a', content: 'x' }] }), 'did you mean "path"?'],
    ['cpus', () => testVm(untyped({ cpus: 2 })), 'did you mean "cpu"? Write cpu: Cpu.sockets(2)'],
    [
      'one that is further inside',
      () => testVm(untyped({ nodeSelector: { a: 'b' } })),
      'did you mean "scheduling.nodeSelector"?',
    ],
    [
      'one of nested options',
      () => testVm({ devices: untyped({ serialConsol: true }) }),
      'web/vm: devices.serialConsol: DeviceOptions has no property "serialConsol"\n  did you mean "serialConsole"?',
    ],
    ['snake case', () => cloud({ package_update: true }), 'did you mean "packageUpdate"?'],
    ['one beside a default', () => testVm(untyped({ memmory: 1 })), 'did you mean "memory"?'],
    [
      'firmware as a flag',
      () => testVm(untyped({ uefi: true })),
      'did you mean "firmware"? Write firmware: Firmware.efi(',
    ],
    ['keys of a VM', () => testVm(untyped({ sshKeys: [] })), 'did you mean "cloudInit"?'],
    ['keys of a cloud-config', () => cloud({ ssh_authorized_keys: ['ssh-rsa A'] }), 'did you mean "users"?'],
    ['keys of a user', () => CloudUser.named('ops', untyped({ authorizedKeys: [] })), 'did you mean "sshKeys"?'],
    [
      'a password',
      () => CloudUser.named('ops', untyped({ passwd: 'x' })),
      'did you mean "passwordFrom"? Write passwordFrom: {',
    ],
    [
      'network data',
      () => cloud({ network: {} }),
      'did you mean "networkConfig"? Write networkConfig: CloudNetwork.v2(',
    ],
    ['commands', () => cloud({ commands: ['ls'] }), 'did you mean "runcmd"?'],
    [
      'the retention of a schedule',
      () => testVm({}).scheduleSnapshots('s', untyped({ retention: 7 })),
      'did you mean "keep"?',
    ],
    [
      'labels beside the metadata',
      () => testVm(untyped({ labels: { a: 'b' } })),
      'web/vm: labels: VirtualMachineProps has no property "labels", so the object does not get it\n  write metadata: { labels: … } [unknown-property]',
    ],
    [
      'a namespace beside the metadata',
      () => testVm(untyped({ namespace: 'shop' })),
      'write metadata: { namespace: … }',
    ],
    [
      'annotations that differ from those of the metadata',
      () => testVm(untyped({ annotations: { a: 'b' }, metadata: { annotations: { a: 'c' } } })),
      'write metadata: { annotations: … }',
    ],
    [
      'a single item of a list',
      () => testVm({ devices: untyped({ gpu: Gpu.device('nvidia.com/A10') }) }),
      'devices.gpu: DeviceOptions has no property "gpu"\n  did you mean "gpus"? Write gpus: […]',
    ],
    [
      'a list under its singular',
      () =>
        new VirtualMachine(
          testChart(),
          'vm',
          untyped({ memory: Size.gibibytes(1), disk: [Disk.containerDisk(image)] }),
        ),
      'did you mean "disks"? [unknown-property]',
    ],
    [
      'one in a subclass',
      () => new Web(testChart(), 'vm', untyped({ evictionStratgy: 1, image })),
      'web/vm: evictionStratgy: VirtualMachineProps has no property "evictionStratgy"\n  did you mean "evictionStrategy"?',
    ],
    [
      'an argument of another factory',
      () => VmPort.tcp(53, untyped({ protocol: 'UDP' })),
      'VmPort.tcp: options.protocol: VmPortOptions has no property "protocol"\n  use VmPort.udp(…)',
    ],
    [
      'an argument of the factory',
      () => VmPort.tcp(80, untyped({ port: 8080 })),
      'VmPort.tcp: options.port: VmPortOptions has no property "port"\n  the port is the first argument',
    ],
    [
      'a setting of the attachment',
      () => VmNetwork.multus({ name: 'lan' }, untyped({ vlan: 10 })),
      'options.vlan: MultusOptions has no property "vlan"\n  set the VLAN in the attachment',
    ],
    [
      'a password',
      () => CloudUser.named('ops', untyped({ passwd: 'x' })),
      'options.passwd: CloudUserOptions has no property "passwd"\n  did you mean "passwordFrom"?',
    ],
    [
      'any other one of options',
      () => VmPort.tcp(80, untyped({ tenant: 'blue' })),
      'VmPort.tcp: options.tenant: VmPortOptions has no property "tenant"\n  use appProtocol, name, nodePort, targetPort [unknown-property]',
    ],
    [
      'any other one of a method',
      () => testVm().exposeViaService('web', untyped({ ports: [VmPort.HTTP], tenant: 'blue' })),
      'Guest.exposeViaService: options.tenant: ExposeViaServiceOptions has no property "tenant"',
    ],
    [
      'any other one of nested options',
      () => VmNetwork.masquerade({ dhcpOptions: untyped({ colour: 'blue' }) }),
      'VmNetwork.masquerade: options.dhcpOptions.colour: DhcpOptions has no property "colour"',
    ],
  ])('%s', (_, make, want) => expect(mistakeOf(make)).toContain(want));

  test('all of them at once', () => {
    const found = mistakeOf(() => testVm(untyped({ hostName: 'web', running: true })));
    expect(found).toContain('web/vm: 2 mistakes');
  });
});

/** A subclass that passes everything on, with properties of its own. */
interface WebProps extends VirtualMachineProps {
  readonly image: string;
  readonly network?: string;
  readonly disk?: string;
  readonly cpus?: number;
  readonly labels?: Record<string, string>;
}
class Web extends VirtualMachine {
  public constructor(scope: Construct, id: string, props: WebProps) {
    super(scope, id, { memory: Size.gibibytes(1), ...props, cpu: Cpu.sockets(props.cpus ?? 1) });
    this.addDisk(Disk.containerDisk(props.image));
  }
}

describe('a property that does not exist is allowed', () => {
  test.each<[string, () => unknown]>([
    [
      'in a subclass, beside what it stands for',
      () => new Web(testChart(), 'vm', { image, network: 'lan', disk: 'root', cpus: 2, labels: { a: 'b' } }),
    ],
    [
      'beside the right one, as a helper passes it on',
      () => testVm(untyped({ sshKeys: [], cloudInit: CloudInit.noCloud({}), uefi: true, firmware: Firmware.efi() })),
    ],
    [
      'in a subclass, where it is its own',
      () => new Web(testChart(), 'vm', untyped({ image, uefi: true, sshKeys: [], packages: [] })),
    ],
    ['where nothing is near', () => testVm(untyped({ tenant: 'blue', name: 'x', team: 1 }))],
    [
      'where the metadata has the same',
      () => testVm(untyped({ labels: { a: 'b' }, namespace: 'x', metadata: { labels: { a: 'b' }, namespace: 'x' } })),
    ],
    [
      'where it is the namespace of a source',
      () => {
        const options = { namespace: 'images' };
        const source = DataVolumeSource.claim({ name: 'golden' }, options);
        return new DataVolume(testChart(), 'data', untyped({ ...options, source }));
      },
    ],
    [
      'where the chart has the same',
      () => new VirtualMachine(shop(), 'vm', untyped({ memory: Size.gibibytes(1), namespace: 'shop' })),
    ],
    ['under a singular, where the list does not accept it', () => testVm({ devices: untyped({ gpu: 'a', gpu2: 1 }) })],
    ['where it has no value', () => testVm(untyped({ hostName: undefined }))],
    [
      'where it belongs to another call',
      () => Disk.containerDisk(image, untyped({ bootOrder: 1, size: 5, memory: 3 })),
    ],
    ['beside the right one', () => testVm(untyped({ cpu: Cpu.sockets(2), cpus: 2, disk: 'root' }))],
  ])('%s', (_, make) => expect(mistakeOf(make)).toBe('nothing was thrown'));
});
