import { createHash } from 'node:crypto';
import type { KubeObject, VirtualMachine } from '../../../api';
import { selects } from '../../../api/kinds/label-selector';
import type {
  VirtualMachinePool,
  VirtualMachinePoolSelectionPolicy,
  VirtualMachinePoolSelectors,
} from '../../../api/generated/pool-v1beta1';
import { numberOf } from './observed';
import type { Observed } from './observed';

type Labels = Readonly<Record<string, string>>;
type Requirement = NonNullable<VirtualMachinePoolSelectors['nodeSelectorRequirementMatcher']>[number];

/** VMs in the order in which a pool removes or restarts them: those that the selectors match, then the others. */
export function ordered(
  pool: VirtualMachinePool,
  vms: readonly VirtualMachine[],
  { selectors, sortPolicy }: VirtualMachinePoolSelectionPolicy,
  { nodeLabelsOf }: Pick<Observed, 'nodeLabelsOf'>,
): VirtualMachine[] {
  const compare = ORDERS[sortPolicy ?? 'Random'](pool);
  const sorted = [...vms].sort(compare);
  if (!selectors) return sorted;
  const comesFirst = (vm: VirtualMachine): boolean => isSelected(vm, selectors, nodeLabelsOf(vm));
  return [...sorted.filter(comesFirst), ...sorted.filter((vm) => !comesFirst(vm))];
}

type Compare = (a: VirtualMachine, b: VirtualMachine) => number;

const by =
  (rank: (vm: VirtualMachine) => string | number, sign: 1 | -1 = 1): Compare =>
  (a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? 0 : first < second ? -sign : sign;
  };
const age = ({ metadata }: VirtualMachine): string => metadata.creationTimestamp ?? '';
const number = (pool: VirtualMachinePool) => (vm: VirtualMachine) => numberOf(pool, vm) ?? 0;

const ORDERS: Record<
  NonNullable<VirtualMachinePoolSelectionPolicy['sortPolicy']>,
  (pool: VirtualMachinePool) => Compare
> = {
  AscendingOrder: (pool) => by(number(pool)),
  DescendingOrder: (pool) => by(number(pool), -1),
  Oldest: () => by(age),
  Newest: () => by(age, -1),
  // the same order in each pass, so that a pass after a lost response selects the same VMs
  Random: ({ metadata: { generation } }) =>
    by((vm) => createHash('sha256').update(`${generation}/${vm.metadata.uid}`).digest('hex')),
};

function isSelected(
  { metadata, spec }: VirtualMachine,
  { labelSelector, nodeSelectorRequirementMatcher: nodes }: VirtualMachinePoolSelectors,
  nodeLabels: Labels = {},
): boolean {
  const ofTemplate = (spec.template?.metadata ?? {}) as KubeObject['metadata'];
  if (labelSelector && !selects(labelSelector, { ...ofTemplate.labels, ...metadata.labels })) return false;
  const labels = { ...spec.template?.spec?.nodeSelector, ...nodeLabels };
  return (nodes ?? []).every((requirement) => meets(requirement, labels));
}

function meets({ key, operator, values = [] }: Requirement, labels: Labels): boolean {
  if (operator !== 'Gt' && operator !== 'Lt') return selects({ matchExpressions: [{ key, operator, values }] }, labels);
  const [value, limit] = [Number(labels[key]), Number(values[0])];
  return operator === 'Gt' ? value > limit : value < limit;
}
