/** A mistake in the manifest names the construct property that sets the field. */
import { Duration, Size } from 'cdk8s';
import {
  AccessCredential,
  CloudInit,
  Cpu,
  Disk,
  DiskBus,
  DiskDevice,
  EvictionStrategy,
  Firmware,
  HyperV,
  PanicModel,
  PoolAutohealing,
  RunStrategy,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachinePool,
  VirtualMachineProps,
  VirtualMachineReplicaSet,
  VmNetwork,
  VmProbe,
  Windows11,
} from '../../../../src';
import { propertyOf } from '../../../../src/constructs/compute/property-of';
import { mistakeOf, synthMistake, testChart } from '../fixtures';

const located = {
  prefix: 'spec.template.spec',
  origins: {
    disks: ['disks[0]', 'disks[2]', 'sysprep', 'cloudInit'],
    volumes: ['disks[0]', 'disks[1]', 'disks[2]', 'firmware', 'sysprep', 'cloudInit'],
    filesystems: ['disks[1]'],
    templates: ['disks[2]'],
  },
  credentials: 1,
  passwords: 1,
};

test.each([
  ['domain.cpu.cores', 'cpu.cores'],
  ['domain.cpu.dedicatedCpuPlacement', 'cpu.dedicated'],
  ['domain.cpu.features[1].policy', 'cpu.features[1].policy'],
  ['domain.memory.guest', 'memory'],
  ['domain.memory.hugepages.pageSize', 'memoryOptions.hugepages'],
  ['domain.memory.reservedOverhead.memLock', 'memoryOptions.locked'],
  ['domain.resources.requests.cpu', 'requests.cpu'],
  ['domain.firmware.bootloader.efi.secureBoot', 'firmware.secureBoot'],
  ['domain.firmware.bootloader', 'firmware'],
  ['domain.firmware.kernelBoot.container.kernelPath', 'firmware.kernelBoot.kernelPath'],
  ['domain.firmware.kernelBoot.container.imagePullPolicy', 'firmware.kernelBoot.pullPolicy'],
  ['domain.firmware.kernelBoot.kernelArgs', 'firmware.kernelBoot.args'],
  ['domain.firmware.acpi.slicNameRef', 'firmware.slicTable'],
  ['domain.firmware.uuid', 'firmware.uuid'],
  ['domain.machine.type', 'machineType'],
  ['domain.chassis.sku', 'chassis.sku'],
  ['domain.clock.timer.hpet.tickPolicy', 'clock.timers.hpet.tickPolicy'],
  ['domain.clock.utc.offsetSeconds', 'clock.offsetSeconds'],
  ['domain.features.hyperv.vpindex', 'hyperv.vpIndex'],
  ['domain.features.hyperv.spinlocks.spinlocks', 'hyperv.spinlocks'],
  ['domain.features.hypervPassthrough', 'hyperv'],
  ['domain.features.smm.enabled', 'features.smm'],
  ['domain.launchSecurity.sev', 'launchSecurity'],
  ['domain.ioThreads.supplementalPoolThreadCount', 'ioThreads'],
  ['domain.rebootPolicy', 'rebootPolicy'],
  ['domain.devices.tpm.persistent', 'devices.tpm'],
  ['domain.devices.autoattachVSOCK', 'devices.vsock'],
  ['domain.devices.gpus[0].name', 'devices.gpus[0].name'],
  ['domain.devices.panicDevices[0].model', 'devices.panicDevices[0].model'],
  ['domain.devices.disks[0].disk.bus', 'disks[0].bus'],
  ['domain.devices.disks[1].cdrom.readonly', 'disks[2].readOnly'],
  ['domain.devices.disks[1].dedicatedIOThread', 'disks[2].dedicatedIoThread'],
  ['domain.devices.disks[2].cdrom.bus', 'sysprep'],
  ['domain.devices.disks[3].name', 'cloudInit'],
  ['domain.devices.disks', 'disks'],
  ['domain.devices.filesystems[0].name', 'disks[1].name'],
  ['domain.devices.interfaces[1].macAddress', 'networks[1].macAddress'],
  ['domain.devices.interfaces[1].state', 'networks[1].linkState'],
  ['domain.devices.interfaces[0].ports[2].port', 'networks[0].ports[2].port'],
  ['domain.devices.interfaces', 'networks'],
  ['networks[1].name', 'networks[1].name'],
  ['networks[0].multus.networkName', 'networks[0]'],
  ['volumes[1].containerDisk.path', 'disks[1].path'],
  ['volumes[2].dataVolume.name', 'disks[2]'],
  ['volumes[3].secret.secretName', 'firmware'],
  ['volumes[5].cloudInitNoCloud.userData', 'cloudInit'],
  ['accessCredentials[0].sshPublicKey', 'accessCredentials[0]'],
  ['accessCredentials[1].userPassword', 'cloudInit.users'],
  ['accessCredentials[2].userPassword', 'sysprep.admin'],
  ['nodeSelector', 'scheduling.nodeSelector'],
  ['affinity.nodeAffinity', 'scheduling.affinity.nodeAffinity'],
  ['topologySpreadConstraints[0].maxSkew', 'scheduling.topologySpread[0].maxSkew'],
  ['priorityClassName', 'scheduling.priorityClass'],
  ['dnsConfig.nameservers[0]', 'dns.nameservers[0]'],
  ['dnsPolicy', 'dns.policy'],
  ['readinessProbe.periodSeconds', 'readiness.period'],
  ['livenessProbe.httpGet.port', 'liveness.httpGet.port'],
  ['terminationGracePeriodSeconds', 'terminationGracePeriod'],
  ['utilityVolumes[0].claimName', 'utilityVolumes[0].claim'],
  ['resourceClaims[0].name', 'resourceClaims[0].name'],
  ['serviceAccountName', 'serviceAccount'],
  ['hostname', 'hostname'],
  ['somethingNew', undefined],
])('%s', (field, want) => expect(propertyOf(`spec.template.spec.${field}`, located)).toBe(want));

test('a field outside the guest has no property of the guest', () => {
  expect(propertyOf('spec.template.specific', located)).toBeUndefined();
  expect(propertyOf('metadata.name', located)).toBeUndefined();
});

const memory = Size.gibibytes(1);

test.each<[string, VirtualMachineProps]>([
  ['cpu.sockets', { cpu: Cpu.sockets(0) }],
  ['memoryOptions.quantity', { memoryOptions: { quantity: 'much' } }],
  ['requests.cpu', { requests: { cpu: 'much' } }],
  ['disks[1].bus', { disks: [Disk.containerDisk('a'), Disk.containerDisk('b', { bus: DiskBus.of('ide') })] }],
  ['networks[0].macAddress', { networks: [VmNetwork.masquerade({ macAddress: '02:00' })] }],
  ['devices.panicDevices[0].model', { devices: { panicDevices: [PanicModel.of('loud')] } }],
  ['firmware.uuid', { firmware: Firmware.platform({ uuid: 'none' }) }],
  ['hyperv.spinlocks', { hyperv: HyperV.of({ spinlocks: 1.5 }) }],
  ['readiness.failureThreshold', { readiness: VmProbe.fromTcpSocket(80, { failureThreshold: 1.5 }) }],
  ['evictionStrategy', { evictionStrategy: EvictionStrategy.of('Later') }],
  ['hostname', { hostname: 'Not_A_Name' }],
  ['runStrategy', { runStrategy: RunStrategy.of('Sometimes') }],
])('an invalid %s is rejected where it is passed', (property, props) => {
  const text = mistakeOf(() => new VirtualMachine(testChart(), 'vm', { memory, ...props }));
  expect(text).toMatch(new RegExp(`^web/vm: ${property.replace(/[[\].]/g, '\\$&')} \\(spec\\.`));
});

test('every kind reports the same property', () => {
  const cpu = Cpu.cores(0);
  for (const Kind of [VirtualMachine, VirtualMachineInstance, VirtualMachineReplicaSet, VirtualMachinePool]) {
    const text = mistakeOf(() => new Kind(testChart(), 'a', { memory, cpu }));
    expect(text).toMatch(/^web\/a: cpu\.cores \(spec\..*domain\.cpu\.cores\)/);
  }
});

test('validates later additions at once', () => {
  const vm = new VirtualMachine(testChart(), 'vm', { memory });
  expect(mistakeOf(() => vm.devices.addPanicDevice(PanicModel.of('loud')))).toContain('devices.panicDevices[0].model');
  const other = new VirtualMachine(testChart(), 'vm', { memory });
  expect(mistakeOf(() => other.addDisk(Disk.containerDisk('a', { bus: DiskBus.of('ide') })))).toContain('disks[0].bus');
});

test('names the properties of a pool', () => {
  const of = (props: PoolAutohealing & { replicas?: number }): string => {
    const { replicas, ...autohealing } = props;
    const chart = testChart();
    return mistakeOf(() => {
      new VirtualMachinePool(chart, 'pool', { memory, replicas, autohealing });
      const text = synthMistake(chart);
      if (text !== 'nothing was thrown') throw new Error(text);
    });
  };
  expect(of({ replicas: -1 })).toContain('replicas (spec.replicas)');
  expect(of({ failedStarts: 1.5 })).toContain('autohealing.failedStarts (spec.autohealing.startUpFailureThreshold)');
  expect(of({ failingFor: Duration.minutes(1) })).toBe('nothing was thrown');
});

test('names the properties of the Windows media', () => {
  const chart = testChart();
  new Windows11(chart, 'pc', {
    disks: [Disk.containerDisk('os', { name: 'same' })],
    drivers: Disk.containerDisk('drivers', { name: 'same', device: DiskDevice.CDROM }),
    cloudInit: CloudInit.noCloud({}),
    accessCredentials: [AccessCredential.passwordsByAgent({ name: 'passwords' })],
  });
  expect(synthMistake(chart)).toContain('[web/pc] drivers.name (spec.template.spec.volumes[1].name)');
});
