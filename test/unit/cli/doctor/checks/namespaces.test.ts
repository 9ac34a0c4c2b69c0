import { namespaces } from '../../../../../src/cli/doctor/checks/namespaces';
import { type Broken, expectRow, type Row } from '../healthy';

const enforce = (f: Broken, i: number, policy: string): void => {
  f.namespaces[i].metadata.labels = { 'pod-security.kubernetes.io/enforce': policy };
};
const machine = (f: Broken, ...volumes: object[]): void => {
  f.virtualMachines = [{ metadata: { name: 'web', namespace: 'shop' }, spec: { template: { spec: { volumes } } } }];
};
const hostDisk = { name: 'd', hostDisk: { path: '/d.img', type: 'Disk' } };

test.each<Row>([
  ['namespaces without policies have no problem', (f) => machine(f, hostDisk), []],
  [
    'the namespace of the platform must be privileged',
    (f) => enforce(f, 0, 'baseline'),
    ['error Namespace "kubevirt": it enforces the Pod Security policy baseline, which rejects virt-handler'],
  ],
  [
    'launchers follow the policy restricted',
    (f) => [enforce(f, 1, 'restricted'), machine(f, { containerDisk: {} })],
    [],
  ],
  [
    'except for disks of the node',
    (f) => [enforce(f, 1, 'restricted'), machine(f, hostDisk)],
    [
      'error Namespace "shop": it enforces the Pod Security policy restricted, which forbids directories of the node, and 1 VM (shop/web)',
    ],
  ],
  [
    'a VM without volumes',
    (f) => [enforce(f, 1, 'restricted'), machine(f), delete f.virtualMachines[0].spec.template.spec],
    [],
  ],
])('%s', (...row) => expectRow(namespaces, row));
