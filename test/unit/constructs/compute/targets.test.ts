/** Guests as targets of Services and NetworkPolicies, of cdk8s-plus and of this library. */
import { Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { VirtualMachine, VirtualMachinePool, VirtualMachineReplicaSet, VmPort } from '../../../../src';
import { instanceSpec, testChart, testVm } from '../fixtures';

const memory = Size.gibibytes(1);

test('a Service of cdk8s-plus selects a VM', () => {
  const chart = testChart();
  const service = new kplus.Service(chart, 'svc', { ports: [{ port: 80 }] });
  service.select(testVm({}, chart));
  expect(chart.toJson().find(({ kind }) => kind === 'Service').spec.selector).toEqual({
    'vm.kubevirt.io/name': 'web-vm',
  });
});

test('a NetworkPolicy of cdk8s-plus selects a VM and admits a pool', () => {
  const chart = testChart();
  const vm = testVm({ metadata: { namespace: 'prod' } }, chart);
  const pool = new VirtualMachinePool(chart, 'pool', { memory });
  const policy = new kplus.NetworkPolicy(chart, 'policy', { selector: vm });
  policy.addIngressRule(pool, [kplus.NetworkPolicyPort.tcp(22)]);
  policy.addEgressRule(kplus.Pods.all(chart, 'pods'));
  const json = chart.toJson().find(({ kind }) => kind === 'NetworkPolicy');
  expect(json.metadata.namespace).toBe('prod');
  expect(json.spec.podSelector).toEqual({ matchLabels: { 'vm.kubevirt.io/name': 'web-vm' } });
  expect(json.spec.ingress[0].from[0].podSelector).toEqual({ matchLabels: pool.podLabels });
});

test('Pods of cdk8s-plus colocate with VMs, and VMs with Pods', () => {
  const chart = testChart();
  const vm = testVm({}, chart);
  const web = new kplus.Deployment(chart, 'web', { containers: [{ image: 'registry.example/web:1' }] });
  web.scheduling.colocate(vm);
  vm.scheduling.separate(web);
  const deployment = chart.toJson().find(({ kind }) => kind === 'Deployment');
  const [beside] = deployment.spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  expect(beside.labelSelector).toEqual({ matchLabels: { 'vm.kubevirt.io/name': 'web-vm' } });
  const [apart] = instanceSpec(vm).affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  expect(apart.labelSelector.matchLabels).toEqual(deployment.spec.selector.matchLabels);
});

test('VmService and VmIngress select VMs, sets and pools', () => {
  const chart = testChart();
  for (const guest of [
    testVm({}, chart),
    new VirtualMachineReplicaSet(chart, 'set', { memory }),
    new VirtualMachinePool(chart, 'pool', { memory }),
  ]) {
    const service = guest.exposeViaService('svc', { ports: [VmPort.HTTP] });
    expect(service.apiObject.toJson().spec.selector).toEqual(guest.podLabels);
    expect(guest.exposeViaIngress('site', { port: VmPort.HTTP }).apiObject.toJson().kind).toBe('Ingress');
  }
});

test('a guest whose host name differs from its VM is selected', () => {
  const vm = testVm({ hostname: 'db-1' });
  const { selector } = vm.exposeViaService('svc', { ports: [VmPort.SSH] }).apiObject.toJson().spec;
  expect(selector).toEqual(vm.podLabels);
  expect(Object.values(selector)).toEqual(['web-vm']);
});

test('an imported VM is exposed and selected', () => {
  const chart = testChart();
  const vm = VirtualMachine.fromName(chart, 'legacy', 'legacy', { namespace: 'old' });
  expect([vm.name, vm.kind, vm.apiVersion]).toEqual(['legacy', 'VirtualMachine', 'kubevirt.io/v1']);
  const service = vm.exposeViaService('svc', { ports: [VmPort.HTTP] });
  expect(service.apiObject.toJson()).toMatchObject({
    metadata: { namespace: 'old' },
    spec: { selector: { 'vm.kubevirt.io/name': 'legacy' } },
  });
  const policy = new kplus.NetworkPolicy(chart, 'policy', { selector: vm });
  policy.addIngressRule(vm);
  expect(policy.metadata.namespace).toBe('old');
});

test('a VM is snapshotted, cloned, exported and migrated', () => {
  const vm = testVm({ metadata: { namespace: 'prod' } });
  const made = [vm.snapshot('before'), vm.clone('twin', { targetName: 'twin' }), vm.export('copy'), vm.migrate('move')];
  const manifests = made.map(({ apiObject }) => apiObject.toJson());
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
    'VirtualMachineSnapshot prod/web-vm-before',
    'VirtualMachineClone prod/web-vm-twin',
    'VirtualMachineExport prod/web-vm-copy',
    'VirtualMachineInstanceMigration prod/web-vm-move',
  ]);
  const source = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'web-vm' };
  expect(manifests.map(({ spec }) => spec.source ?? spec.vmiName)).toEqual([source, source, source, 'web-vm']);
  const schedule = vm.scheduleSnapshots('nightly', { schedule: '0 3 * * *' }).apiObject.toJson();
  expect([schedule.kind, schedule.metadata.namespace, schedule.spec.schedule]).toEqual([
    'CronJob',
    'prod',
    '0 3 * * *',
  ]);
});
