import type { KubeObject } from '../../../../../src/api';
import { clusterFacts } from '../../../../../src/runtime/controller/pod';
import { slimClaim, slimDefinition, slimNamespace, slimQuota } from '../../../../../src/runtime/controller/trim';
import { configured, stored, withoutGates } from './fixtures';
import type { Change } from './fixtures';

const object = (kind: string, name: string, more: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: kind === 'Namespace' ? undefined : 'web', ...metadata },
  ...more,
});
const quota = (name: string, hard: object) => object('ResourceQuota', name, { spec: { hard } });

const of = (objects: KubeObject[], kind: string, slim: (object: KubeObject) => KubeObject) =>
  objects.filter((o) => o.kind === kind).map(slim);

/** As the controller's caches hold the objects: after the same trimming. */
function factsOf(objects: KubeObject[], change: Change = () => {}, config = configured({}), more: object = {}) {
  const asked: string[] = [];
  const facts = clusterFacts(stored(change), config, {
    quotas: (namespace) => {
      asked.push(`quotas of ${namespace}`);
      return of(objects, 'ResourceQuota', slimQuota);
    },
    namespace: (name) => {
      asked.push(`namespace ${name}`);
      return of(objects, 'Namespace', slimNamespace).find(({ metadata }) => metadata.name === name);
    },
    stateClaims: (namespace, vmiName) => {
      asked.push(`state of ${namespace}/${vmiName}`);
      return of(objects, 'PersistentVolumeClaim', slimClaim);
    },
    definition: (key) => {
      asked.push(`definition ${key}`);
      return of(objects, 'NetworkAttachmentDefinition', slimDefinition).find(
        ({ metadata }) => `${metadata.namespace}/${metadata.name}` === key,
      );
    },
    ...more,
  });
  return { facts, asked };
}

test('a usual VMI depends on quotas and the policy of its namespace', () => {
  const { facts, asked } = factsOf([]);
  expect(facts).toEqual({ limitedByQuota: new Set() });
  expect(asked).toEqual(['quotas of web', 'namespace web']);
});

test.each([
  ['restricted', { isRestricted: true }],
  ['baseline', {}],
  ['privileged', {}],
])('a namespace that enforces the policy %s', (policy, want) => {
  const labels = { 'pod-security.kubernetes.io/enforce': policy };
  const { facts } = factsOf([object('Namespace', 'web', {}, { labels })]);
  expect(facts).toEqual({ limitedByQuota: new Set(), ...want });
});

test('quotas of limits are found by resource', () => {
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

describe('the claim for the state that outlives the guest', () => {
  const claim = (name: string, metadata: object = {}) => object('PersistentVolumeClaim', name, {}, metadata);
  const labels = { 'persistent-state-for': 'fedora' };
  const ownedBy = (uid: string, controller = true) => ({
    ownerReferences: [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'fedora', uid, controller }],
  });
  const usual = 'persistent-state-for-fedora';
  const tpm: Change = (v) => {
    v.spec.domain.devices.tpm = { persistent: true };
    v.metadata.ownerReferences = [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'fedora', uid: 'vm-uid', controller: true },
    ];
  };

  test.each<[string, KubeObject[], string | undefined]>([
    ['is found by its label', [claim('mine', { labels })], 'mine'],
    ['is found by its usual name', [claim(usual)], usual],
    ['is the labelled one of several', [claim(usual), claim('mine', { labels })], 'mine'],
    ['may belong to the VM', [claim('mine', { labels, ...ownedBy('vm-uid') })], 'mine'],
    ['may belong to the VMI', [claim('mine', { labels, ...ownedBy('vmi-uid') })], 'mine'],
    ['may have an owner that does not control it', [claim('mine', { labels, ...ownedBy('x', false) })], 'mine'],
    ['is not one that belongs to another object', [claim('theirs', { labels, ...ownedBy('old-uid') })], undefined],
    ['is not one that is being deleted', [claim('going', { labels, deletionTimestamp: 'now' })], undefined],
    ['is not that of another VM', [claim('other', { labels: { 'persistent-state-for': 'x' } })], undefined],
    ['is not the usual one of another VM', [claim('persistent-state-for-fedora2')], undefined],
    [
      'is not the usual one under the label of another VM',
      [claim(usual, { labels: { 'persistent-state-for': 'x' } })],
      undefined,
    ],
  ])('%s', (_, objects, want) => expect(factsOf(objects, tpm).facts.stateClaim).toBe(want));

  test.each<[string, KubeObject[], RegExp | undefined]>([
    ['nothing has its name', [claim('other', ownedBy('old-uid'))], undefined],
    [
      'a claim of another object has its name',
      [claim(usual, ownedBy('old-uid'))],
      /belongs to VirtualMachine "fedora" \(uid old-uid\); delete the claim/,
    ],
    [
      'the claim of that name is being deleted',
      [claim(usual, { deletionTimestamp: 'now' })],
      /is being deleted; the VM will start when the deletion is complete$/,
    ],
    ['another claim keeps the state', [claim(usual, ownedBy('old-uid')), claim('mine', { labels })], undefined],
  ])('reports why its name is taken: %s', (_, objects, want) => {
    const { stateClaimTaken } = factsOf(objects, tpm).facts;
    if (want) expect(stateClaimTaken).toMatch(want);
    else expect(stateClaimTaken).toBeUndefined();
  });

  test('is looked for only where something outlives the guest', () => {
    const { facts, asked } = factsOf([claim('mine', { labels })]);
    expect(facts).not.toHaveProperty('stateClaim');
    expect(asked).not.toContain('state of web/fedora');
  });
});

test('networks are looked up where no webhook adds their devices', () => {
  const change: Change = (v) => {
    v.spec.networks!.push({ name: 'a', multus: { networkName: 'net' } }, { name: 'b', multus: { networkName: 'x/y' } });
  };
  const annotations = { 'k8s.v1.cni.cncf.io/resourceName': 'x.com/nic' };
  const objects = [object('NetworkAttachmentDefinition', 'net', {}, { annotations })];
  const unknown = { definitionsUnknown: 'is of a missing kind' };
  expect(factsOf(objects, change, configured({}), unknown).facts).toEqual({ limitedByQuota: new Set() });
  const own = withoutGates('ExternalNetResourceInjection');
  const { facts, asked } = factsOf(objects, change, own);
  expect(facts.attachmentDefinitions).toEqual(new Map([['web/net', { resourceName: 'x.com/nic' }]]));
  expect(asked).toEqual(['quotas of web', 'namespace web', 'definition web/net', 'definition x/y']);
  expect(facts).not.toHaveProperty('definitionsUnknown');
  expect(factsOf([], change, own, unknown).facts).toMatchObject(unknown);
});
