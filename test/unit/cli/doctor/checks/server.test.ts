import { server } from '../../../../../src/cli/doctor/checks/server';
import { expectRow, type Row } from '../healthy';

const kubelet = (node: { status: { nodeInfo: { kubeletVersion: string } } }, version: string): void => {
  node.status.nodeInfo.kubeletVersion = version;
};

test.each<Row>([
  ['a supported cluster has no problem', () => {}, []],
  ['1.30 is supported', (f) => [(f.server = 'v1.30.0'), (f.nodes = [])], []],
  [
    'an older API server is too old',
    (f) => [(f.server = 'v1.29.9-eks-1'), (f.nodes = [])],
    ['error API server: its version v1.29.9-eks-1 is older than 1.30'],
  ],
  ['a kubelet may be three minor versions older', (f) => kubelet(f.nodes[0], 'v1.33.9'), []],
  [
    'a kubelet may not be four minor versions older',
    (f) => kubelet(f.nodes[0], 'v1.32.0'),
    ['error Node "a": kubelet v1.32.0 is more than 3 minor versions older'],
  ],
  [
    'kubelets that are newer than the API server are one finding',
    (f) => f.nodes.forEach((node: never) => kubelet(node, 'v1.37.0')),
    ['error Nodes "a", "b": kubelet v1.37.0 is newer than the API server (v1.36.2)'],
  ],
  [
    'a kubelet that the platform does not support is too old even without skew',
    (f) => [(f.server = 'v1.30.0'), (f.nodes = [f.nodes[0]]), kubelet(f.nodes[0], 'v1.28.1')],
    ['error Node "a": kubelet v1.28.1 is older than 1.30'],
  ],
  ['an unreadable version is not reported', (f) => kubelet(f.nodes[0], 'unknown'), []],
  ['clocks may differ by less than a minute', (f) => (f.clockOffsetMs = -59_000), []],
  [
    'a clock that is behind is reported',
    (f) => (f.clockOffsetMs = -3 * 3_600_000),
    ['warning Clock of this machine: it is 3 hours behind that of the API server'],
  ],
])('%s', (...row) => expectRow(server, row));
