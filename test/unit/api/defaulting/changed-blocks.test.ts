import { changedBlockTracking } from '../../../../src/api/defaulting/changed-blocks';
import { configured, type Loose } from '../fixtures';

const on = { matchLabels: { backup: 'yes' } };
const namespaces = [
  { kind: 'Namespace', metadata: { name: 'backed-up', labels: { backup: 'yes' } } },
  { kind: 'Namespace', metadata: { name: 'plain' } },
];
const find = (kind: string, _: string | undefined, name: string): Loose =>
  namespaces.find((each) => each.kind === kind && each.metadata.name === name);

interface Case {
  selectors?: Loose;
  gates?: string[];
  labels?: Record<string, string>;
  namespace?: string;
  state?: string;
}

const stateOf = ({ selectors, gates = ['IncrementalBackup'], labels, namespace = 'plain', state }: Case) => {
  const config = configured({
    developerConfiguration: { featureGates: gates },
    ...(selectors ? { changedBlockTrackingLabelSelectors: selectors } : {}),
  });
  const status = state ? { changedBlockTracking: { state } } : undefined;
  const vm = { metadata: { name: 'db', namespace, labels }, status };
  return changedBlockTracking(vm as Loose, { config, find })?.state;
};

const own = { virtualMachineLabelSelector: on };
const shared = { namespaceLabelSelector: on };
test.each<[string, Case, string | undefined]>([
  ['a VM with the label is tracked', { selectors: own, labels: { backup: 'yes' } }, 'Initializing'],
  ['a VM with another label is not', { selectors: own, labels: { backup: 'no' } }, undefined],
  ['a VM of a namespace with the label is', { selectors: shared, namespace: 'backed-up' }, 'Initializing'],
  ['a VM of another namespace is not', { selectors: shared }, undefined],
  ['a VM of an unknown namespace is not', { selectors: shared, namespace: 'gone' }, undefined],
  ['the label of the namespace does not count for VMs', { selectors: own, namespace: 'backed-up' }, undefined],
  ['the label of the VM does not count for namespaces', { selectors: shared, labels: { backup: 'yes' } }, undefined],
  ['nobody is without a selector', { labels: { backup: 'yes' }, namespace: 'backed-up' }, undefined],
  [
    'nobody is by a selector that is wrong',
    {
      selectors: { virtualMachineLabelSelector: { matchExpressions: [{ key: 'backup', operator: 'NotIn' }] } },
      labels: { backup: 'yes' },
    },
    undefined,
  ],
  ['nobody is without the gate', { selectors: own, labels: { backup: 'yes' }, gates: [] }, undefined],
  ['a VM that is not a longer chosen is switched off', { selectors: own, state: 'Enabled' }, 'Disabled'],
  ['without the gate it stays', { selectors: own, state: 'Enabled', gates: [] }, undefined],
])('%s', (_, given, want) => expect(stateOf(given)).toBe(want));
