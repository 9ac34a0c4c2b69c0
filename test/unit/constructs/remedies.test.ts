import { type Chart, Size } from 'cdk8s';
import { clusterConfig } from '../../../src/api';
import { lintObject } from '../../../src/api/lint';
import {
  AccessCredential,
  CloudInit,
  Cpu,
  Disk,
  Firmware,
  Instancetype,
  type InstancetypeProps,
  Preference,
  SnapshotSchedule,
  VirtualMachine,
} from '../../../src';
import { mistakeOf, synthMistake, testChart, testVm } from './fixtures';

/** Findings of synth for the objects that a function creates in a chart. */
function synthOf(make: (chart: Chart) => unknown): string {
  const chart = testChart();
  make(chart);
  return synthMistake(chart);
}

const small = (chart: Chart, more: Partial<InstancetypeProps> = {}): Instancetype =>
  new Instancetype(chart, 'small', { cpus: 2, memory: Size.gibibytes(2), ...more });
const disks = [Disk.containerDisk('registry.example/os:1')];

describe('a remedy names properties where the user wrote constructs:', () => {
  test.each<[string, (chart: Chart) => unknown, string]>([
    [
      'NUMA',
      (chart) => testVm({ cpu: Cpu.cores(2, { numaPassthrough: true }) }, chart),
      'set dedicated: true, as in Cpu.cores(2, { dedicated: true }) [numa-dedicated]',
    ],
    [
      'secure boot',
      (chart) => testVm({ firmware: Firmware.efi({ secureBoot: true }), features: { smm: false } }, chart),
      'remove smm: false from features, or set secureBoot: false in the options of the firmware [secure-boot-smm]',
    ],
    [
      'pinned CPUs beside a limit',
      (chart) => testVm({ cpu: Cpu.cores(4, { dedicated: true }), limits: { cpu: '2' } }, chart),
      'request 4 CPUs, or leave the requests and limits out [dedicated-cpu-count]',
    ],
    [
      'keys for NoCloud',
      (chart) => testVm({ accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'keys' })] }, chart),
      'add cloudInit: CloudInit.noCloud({}) [credential-volume]',
    ],
    [
      'keys for NoCloud beside a ConfigDrive',
      (chart) =>
        testVm(
          {
            accessCredentials: [AccessCredential.sshKeysByNoCloud({ name: 'keys' })],
            cloudInit: CloudInit.configDrive({ packages: ['nginx'] }),
          },
          chart,
        ),
      'use AccessCredential.sshKeysByConfigDrive(…) [credential-volume]',
    ],
    [
      'keys for a ConfigDrive beside NoCloud',
      (chart) =>
        testVm(
          {
            accessCredentials: [AccessCredential.sshKeysByConfigDrive({ name: 'keys' })],
            cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
          },
          chart,
        ),
      'use AccessCredential.sshKeysByNoCloud(…) [credential-volume]',
    ],
    [
      'memory beside an instance type, which always sets it',
      (chart) => testVm({ memory: Size.gibibytes(2), instancetype: small(chart) }, chart),
      'remove the field from the VM: every instance type sets the memory, so choose one with enough [instancetype-conflict]',
    ],
    [
      'CPUs beside an instance type, which always sets them',
      (chart) => testVm({ memory: undefined, cpu: Cpu.cores(2), instancetype: small(chart) }, chart),
      'remove the field from the VM: every instance type sets the CPUs, so choose one with enough [instancetype-conflict]',
    ],
    [
      'the model of the CPU beside an instance type that sets it',
      (chart) =>
        testVm(
          {
            memory: undefined,
            cpu: Cpu.ofModel('host-model'),
            instancetype: small(chart, { cpuModel: 'host-passthrough' }),
          },
          chart,
        ),
      'remove the field from the VM, or choose an instance type that does not set it [instancetype-conflict]',
    ],
  ])('%s', (_, make, want) => expect(synthOf(make)).toContain(`\n  ${want}`));

  test('the request is shown where the limit is zero', () => {
    const cpu = Cpu.cores(4, { dedicated: true });
    const text = synthOf((chart) => testVm({ cpu, limits: { cpu: '0' }, requests: { cpu: '3' } }, chart));
    expect(text).toMatch(/requests\.cpu \(.*\(value: "3"\)\n/);
  });

  test('a manifest that no construct made keeps the fields of the manifest', () => {
    const raw = { domain: { cpu: { numa: { guestMappingPassthrough: {} } }, memory: { guest: '1Gi' }, devices: {} } };
    const vm = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'web' },
      spec: { runStrategy: 'Always', template: { spec: raw } },
    };
    const remedies = lintObject(vm, clusterConfig()).map(({ remedy }) => remedy);
    expect(remedies).toContain('set cpu.dedicatedCpuPlacement: true');
  });
});

describe('a finding names', () => {
  test('the instance type that sets the field', () => {
    const found = synthOf((chart) => {
      const instancetype = new Instancetype(chart, 'numa', {
        metadata: { name: 'numa' },
        cpus: 2,
        memory: Size.gibibytes(2),
        numaPassthrough: true,
      });
      new VirtualMachine(chart, 'vm', { instancetype, disks });
    });
    expect(found).toContain('(VirtualMachineInstancetype "numa" sets it)\n');
  });

  test('the instance type that a property conflicts with', () => {
    const found = synthOf((chart) => {
      const instancetype = new Instancetype(chart, 'small', {
        metadata: { name: 'small' },
        cpus: 2,
        memory: Size.gibibytes(2),
      });
      new VirtualMachine(chart, 'vm', { instancetype, disks, memory: Size.gibibytes(1) });
    });
    expect(found).toContain('conflicts with selected instance type (VirtualMachineInstancetype "small")\n');
  });

  test('the preference whose requirements are not met', () => {
    const found = synthOf((chart) => {
      const preference = new Preference(chart, 'large', {
        metadata: { name: 'large' },
        requirements: { cpus: 4 },
      });
      new VirtualMachine(chart, 'vm', { preference, disks, cpu: Cpu.sockets(2), memory: Size.gibibytes(1) });
    });
    expect(found).toContain('(VirtualMachinePreference "large")\n');
  });
});

describe('a size that is not a whole number', () => {
  test.each<[string, () => unknown, string]>([
    ['of a construct', () => testVm({ memory: Size.gibibytes(1.3) }), 'web/vm: memory: 1363148.8 KiB is not a whole'],
    ['of a factory', () => Disk.blank(Size.gibibytes(1.3)), 'Disk.blank: size: 1363148.8 KiB is not a whole number'],
  ])('%s is reported with its property and a remedy', (_, make, want) => {
    expect(mistakeOf(make)).toContain(want);
    expect(mistakeOf(make)).toContain('\n  round it: Size.mebibytes(1331) [size-whole]');
  });
});

test('a prefix that cannot begin a name is reported', () => {
  const schedule = (): unknown =>
    new SnapshotSchedule(testChart(), 's', { source: { name: 'db' }, prefix: 'Nightly_' });
  expect(mistakeOf(schedule)).toMatch(
    /^SnapshotSchedule: prefix: "Nightly_" cannot begin the name of a snapshot\n {2}.* \[schedule-prefix\]$/,
  );
});
