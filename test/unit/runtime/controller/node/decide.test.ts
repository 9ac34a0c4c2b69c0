import { decide } from '../../../../../src/runtime/controller/node/decide';
import type { Observed } from '../../../../../src/runtime/controller/node/decide';
import { ago, node, NOW, onNode, pod, running, vmi } from '../fixtures';

const silent = (seconds: number) =>
  node('n1', (n) => (n.metadata.annotations = { 'kubevirt.io/heartbeat': ago(seconds) }));
const see = (of: Observed['node'], more: Partial<Observed> = {}): Observed => ({
  node: of,
  vmis: [running()],
  podOf: () => undefined,
  now: NOW,
  ...more,
});
const alive = pod({ phase: 'Running' }, onNode);

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
])('%s', (_, observed, want) => expect(decide(observed).map((action) => action.do)).toEqual(want));

test('a node whose handler reports is checked again when its silence would be too long', () => {
  expect(decide(see(silent(20)))).toEqual([{ do: 'recheck', afterMs: 280_000 }]);
});
