import { kvm } from '../../../../../src/cli/doctor/checks/kvm';
import { keys } from '../../../../../src/api/keys';
import { type Broken, expectRow, type Row } from '../healthy';

const unusable = (f: Broken, ...nodes: number[]): void =>
  nodes.forEach((i) => {
    f.nodes[i].metadata.annotations[keys.kvmUnusable] = '/dev/kvm does not exist';
    delete f.nodes[i].status.allocatable[keys.kvmDevice];
  });
const emulate = (f: Broken): void => {
  f.kubeVirts[0].spec = { configuration: { developerConfiguration: { useEmulation: true } } };
};

test.each<Row>([
  ['nodes with KVM have no problem', () => {}, []],
  [
    'one node without KVM',
    (f) => unusable(f, 1),
    ['warning Node "b": KVM cannot be used, so no guest starts there: /dev/kvm does not exist'],
  ],
  ['no node with KVM', (f) => unusable(f, 0, 1), ['error Nodes "a", "b": KVM cannot be used']],
  [
    'with emulation, guests are slow',
    (f) => [unusable(f, 0, 1), emulate(f)],
    ['warning Nodes "a", "b": KVM cannot be used, so guests are emulated'],
  ],
  [
    'a kubelet without the device plugin',
    (f) => delete f.nodes[0].status.allocatable[keys.kvmDevice],
    ['error Node "a": the kubelet offers no devices.kubevirt.io/kvm'],
  ],
  [
    'guests that are emulated need tun as well',
    (f) => [emulate(f), (f.nodes[0].status.allocatable = {})],
    ['error Node "a": the kubelet offers no devices.kubevirt.io/tun'],
  ],
  [
    'nodes that are not ready are left to the check of nodes',
    (f) => [unusable(f, 1), (f.nodes[1].status.conditions = [])],
    [],
  ],
])('%s', (...row) => expectRow(kvm, row));
