import { decide } from '../../../../../src/runtime/controller/node/decide';
import type { Observed } from '../../../../../src/runtime/controller/node/decide';
import { ago, node, NOW, onNode, pod, running, vmi } from '../fixtures';

const silent = (seconds: number) =>
  node('n1', (n) => (n.metadata.annotations = { 'kubevirt.io/heartbeat': ago(seconds) }));
const silenceOf = ({ metadata }: Observed['node']): number | undefined => {
  const heartbeat = metadata.annotations?.['kubevirt.io/heartbeat'];
  return heartbeat === undefined ? undefined : NOW - Date.parse(heartbeat);
};
const see = (of: Observed['node'], more: Partial<Observed> = {}): Observed => ({
  node: of,
  vmis: [running()],
  podOf: () => undefined,
  silence: silenceOf(of),
  ...more,
});
const alive = pod({ phase: 'Running' }, onNode);

const lost = (seconds: number) =>
  node('n1', (n) => {
    n.metadata.annotations = { 'kubevirt.io/heartbeat': ago(seconds) };
    n.metadata.labels = { 'kubevirt.io/schedulable': 'true' };
    n.status!.conditions = [{ type: 'Ready', status: 'Unknown' }];
  });
const doubtful: Partial<Observed> = { podOf: () => alive };
const doubted = running(
  (v) => (v.status!.conditions = [{ type: 'Ready', status: 'False', reason: 'NodeUnresponsive' }]),
);

test.each<[string, Observed, string[]]>([
  ['a node whose handler reports is unchanged', see(silent(20)), ['recheck']],
  ['a node whose handler reported 299 seconds ago is not changed', see(silent(299)), ['recheck']],
  [
    'a guest whose Pod has ended is lost',
    see(silent(300), { podOf: () => pod({ phase: 'Failed' }, onNode) }),
    ['markUnschedulable', 'failVmi', 'recheck'],
  ],
  ['a node that never had a handler is, too', see(node('n1', (n) => (n.metadata.annotations = {}))), []],
  [
    'a silent node gets no more VMs, and guests without a Pod are lost',
    see(silent(300)),
    ['markUnschedulable', 'failVmi', 'recheck'],
  ],
  [
    'a guest whose Pod lives is not given up',
    see(silent(300), { podOf: () => alive }),
    ['markUnschedulable', 'recheck'],
  ],
  ['a guest that never ran here is not, either', see(silent(300), { vmis: [vmi()] }), ['markUnschedulable', 'recheck']],
  ['nor one that has ended', see(silent(300), { vmis: [vmi({ phase: 'Failed' })] }), ['markUnschedulable', 'recheck']],
  [
    'a marked node is not marked again',
    see(
      node('n1', (n) => {
        n.metadata.annotations = { 'kubevirt.io/heartbeat': ago(999) };
        n.metadata.labels = { 'kubevirt.io/schedulable': 'false' };
      }),
      { vmis: [] },
    ),
    ['recheck'],
  ],
  [
    'a guest on a node that is not ready is doubted after two missing heartbeats',
    see(lost(150), doubtful),
    ['doubtVmi', 'recheck'],
  ],
  ['not before', see(lost(149), doubtful), ['recheck']],
  ['nor while the node is ready', see(silent(299), doubtful), ['recheck']],
  ['and not twice', see(lost(150), { ...doubtful, vmis: [doubted] }), ['recheck']],
  ['a lost guest is not doubted', see(lost(300)), ['markUnschedulable', 'failVmi', 'recheck']],
  ['a guest that lives is doubted for as long', see(lost(300), doubtful), ['markUnschedulable', 'doubtVmi', 'recheck']],
  ['a guest that never ran is not doubted', see(lost(150), { ...doubtful, vmis: [vmi()] }), ['recheck']],
])('%s', (_, observed, want) => expect(decide(observed).map((action) => action.do)).toEqual(want));

test('a node whose handler reports is checked again when its silence would be too long', () => {
  expect(decide(see(silent(20)))).toEqual([{ do: 'recheck', afterMs: 280_000 }]);
});

test.each<[string, Observed['node'], number]>([
  ['ready', silent(20), 280_000],
  ['not ready', lost(20), 130_000],
  ['not ready, with doubts', lost(200), 100_000],
])('a node that is %s is checked again when something may change', (_, of, afterMs) => {
  expect(decide(see(of, { vmis: [], ...doubtful })).at(-1)).toEqual({ do: 'recheck', afterMs });
});

test('the message of a doubted guest has the cause and the remedy', () => {
  const [action] = decide(see(lost(150), doubtful));
  expect(action).toMatchObject({
    message: expect.stringMatching(
      /^virt-handler of node "n1" has been silent since .* and the node is not ready.*out-of-service=nodeshutdown:NoExecute/,
    ),
  });
});
