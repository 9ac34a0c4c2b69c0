import { type Loose, validVm } from '../fixtures';
import { object, together } from './worlds';

const labels = { app: 'web' };
const vm = (change: (vm: Loose) => void): Loose => {
  const made: Loose = structuredClone(validVm());
  delete made.metadata.namespace;
  delete made.spec.template.metadata;
  change(made);
  return made;
};
const labelled = vm((made) => (made.metadata.labels = labels));
const service = object('v1', 'Service', 'a', { selector: labels, ports: [{ port: 22 }] });
const policy = object('networking.k8s.io/v1', 'NetworkPolicy', 'a', { podSelector: { matchLabels: labels } });
const budget = object('policy/v1', 'PodDisruptionBudget', 'a', {
  selector: { matchLabels: labels },
  maxUnavailable: 1,
});
const deployment = object('apps/v1', 'Deployment', 'a', { template: { metadata: { labels } } });

test.each<[string, Loose[], string[]]>([
  ['reports a Service', [labelled, service], ['selects-template spec.selector']],
  ['reports a NetworkPolicy', [labelled, policy], ['selects-template spec.podSelector.matchLabels']],
  ['reports a budget', [labelled, budget], ['selects-template spec.selector.matchLabels']],
  [
    'accepts the labels of a template',
    [vm((made) => ((made.metadata.labels = labels), (made.spec.template.metadata = { labels }))), service],
    [],
  ],
  ['accepts labels of other Pods', [labelled, deployment, service], []],
  ['accepts labels that no VM has', [vm(() => {}), service], []],
  [
    'accepts a VM of another namespace',
    [vm((made) => ((made.metadata.labels = labels), (made.metadata.namespace = 'b'))), service],
    [],
  ],
  [
    'accepts a selector of all Pods',
    [labelled, object('networking.k8s.io/v1', 'NetworkPolicy', 'a', { podSelector: {} })],
    [],
  ],
])('%s', (_, objects, want) => {
  expect(together(...objects).filter((each) => each.startsWith('selects-template'))).toEqual(want);
});
