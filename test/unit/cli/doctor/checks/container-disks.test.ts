import { containerDisks } from '../../../../../src/cli/doctor/checks/container-disks';
import { type Broken, expectRow, type Row } from '../healthy';

const info = (f: Broken, i: number, kubeletVersion: string, containerRuntimeVersion: string): void => {
  f.nodes[i].status.nodeInfo = { kubeletVersion, containerRuntimeVersion };
};
const gate = (f: Broken, list: 'featureGates' | 'disabledFeatureGates'): void => {
  f.kubeVirts[0].spec = { configuration: { developerConfiguration: { [list]: ['ImageVolume'] } } };
};
const unmount = (f: Broken): void => {
  f.daemonSets[0].spec.template.spec.containers[0].volumeMounts = [];
};

test.each<Row>([
  ['current nodes mount image volumes', (f) => unmount(f), []],
  ['CRI-O does, too', (f) => info(f, 0, 'v1.36.0', 'cri-o://1.36.0'), []],
  [
    'an old runtime does not',
    (f) => info(f, 0, 'v1.36.0', 'containerd://1.7.24'),
    ['error Node "a": containerd 1.7.24 does not support image volumes'],
  ],
  ['with an older kubelet, side containers are used', (f) => info(f, 0, 'v1.34.0', 'containerd://1.7.24'), []],
  [
    'unless the gate is set',
    (f) => [gate(f, 'featureGates'), info(f, 0, 'v1.34.0', 'containerd://1.7.24')],
    ['containerd 1.7.24 does not support image volumes'],
  ],
  [
    'side containers need the directory of the runtime',
    (f) => [gate(f, 'disabledFeatureGates'), unmount(f)],
    ['error Nodes "a", "b": its runtime unpacks images in /run/containerd, which virt-handler does not see'],
  ],
  [
    'k3s has a runtime of its own',
    (f) => info(f, 1, 'v1.33.1+k3s1', 'containerd://2.0.5-k3s1'),
    ['error Node "b": its runtime unpacks images in /run/k3s/containerd'],
  ],
  ['other runtimes are not known', (f) => [unmount(f), info(f, 0, 'v1.34.0', 'x://1'), (f.nodes = [f.nodes[0]])], []],
])('%s', (...row) => expectRow(containerDisks, row));
