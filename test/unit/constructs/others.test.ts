import { ApiObject, Chart, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  Disk,
  ExportSource,
  Guest,
  GuestDisruptionBudget,
  VirtualMachine,
  VirtualMachineExport,
  VirtualMachineInstance,
  VirtualMachineReplicaSet,
  VirtualMachinePool,
  VmIngress,
  VmNetwork,
  VmPort,
} from '../../../src';
import { synthMistake, testChart, testVm } from './fixtures';

const guest = { memory: Size.gibibytes(1), disks: [Disk.containerDisk('registry.example/os:1')] };
const onlySsh = { networks: [VmNetwork.masquerade({ ports: [VmPort.SSH] })] };
const notOpen = `spec.ports[0].targetPort: VirtualMachine "web-vm" does not open TCP 80 (allowed: "TCP 22")
  add it to the ports of its network "default", or expose one that is there [service-port-open]`;

describe('objects that belong to a VM are compared with it, regardless of the library that declares them:', () => {
  test.each<[string, (chart: Chart) => void, string]>([
    [
      'our Service',
      (chart) => void testVm(onlySsh, chart).exposeViaService('svc', { ports: [VmPort.HTTP] }),
      `[web/vm/svc] ports[0].targetPort (${notOpen.replace(': ', '): ')}`,
    ],
    [
      'a Service of cdk8s-plus',
      (chart) => void new kplus.Service(chart, 'svc', { selector: testVm(onlySsh, chart), ports: [{ port: 80 }] }),
      `[web/svc/Resource] ${notOpen}`,
    ],
    [
      'a plain Service',
      (chart) => {
        testVm(onlySsh, chart);
        new ApiObject(chart, 'svc', {
          apiVersion: 'v1',
          kind: 'Service',
          spec: { selector: { 'vm.kubevirt.io/name': 'web-vm' }, ports: [{ port: 80 }] },
        });
      },
      `[web/svc] ${notOpen}`,
    ],
    [
      'an Ingress to a port that the Service has not',
      (chart) => {
        const service = testVm({}, chart).exposeViaService('svc', { ports: [VmPort.HTTP] });
        new VmIngress(chart, 'in').addService(service, { port: 8080 });
      },
      `[web/in] spec.rules[0].http.paths[0].backend.service.port.number: Service "web-vm-svc" has no port 8080 (allowed: "80")`,
    ],
    [
      'a plain budget',
      (chart) => {
        testVm({ instanceMetadata: { labels: { app: 'x' } } }, chart);
        new ApiObject(chart, 'pdb', {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } },
        });
      },
      '[web/pdb] spec.maxUnavailable: this selects the Pods of VirtualMachine "web-vm"',
    ],
    [
      'an export of a VM that is nearly there',
      (chart) => {
        testVm({ metadata: { name: 'database' } }, chart);
        new VirtualMachineExport(chart, 'out', { source: ExportSource.virtualMachine({ name: 'databsae' }) });
      },
      '[web/out] source (spec.source.name): no VirtualMachine is called "databsae" (allowed: "database")\n  did you mean "database"? [reference-name]',
    ],
  ])('%s', (_, make, want) => {
    const chart = testChart();
    make(chart);
    expect(synthMistake(chart)).toContain(want);
    // once, and again at the next synth
    expect(synthMistake(chart)).toBe(synthMistake(chart));
    expect(synthMistake(chart).split(want)).toHaveLength(2);
  });

  test.each<[string, (chart: Chart) => Guest]>([
    ['a VM', (chart) => new VirtualMachine(chart, 'guest', { ...guest, ...onlySsh })],
    [
      'a VM with a host name',
      (chart) => new VirtualMachine(chart, 'guest', { ...guest, ...onlySsh, hostname: 'other' }),
    ],
    ['an instance', (chart) => new VirtualMachineInstance(chart, 'guest', { ...guest, ...onlySsh })],
    ['a replica set', (chart) => new VirtualMachineReplicaSet(chart, 'guest', { ...guest, ...onlySsh, replicas: 2 })],
    ['a pool', (chart) => new VirtualMachinePool(chart, 'guest', { ...guest, ...onlySsh, replicas: 2 })],
  ])('a Service, an Ingress and a budget find %s', (_, make) => {
    const chart = testChart();
    const target = make(chart);
    target.exposeViaService('ssh', { ports: [VmPort.SSH] });
    new GuestDisruptionBudget(chart, 'pdb', { target, minAvailable: 1 });
    expect(synthMistake(chart)).toBe('nothing was thrown');
    target.exposeViaIngress('http', { host: 'a.example' });
    expect(synthMistake(chart)).toContain('does not open TCP 80');
  });

  test('what fits passes', () => {
    const chart = testChart();
    const vm = testVm(onlySsh, chart);
    new kplus.Service(chart, 'svc', { selector: vm, ports: [{ port: 2222, targetPort: 22 }] });
    new kplus.NetworkPolicy(chart, 'policy', { selector: vm }).addIngressRule(vm);
    new GuestDisruptionBudget(chart, 'pdb', { target: vm, minAvailable: 1 });
    expect(synthMistake(chart)).toBe('nothing was thrown');
  });
});
