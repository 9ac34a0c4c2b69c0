import type { KubeObject } from '../../../../../src/api';
import { optionalObjects } from '../../../../../src/api/install/optional';
import type { PlatformObject } from '../../../../../src/api/platform';
import { decideObsolete, type Installation } from '../../../../../src/runtime/operator/install/obsolete';
import { nameOf } from '../../../../../src/runtime/operator/uninstall/decide';

const OURS = { 'app.kubernetes.io/managed-by': 'virt-operator' };
const PROXY = 'cdi-uploadproxy';
const proxy: PlatformObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: PROXY } };

/** An installation in which exactly these objects are stored. */
function installation(stored: readonly KubeObject[], parts: Partial<Installation> = {}): Installation {
  const find = ({ kind, metadata }: KubeObject): KubeObject | undefined =>
    stored.find(
      (each) =>
        each.kind === kind && each.metadata.name === metadata.name && each.metadata.namespace === metadata.namespace,
    );
  return { namespace: 'kubevirt', importer: false, desired: [], find, podsOf: () => [], ...parts };
}
const stored = (kind: string, name: string, metadata: object = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind },
  metadata: { name, namespace: 'kubevirt', labels: OURS, ...metadata },
});
const deleted = (of: Installation): string[] => decideObsolete(of).delete.map(nameOf);

test('what the configuration has stays', () => {
  const desired = optionalObjects().map(({ kind, name }) => ({ apiVersion: 'v1', kind, metadata: { name } }));
  const everything = optionalObjects().flatMap(({ kind, name }) => [
    stored(kind, name),
    stored(kind, name, { namespace: undefined }),
  ]);
  expect(decideObsolete(installation(everything, { importer: true, desired }))).toEqual({ delete: [], left: [] });
});

test.each([
  ['a Deployment', stored('Deployment', PROXY), [`Deployment kubevirt/${PROXY}`]],
  ['a Secret', stored('Secret', 'cdi-uploadproxy-server-cert'), ['Secret kubevirt/cdi-uploadproxy-server-cert']],
  ['a disruption budget', stored('PodDisruptionBudget', 'virt-api'), ['PodDisruptionBudget kubevirt/virt-api']],
  [
    'a ClusterRole',
    stored('ClusterRole', 'cdi.kubevirt.io:edit', { namespace: undefined }),
    ['ClusterRole cdi.kubevirt.io:edit'],
  ],
  ["CDI's Deployment", stored('Deployment', PROXY, { labels: { 'app.kubernetes.io/managed-by': 'cdi-operator' } }), []],
  [
    "KubeVirt's Service",
    stored('Service', PROXY, { annotations: { 'kubevirt.io/install-strategy-version': 'v1' } }),
    [],
  ],
  ['an object of a user', stored('Deployment', 'my-proxy'), []],
  ['an object of another namespace', stored('Deployment', PROXY, { namespace: 'other' }), []],
  ['one that is being deleted', stored('Deployment', PROXY, { deletionTimestamp: '2026-01-01T00:00:00Z' }), []],
])('%s', (_, object, want) => expect(deleted(installation([object]))).toEqual(want));

describe('the permissions of the upload proxy', () => {
  const account = stored('ServiceAccount', PROXY);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'proxy-1' } } as never;

  test('stay until it has ended', () => {
    const podsOf = (name: string): never[] => (name === PROXY ? [pod] : []);
    expect(decideObsolete(installation([account], { podsOf }))).toEqual({ delete: [], left: ['Pod proxy-1'] });
    expect(deleted(installation([account, stored('Deployment', PROXY)]))).toEqual([`Deployment kubevirt/${PROXY}`]);
  });

  test('go afterwards', () => expect(deleted(installation([account]))).toEqual([`ServiceAccount kubevirt/${PROXY}`]));

  test('do not wait for Pods of a proxy that stays', () => {
    const budget = stored('PodDisruptionBudget', PROXY);
    expect(decideObsolete(installation([], { desired: [proxy], podsOf: () => [pod] }))).toEqual({
      delete: [],
      left: [],
    });
    expect(deleted(installation([budget], { desired: [proxy], podsOf: () => [pod] }))).toEqual([
      `PodDisruptionBudget kubevirt/${PROXY}`,
    ]);
  });
});
