import { HEARTBEAT_LIMIT_MS, nodes } from '../../../../../src/cli/doctor/checks/nodes';
import { keys } from '../../../../../src/api/keys';
import { HEARTBEAT_LIMIT_MS as LIMIT_OF_CONTROLLER } from '../../../../../src/runtime/controller/node/decide';
import { ago, type Broken, expectRow, type Row } from '../healthy';

test('the limit is that of virt-controller', () => expect(HEARTBEAT_LIMIT_MS).toBe(LIMIT_OF_CONTROLLER));

const annotate = (f: Broken, i: number, key: string, value: string): void => {
  f.nodes[i].metadata.annotations[key] = value;
};

test.each<Row>([
  ['nodes that report have no problem', () => {}, []],
  [
    'nodes that are not ready, with the cause',
    (f) =>
      (f.nodes[1].status.conditions = [
        { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'x' },
      ]),
    ['error Node "b": the node is not ready: NodeStatusUnknown (x)'],
  ],
  ['nodes without virt-handler do not count', (f) => delete f.nodes[1].metadata.labels[keys.schedulable], []],
  ['no node at all', (f) => (f.nodes = []), ['error Nodes: virt-handler has marked no node']],
  [
    'without a Pod of virt-handler, the programs are the cause',
    (f) => [(f.nodes = []), (f.daemonSets[0].status.numberAvailable = 0)],
    [],
  ],
  [
    'a virt-handler that is silent',
    (f) => annotate(f, 0, keys.heartbeat, ago(7)),
    ['error Node "a": virt-handler has been silent for 7 minutes'],
  ],
  ['a heartbeat may be late', (f) => annotate(f, 0, keys.heartbeat, ago(4)), []],
  [
    'a virt-handler that never reported',
    (f) => delete f.nodes[0].metadata.annotations[keys.heartbeat],
    ['error Node "a": virt-handler has not reported'],
  ],
  [
    'a virt-handler that has ended',
    (f) => f.nodes.forEach((node: Broken) => (node.metadata.labels[keys.schedulable] = 'false')),
    ['error Nodes "a", "b": virt-handler has set kubevirt.io/schedulable=false'],
  ],
  [
    'a CPU that is not known',
    (f) => annotate(f, 0, keys.capabilitiesUnknown, 'libvirt does not answer'),
    ['warning Node "a": its CPU is not known, so VMs that require a model or feature are not placed there: libvirt'],
  ],
])('%s', (...row) => expectRow(nodes, row));
