import type { KubeObject } from '../../../../../src/api';
import { clusterFacts } from '../../../../../src/runtime/controller/pod';
import { configured, stored, withoutGates } from './fixtures';
import type { Change } from './fixtures';

const object = (kind: string, name: string, more: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: kind === 'Namespace' ? undefined : 'web', ...metadata },
  ...more,
});
const quota = (name: string, hard: object) => object('ResourceQuota', name, { spec: { hard } });

function factsOf(objects: KubeObject[], change: Change = () => {}, config = configured({})) {
  const asked: string[] = [];
  const facts = clusterFacts(stored(change), config, {
    find: (kind, namespace, name) => {
      asked.push(`${kind} ${namespace ?? '-'}/${name}`);
      return objects.find((o) => o.kind === kind && o.metadata.namespace === namespace && o.metadata.name === name);
    },
    list: (kind, namespace) => {
      asked.push(`${kind}s ${namespace}`);
      return objects.filter((o) => o.kind === kind && o.metadata.namespace === namespace);
    },
  });
  return { facts, asked };
}

test('a usual VMI depends on quotas alone', () => {
  const { facts, asked } = factsOf([]);
  expect(facts).toEqual({ limitedByQuota: new Set() });
  expect(asked).toEqual(['ResourceQuotas web']);
});

test('quotas of limits are told by resource', () => {
  const { facts } = factsOf([quota('a', { 'limits.cpu': '4', 'requests.memory': '1Gi' }), quota('b', { pods: '3' })]);
  expect(facts.limitedByQuota).toEqual(new Set(['cpu']));
});

test('labels of the namespace are read where a quota or the configuration turns on them', () => {
  const objects = [object('Namespace', 'web', {}, { labels: { a: 'b' } })];
  expect(factsOf(objects).facts.namespaceLabels).toBeUndefined();
  const selecting = configured({ autoCPULimitNamespaceLabelSelector: {} });
  expect(factsOf(objects, () => {}, selecting).facts.namespaceLabels).toEqual({ a: 'b' });
  const limited = [...objects, quota('q', { 'limits.memory': '1Gi' })];
  expect(factsOf(limited).facts.namespaceLabels).toEqual({ a: 'b' });
});

test('the claim of the last run is found by its label, not one that is going', () => {
  const labels = { 'persistent-state-for': 'fedora' };
  const objects = [
    object('PersistentVolumeClaim', 'going', {}, { labels, deletionTimestamp: 'now' }),
    object('PersistentVolumeClaim', 'other', {}, { labels: { 'persistent-state-for': 'x' } }),
    object('PersistentVolumeClaim', 'mine', {}, { labels }),
  ];
  const tpm: Change = (v) => (v.spec.domain.devices.tpm = { persistent: true });
  expect(factsOf(objects, tpm).facts.stateClaim).toBe('mine');
  expect(factsOf([], tpm).facts).not.toHaveProperty('stateClaim');
  expect(factsOf(objects).facts).not.toHaveProperty('stateClaim');
});

test('networks are looked up where nobody else adds their devices', () => {
  const change: Change = (v) => {
    v.spec.networks!.push({ name: 'a', multus: { networkName: 'net' } }, { name: 'b', multus: { networkName: 'x/y' } });
  };
  const annotations = { 'k8s.v1.cni.cncf.io/resourceName': 'x.com/nic' };
  const objects = [object('NetworkAttachmentDefinition', 'net', {}, { annotations })];
  expect(factsOf(objects, change).facts).not.toHaveProperty('attachmentDefinitions');
  expect(factsOf(objects, change, withoutGates('ExternalNetResourceInjection')).facts.attachmentDefinitions).toEqual(
    new Map([['web/net', { resourceName: 'x.com/nic' }]]),
  );
});
