import type { KubeVirtSpec } from '../../../../../src/api/generated/kubevirt-v1';
import type { PlatformObject } from '../../../../../src/api/platform';
import { desiredObjects, type Sources } from '../../../../../src/runtime/operator/customize/desired';

const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-admin';
const CONTENT = 'virt8s.io/installed-content';
const object = (kind: string, name: string, rest: object = {}, labels: object = {}): PlatformObject => ({
  ...{ apiVersion: 'v1', kind },
  metadata: { name, labels: { 'kubevirt.io': name, ...labels } as Record<string, string> },
  ...rest,
});
const objects = [
  object('ClusterRole', 'kubevirt.io:admin', { rules: [] }, { [AGGREGATE]: 'true' }),
  object('ServiceAccount', 'kubevirt-apiserver'),
  object('Deployment', 'virt-api', { spec: { template: { spec: { containers: [{ name: 'virt-api' }] } } } }),
  object('APIService', 'v1.subresources.kubevirt.io', { spec: { group: 'subresources.kubevirt.io' } }),
  object('MutatingWebhookConfiguration', 'virt-api-mutator', {
    webhooks: [
      { name: 'a', clientConfig: { service: {} } },
      { name: 'b', clientConfig: {} },
    ],
  }),
  object('ValidatingWebhookConfiguration', 'virt-api-validator', { webhooks: [{ name: 'c', clientConfig: {} }] }),
];
const sources = (spec: KubeVirtSpec = {}, rest: Partial<Sources> = {}): Sources => ({
  namespace: 'kubevirt',
  version: 'v1.0.0',
  definitions: [object('CustomResourceDefinition', 'virtualmachines.kubevirt.io')],
  objects,
  spec,
  authorities: 'CA\n',
  requestHeader: { 'client-ca.crt': 'front', 'allowed-names': 'proxy' },
  ...rest,
});
const desired = (spec?: KubeVirtSpec, rest?: Partial<Sources>): Map<string, PlatformObject> =>
  new Map(desiredObjects(sources(spec, rest)).objects.map((each) => [`${each.kind} ${each.metadata.name}`, each]));
const get = (name: string, spec?: KubeVirtSpec, rest?: Partial<Sources>): PlatformObject =>
  desired(spec, rest).get(name)!;

test('everything of the strategy is desired, and the ConfigMaps of the operator', () => {
  expect([...desired().keys()]).toEqual([
    'CustomResourceDefinition virtualmachines.kubevirt.io',
    'ConfigMap kubevirt-request-header',
    'ConfigMap kubevirt-ca',
    ...objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  ]);
});

describe('authorities', () => {
  const caBundle = Buffer.from('CA\n').toString('base64');

  test('are written into the objects through which the API server calls virt-api', () => {
    expect(get('APIService v1.subresources.kubevirt.io').spec).toEqual({ group: 'subresources.kubevirt.io', caBundle });
    expect(get('MutatingWebhookConfiguration virt-api-mutator').webhooks).toEqual([
      { name: 'a', clientConfig: { service: {}, caBundle } },
      { name: 'b', clientConfig: { caBundle } },
    ]);
    expect(get('ValidatingWebhookConfiguration virt-api-validator').webhooks).toEqual([
      { name: 'c', clientConfig: { caBundle } },
    ]);
  });

  test('of another issuer are left to it', () => {
    const text = JSON.stringify([...desired({}, { authorities: undefined }).values()]);
    expect(text).not.toContain('caBundle');
    expect(text).not.toContain('"kubevirt-ca"');
  });

  test.each([
    ['without others', {}, 'CA\n'],
    ['with those that the user adds', { externalAuthorities: 'EXTERNAL\n\n' }, 'CA\nEXTERNAL\n'],
    ['with an empty list of the user', { externalAuthorities: '' }, 'CA\n'],
  ])('are in a ConfigMap %s', (_, rest, want) =>
    expect(get('ConfigMap kubevirt-ca', {}, rest).data).toEqual({ 'ca-bundle': want }),
  );
});

test("what virt-api knows of the API server stays while the API server's own ConfigMap is damaged", () => {
  expect(get('ConfigMap kubevirt-request-header').data).toEqual({ 'client-ca.crt': 'front', 'allowed-names': 'proxy' });
  expect(desired({}, { requestHeader: undefined }).has('ConfigMap kubevirt-request-header')).toBe(false);
});

describe('labels', () => {
  const labels = (spec?: KubeVirtSpec, rest?: Partial<Sources>): object | undefined =>
    get('ServiceAccount kubevirt-apiserver', spec, rest).metadata.labels;
  const own = { 'kubevirt.io': 'kubevirt-apiserver', 'app.kubernetes.io/managed-by': 'virt-operator' };

  test.each<[string, KubeVirtSpec, Partial<Sources>, object]>([
    ['name the platform', {}, {}, { component: 'kubevirt', version: 'v1.0.0' }],
    [
      'name the product',
      { productComponent: 'compute', productName: 'cloud', productVersion: '7' },
      {},
      { component: 'compute', version: '7', 'part-of': 'cloud' },
    ],
    [
      'with values that Kubernetes would reject are the defaults',
      { productComponent: 'a b', productName: 'ä', productVersion: '-7' },
      {},
      { component: 'kubevirt', version: 'v1.0.0' },
    ],
    ['have no version that is too long for a label', {}, { version: 'v'.repeat(64) }, { component: 'kubevirt' }],
  ])('%s', (_, spec, rest, want) =>
    expect(labels(spec, rest)).toEqual({
      ...own,
      ...Object.fromEntries(
        Object.entries(want).map(([name, value]) => [`app.kubernetes.io/${name}`, value as string]),
      ),
    }),
  );

  test('with invalid values are reported', () => {
    const { problems } = desiredObjects(sources({ productName: 'a b', productVersion: '7' }));
    expect(problems).toEqual([
      'spec.productName "a b" is not a valid value of a label, and is ignored; use letters, digits, - _ and .',
    ]);
  });

  test('are those of every object', () => {
    for (const { metadata } of desired().values()) {
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'virt-operator' });
      expect(metadata.labels).toHaveProperty(['kubevirt.io']);
    }
  });
});

describe("Kubernetes' roles for users", () => {
  const labels = (spec: KubeVirtSpec): object | undefined => get('ClusterRole kubevirt.io:admin', spec).metadata.labels;
  const aggregation = (roleAggregationStrategy: 'Manual' | 'AggregateToDefault'): KubeVirtSpec => ({
    configuration: { roleAggregationStrategy },
  });

  test.each<[string, KubeVirtSpec]>([
    ['by default', {}],
    ['with AggregateToDefault', aggregation('AggregateToDefault')],
  ])("include the platform's %s", (_, spec) => expect(labels(spec)).toHaveProperty([AGGREGATE], 'true'));

  test("do not include the platform's with Manual", () => {
    expect(labels(aggregation('Manual'))).not.toHaveProperty([AGGREGATE]);
    expect(labels(aggregation('Manual'))).toHaveProperty(['kubevirt.io']);
  });
});

describe('patches', () => {
  const patches = (value: object): KubeVirtSpec => ({
    customizeComponents: {
      patches: [{ type: 'merge', resourceType: 'Deployment', resourceName: 'virt-api', patch: JSON.stringify(value) }],
    },
  });

  test('are applied after all other settings', () => {
    const spec = { ...patches({ spec: { replicas: 9 } }), infra: { replicas: 5 } };
    expect(get('Deployment virt-api', spec).spec).toMatchObject({ replicas: 9 });
  });

  test('that do not fit are reported', () => {
    expect(desiredObjects(sources(patches({ kind: 'x' }))).problems).toEqual([
      expect.stringContaining('customizeComponents.patches[0]'),
    ]);
  });
});

describe('the hash of an object', () => {
  const hash = (name: string, spec?: KubeVirtSpec, rest?: Partial<Sources>): string | undefined =>
    get(name, spec, rest).metadata.annotations?.[CONTENT];
  const infra = { nodePlacement: { nodeSelector: { a: 'b' } } };

  test('is the same for the same content', () => {
    expect(hash('Deployment virt-api')).toMatch(/^[0-9a-f]{32}$/);
    expect(hash('Deployment virt-api')).toBe(hash('Deployment virt-api'));
  });

  test('changes with what is removed, which the stored object still has', () => {
    expect(hash('Deployment virt-api', { infra })).not.toBe(hash('Deployment virt-api'));
    expect(hash('ServiceAccount kubevirt-apiserver', { infra })).toBe(hash('ServiceAccount kubevirt-apiserver'));
  });

  test('changes with the authorities only where they are', () => {
    const rest = { authorities: 'OTHER' };
    expect(hash('APIService v1.subresources.kubevirt.io', {}, rest)).not.toBe(
      hash('APIService v1.subresources.kubevirt.io'),
    );
    expect(hash('Deployment virt-api', {}, rest)).toBe(hash('Deployment virt-api'));
  });
});
