import { App, ApiObject, Chart, Size, Testing } from 'cdk8s';
import {
  Appliance,
  Disk,
  KernelBoot,
  LinuxServer,
  RebootPolicy,
  TargetVersion,
  VirtualMachine,
  VirtualMachinePool,
  WindowsServer,
} from '../../../src';
import { mistakeOf, synthMistake, testChart } from './fixtures';

const terminating = (chart: Chart) =>
  new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(1), rebootPolicy: RebootPolicy.TERMINATE });

test('synth reports what the target version lacks, with the property that makes it', () => {
  const chart = testChart();
  terminating(chart);
  new VirtualMachinePool(chart, 'pool', { memory: Size.gibibytes(1) });
  TargetVersion.apply(chart.node.root, '1.6');
  const mistake = synthMistake(chart);
  expect(mistake).toContain('rebootPolicy (spec.template.spec.domain.rebootPolicy)');
  expect(mistake).toContain('exists since KubeVirt 1.8, and the target is 1.6');
  expect(mistake).toContain('write it as pool.kubevirt.io/v1alpha1');
});

test('the target is that of the nearest scope', () => {
  const app = new App();
  TargetVersion.apply(app, '1.6');
  const chart = new Chart(app, 'new');
  TargetVersion.apply(chart, 'v1.9.0');
  terminating(chart);
  expect(mistakeOf(() => Testing.synth(chart))).not.toContain('kubevirt-version');
});

test('the construct context names a target, too', () => {
  const app = new App();
  app.node.setContext('virt8s.io/kubevirt-version', '1.7');
  const chart = new Chart(app, 'web');
  terminating(chart);
  expect(synthMistake(chart)).toContain('the target is 1.7');
});

test('objects of other libraries are held to the target', () => {
  const chart = testChart();
  TargetVersion.apply(chart, '1.6');
  terminating(chart);
  new ApiObject(chart, 'raw', {
    apiVersion: 'clone.kubevirt.io/v1beta1',
    kind: 'VirtualMachineClone',
    spec: { source: { kind: 'VirtualMachine', name: 'a' }, volumeNamePolicy: 'RandomizeNames' },
  });
  expect(synthMistake(chart)).toContain('spec.volumeNamePolicy: volumeNamePolicy exists since KubeVirt 1.8');
});

test('what the presets add by default is as old as KubeVirt 1.0', () => {
  const chart = testChart();
  TargetVersion.apply(chart, '1.0');
  new LinuxServer(chart, 'linux', { disks: [Disk.containerDisk('registry.example/os:1')] });
  new WindowsServer(chart, 'windows', { disks: [Disk.blank(Size.gibibytes(80))] });
  new Appliance(chart, 'appliance', {
    kernel: KernelBoot.container('registry.example/kernel:1', { kernelPath: '/boot/vmlinuz' }),
  });
  expect(synthMistake(chart)).toBe('nothing was thrown');
});

test.each([
  ['1.2', 'v1alpha1', 'v1alpha1', 'v1alpha1', 'v1alpha1'],
  ['1.4', 'v1beta1', 'v1alpha1', 'v1beta1', 'v1alpha1'],
  ['1.6', 'v1beta1', 'v1beta1', 'v1beta1', 'v1alpha1'],
  ['1.9', 'v1', 'v1beta1', 'v1beta1', 'v1beta1'],
])('KubeVirt %s gets the newest API version that it serves', (version, exported, clone, snapshot, pool) => {
  const chart = testChart();
  TargetVersion.apply(chart, version);
  const vm = new VirtualMachine(chart, 'vm', {
    memory: Size.gibibytes(1),
    disks: [Disk.blank(Size.gibibytes(10))],
  });
  const guests = new VirtualMachinePool(chart, 'pool', { memory: Size.gibibytes(1) });
  const scaler = guests.autoscale('load', { max: 3, cpuUsage: 1 });
  const objects = [vm.export('export'), vm.clone('clone'), vm.snapshot('snapshot'), guests];
  expect(objects.map(({ apiVersion }) => apiVersion.split('/')[1])).toEqual([exported, clone, snapshot, pool]);
  expect(synthMistake(chart)).toBe('nothing was thrown');
  const { spec } = scaler.apiObject.toJson() as { spec: { scaleTargetRef: object } };
  expect(spec.scaleTargetRef).toMatchObject({ apiVersion: guests.apiVersion });
});

test('without a target, objects have the newest API version', () => {
  const vm = new VirtualMachine(testChart(), 'vm', { memory: Size.gibibytes(1) });
  expect(vm.export('export').apiVersion).toBe('export.kubevirt.io/v1');
});

test('rejects a version that is not known', () => {
  expect(mistakeOf(() => TargetVersion.apply(testChart(), '1.42'))).toContain(
    'TargetVersion.apply: "1.42" is not a known version of KubeVirt\n  use one of 1.0, 1.1,',
  );
});
