import type { VirtualMachine } from '../../../../../src/api';
import type { VirtualMachinePoolSelectionPolicy } from '../../../../../src/api/generated/pool-v1beta1';
import { ordered } from '../../../../../src/runtime/controller/pool/selection';
import { member, pool } from './fixtures';

/** Ten is the oldest of them, and runs on a node with the label disk=ssd and 8 CPUs. */
const vms = [2, 10, 1].map((index) => member(index).vm);
vms[1]!.metadata.creationTimestamp = '2020-01-01T00:00:00Z';
vms[2]!.metadata.labels = { ...vms[2]!.metadata.labels, drain: 'yes' };
vms[0]!.spec.template.metadata = { labels: { drain: 'no' } };

const nodeLabelsOf = ({ metadata }: VirtualMachine): Record<string, string> =>
  metadata.name === 'web-10' ? { disk: 'ssd', cpus: '8' } : { cpus: '4' };

const order = (policy: VirtualMachinePoolSelectionPolicy): string[] =>
  ordered(pool(), vms, policy, { nodeLabelsOf }).map(({ metadata }) => metadata.name!.slice('web-'.length));

const nodes = (key: string, operator: string, ...values: string[]): VirtualMachinePoolSelectionPolicy => ({
  sortPolicy: 'AscendingOrder',
  selectors: { nodeSelectorRequirementMatcher: [{ key, operator: operator as 'In', values }] },
});
const labels = (value: string): VirtualMachinePoolSelectionPolicy => ({
  sortPolicy: 'DescendingOrder',
  selectors: { labelSelector: { matchLabels: { drain: value } } },
});

test.each<[string, VirtualMachinePoolSelectionPolicy, string[]]>([
  ['by number', { sortPolicy: 'AscendingOrder' }, ['1', '2', '10']],
  ['by number, highest first', { sortPolicy: 'DescendingOrder' }, ['10', '2', '1']],
  ['by age', { sortPolicy: 'Oldest' }, ['10', '1', '2']],
  ['by age, newest first', { sortPolicy: 'Newest' }, ['2', '1', '10']],
  ['with a label of the VM first', labels('yes'), ['1', '10', '2']],
  ['with a label of the template first', labels('no'), ['2', '10', '1']],
  ['with a label of the node first', nodes('disk', 'In', 'ssd'), ['10', '1', '2']],
  ['on nodes without the label first', nodes('disk', 'DoesNotExist'), ['1', '2', '10']],
  ['on large nodes first', nodes('cpus', 'Gt', '4'), ['10', '1', '2']],
  ['on small nodes first', nodes('cpus', 'Lt', '8'), ['1', '2', '10']],
])('VMs are ordered %s', (_, policy, want) => expect(order(policy)).toEqual(want));

test('a VM comes first only if both selectors match', () => {
  const { selectors } = nodes('disk', 'In', 'ssd');
  const policy = { sortPolicy: 'AscendingOrder' as const, selectors: { ...selectors, ...labels('yes').selectors } };
  expect(order(policy)).toEqual(['1', '2', '10']);
});

test('a random order has all VMs, and differs between generations', () => {
  const all = Array.from({ length: 20 }, (_, i) => member(i).vm);
  const at = (generation: number) =>
    ordered(pool({}, { generation }), all, {}, { nodeLabelsOf: () => undefined }).map(({ metadata }) => metadata.name);
  expect([...at(1)].sort()).toEqual(all.map(({ metadata }) => metadata.name).sort());
  expect(at(1)).not.toEqual(at(2));
});
