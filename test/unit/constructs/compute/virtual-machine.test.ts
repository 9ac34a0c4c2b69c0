import { ApiObject, Chart, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  CloudInit,
  Cpu,
  Disk,
  DiskBus,
  DiskCache,
  DiskDevice,
  EvictionStrategy,
  Firmware,
  NicModel,
  PullPolicy,
  RunStrategy,
  StartStrategy,
  VirtualMachine,
  VmNetwork,
  VmPort,
  TaintEffect,
} from '../../../../src';
import { instanceSpec, mistakeOf, testChart, testVm } from '../fixtures';
import { testApp } from '../../../support/app';

test('a minimal VM always runs, behind NAT, with the default CPU of the platform', () => {
  expect(testVm().apiObject.toJson()).toEqual({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'web-vm' },
    spec: {
      runStrategy: 'Always',
      template: {
        spec: {
          domain: {
            memory: { guest: '1Gi' },
            devices: {
              disks: [{ name: 'disk0', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'disk0', containerDisk: { image: 'registry.example/os:1' } }],
        },
      },
    },
  });
});

test('every property sets its field', () => {
  const vm = testVm({
    metadata: { name: 'db', namespace: 'prod', labels: { tier: 'data' } },
    cpu: Cpu.topology({ sockets: 2, cores: 2, threads: 2 }, { model: 'host-passthrough', maxSockets: 4 }),
    memory: Size.mebibytes(1536),
    requests: { cpu: '500m' },
    limits: { cpu: '4', memory: '4Gi' },
    runStrategy: RunStrategy.RERUN_ON_FAILURE,
    startStrategy: StartStrategy.PAUSED,
    terminationGracePeriod: Duration.minutes(2),
    evictionStrategy: EvictionStrategy.LIVE_MIGRATE,
    hostname: 'db-1',
    firmware: Firmware.efi({ persistent: true }),
    machineType: 'pc-q35-9.0',
    instanceMetadata: { labels: { app: 'db' }, annotations: { note: 'x' } },
  });
  vm.scheduling.selectNode('disk', 'ssd');
  vm.scheduling.tolerate('dedicated', { value: 'vms', effect: TaintEffect.NO_SCHEDULE });
  vm.scheduling.tolerate('any');
  const { metadata, spec } = vm.apiObject.toJson();
  expect(metadata).toEqual({ name: 'db', namespace: 'prod', labels: { tier: 'data' } });
  expect(spec).toMatchObject({
    runStrategy: 'RerunOnFailure',
    template: {
      metadata: { labels: { app: 'db' }, annotations: { note: 'x' } },
      spec: {
        domain: {
          cpu: { sockets: 2, cores: 2, threads: 2, model: 'host-passthrough', maxSockets: 4 },
          memory: { guest: '1536Mi' },
          resources: { requests: { cpu: '500m' }, limits: { cpu: '4', memory: '4Gi' } },
          firmware: { bootloader: { efi: { secureBoot: true, persistent: true } } },
          features: { smm: { enabled: true } },
          machine: { type: 'pc-q35-9.0' },
        },
        startStrategy: 'Paused',
        terminationGracePeriodSeconds: 120,
        evictionStrategy: 'LiveMigrate',
        hostname: 'db-1',
        nodeSelector: { disk: 'ssd' },
        tolerations: [
          { key: 'dedicated', operator: 'Equal', value: 'vms', effect: 'NoSchedule' },
          { key: 'any', operator: 'Exists' },
        ],
      },
    },
  });
});

test('a disk renders a disk and a volume of the same name', () => {
  const vm = testVm({
    disks: [
      Disk.containerDisk('os', {
        path: '/disk/os.qcow2',
        pullPolicy: PullPolicy.NEVER,
        pullSecret: { name: 'registry' },
        bootOrder: 1,
      }),
      Disk.emptyDisk(Size.gibibytes(10), { name: 'scratch', bus: DiskBus.SCSI, serial: 'S1', cache: DiskCache.NONE }),
      Disk.persistentVolumeClaim({ name: 'data' }, { device: DiskDevice.LUN }),
      Disk.configMap({ name: 'drivers' }, { device: DiskDevice.CDROM }),
      Disk.secret({ name: 'keys' }, { readOnly: true }),
      Disk.dataVolume({ name: 'golden' }),
      Disk.of({ downwardAPI: { fields: [] } }, { name: 'info' }),
    ],
  });
  const { domain, volumes } = instanceSpec(vm);
  expect(domain.devices.disks).toEqual([
    { name: 'disk0', disk: { bus: 'virtio' }, bootOrder: 1 },
    { name: 'scratch', disk: { bus: 'scsi' }, serial: 'S1', cache: 'none' },
    { name: 'disk2', lun: { bus: 'scsi' } },
    { name: 'disk3', cdrom: { bus: 'sata' } },
    { name: 'disk4', disk: { bus: 'virtio', readonly: true } },
    { name: 'disk5', disk: { bus: 'virtio' } },
    { name: 'info', disk: { bus: 'virtio' } },
  ]);
  expect(volumes).toEqual([
    {
      name: 'disk0',
      containerDisk: { image: 'os', path: '/disk/os.qcow2', imagePullPolicy: 'Never', imagePullSecret: 'registry' },
    },
    { name: 'scratch', emptyDisk: { capacity: '10Gi' } },
    { name: 'disk2', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'disk3', configMap: { name: 'drivers' } },
    { name: 'disk4', secret: { secretName: 'keys' } },
    { name: 'disk5', dataVolume: { name: 'golden' } },
    { name: 'info', downwardAPI: { fields: [] } },
  ]);
});

test('renders bridge, Multus and no networks', () => {
  const several = testVm({
    networks: [
      VmNetwork.masquerade({ ports: [VmPort.SSH, VmPort.tcp(80, { targetPort: 8080, name: 'web' })] }),
      VmNetwork.multus(
        { name: 'infra/lan' },
        { macAddress: '02:00:00:00:00:01', model: NicModel.E1000E, bootOrder: 2 },
      ),
    ],
  });
  expect(instanceSpec(several).domain.devices.interfaces).toEqual([
    {
      name: 'default',
      masquerade: {},
      ports: [
        { name: 'ssh', port: 22, protocol: 'TCP' },
        { name: 'web', port: 8080, protocol: 'TCP' },
      ],
    },
    { name: 'lan', bridge: {}, macAddress: '02:00:00:00:00:01', model: 'e1000e', bootOrder: 2 },
  ]);
  expect(instanceSpec(several).networks).toEqual([
    { name: 'default', pod: {} },
    { name: 'lan', multus: { networkName: 'infra/lan' } },
  ]);
  const none = instanceSpec(testVm({ networks: [] }));
  expect(none.domain.devices.autoattachPodInterface).toBe(false);
  expect(none.networks).toBeUndefined();
});

test('VmNetwork.platform leaves the networks to the platform and rejects any other network', () => {
  const vm = testVm({ networks: [VmNetwork.platform()] });
  expect(instanceSpec(vm)).not.toHaveProperty('networks');
  expect(Object.keys(instanceSpec(vm).domain.devices)).toEqual(['disks']);
  const message =
    'VmNetwork.platform: networks: cannot be combined with other networks\n' +
    '  use VmNetwork.masquerade() for the Pod network instead [platform-network-alone]';
  expect(mistakeOf(() => vm.addNetwork(VmNetwork.multus({ name: 'lan' })))).toContain(message);
  expect(mistakeOf(() => testVm({ networks: [VmNetwork.platform(), VmNetwork.platform()] }))).toContain(message);
});

test('the cloud-init disk has its usual name', () => {
  const { domain, volumes } = instanceSpec(testVm({ cloudInit: CloudInit.noCloud({ diskName: 'cloudinitdisk' }) }));
  expect(domain.devices.disks[1]).toEqual({ name: 'cloudinitdisk', disk: { bus: 'virtio' } });
  expect(volumes[1]).toMatchObject({ name: 'cloudinitdisk', cloudInitNoCloud: {} });
});

test('disks and networks can be added later', () => {
  const vm = testVm();
  vm.addDisk(Disk.emptyDisk(Size.mebibytes(512)));
  vm.addNetwork(VmNetwork.multus({ name: 'lan' }));
  expect(instanceSpec(vm).volumes.map(({ name }: { name: string }) => name)).toEqual(['disk0', 'disk1']);
  expect(instanceSpec(vm).networks).toHaveLength(2);
});

test('accepts objects of cdk8s-plus by name', () => {
  const chart = testChart();
  const secret = new kplus.Secret(chart, 'keys');
  const claim = new kplus.PersistentVolumeClaim(chart, 'data', { storage: Size.gibibytes(1) });
  const vm = testVm({ disks: [Disk.persistentVolumeClaim(claim), Disk.secret(secret)] }, chart);
  expect(instanceSpec(vm).volumes).toEqual([
    { name: 'disk0', persistentVolumeClaim: { claimName: claim.name } },
    { name: 'disk1', secret: { secretName: secret.name } },
  ]);
});

describe('escape hatches', () => {
  test('instanceSpec sets any field and is merged over the rest', () => {
    const vm = testVm({
      instanceSpec: { subdomain: 'vms', domain: { devices: { rng: {} }, cpu: { model: 'Haswell' } } },
    });
    expect(instanceSpec(vm)).toMatchObject({
      subdomain: 'vms',
      domain: { cpu: { model: 'Haswell' }, devices: { rng: {}, interfaces: [{ name: 'default' }] } },
    });
  });

  test('the child Resource accepts JSON patches', () => {
    const vm = testVm();
    ApiObject.of(vm).addJsonPatch(JsonPatch.replace('/spec/runStrategy', 'Manual'));
    expect(vm.apiObject.toJson().spec.runStrategy).toBe('Manual');
    expect(vm.node.findChild('Resource')).toBe(vm.apiObject);
    expect([vm.name, vm.kind, vm.apiVersion]).toEqual(['web-vm', 'VirtualMachine', 'kubevirt.io/v1']);
  });

  test('a choice accepts values without a constant', () => {
    const vm = testVm({ runStrategy: RunStrategy.of('WaitAsReceiver') });
    expect(vm.apiObject.toJson().spec.runStrategy).toBe('WaitAsReceiver');
    expect(`${DiskBus.of('usb')}`).toBe('usb');
  });
});

describe('a Service', () => {
  test('selects the VM on any node', () => {
    const vm = testVm();
    const service = vm.exposeViaService('ssh', { ports: [VmPort.SSH, VmPort.udp(53, { targetPort: 5353 })] });
    expect(service.host).toBe('web-vm-ssh');
    expect(service.apiObject.toJson()).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web-vm-ssh' },
      spec: {
        type: 'ClusterIP',
        selector: { 'vm.kubevirt.io/name': 'web-vm' },
        ports: [
          { name: 'ssh', port: 22, targetPort: 22, protocol: 'TCP' },
          { name: 'udp-53', port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
      },
    });
  });
});

test('synth gives the same result twice', () => {
  const chart = new Chart(testApp(), 'web');
  new VirtualMachine(chart, 'vm', {
    memory: Size.gibibytes(1),
    cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
  });
  expect(Testing.synth(chart)).toEqual(Testing.synth(chart));
});
