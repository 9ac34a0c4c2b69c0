import { builtinSchema, unknownFields } from '../../../../../src/local/api-server/schema';
import { builtinTypes } from '../../../../../src/local/api-server/schema/generated/builtin-types';
import { TypeSchema } from '../../../../../src/local/api-server/schema/type-schema';

const kinds: [string, string, string][] = [
  ...['Pod', 'Service', 'ConfigMap', 'Secret', 'Namespace', 'Node', 'Event', 'Endpoints', 'ServiceAccount'].map(
    (kind): [string, string, string] => ['', 'v1', kind],
  ),
  ['', 'v1', 'PersistentVolume'],
  ['', 'v1', 'PersistentVolumeClaim'],
  ['apps', 'v1', 'DaemonSet'],
  ['apps', 'v1', 'Deployment'],
  ['coordination.k8s.io', 'v1', 'Lease'],
  ['discovery.k8s.io', 'v1', 'EndpointSlice'],
  ['rbac.authorization.k8s.io', 'v1', 'ClusterRole'],
  ['storage.k8s.io', 'v1', 'StorageClass'],
  ['scheduling.k8s.io', 'v1', 'PriorityClass'],
  ['policy', 'v1', 'PodDisruptionBudget'],
  ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'],
  ['apiregistration.k8s.io', 'v1', 'APIService'],
  ['admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration'],
  ['networking.k8s.io', 'v1', 'NetworkPolicy'],
  ['authentication.k8s.io', 'v1', 'TokenReview'],
  ['authorization.k8s.io', 'v1', 'SubjectAccessReview'],
];

test.each(kinds)('%s/%s %s is known, with its metadata', (group, version, kind) => {
  expect(builtinSchema(group, version, kind)?.fields?.metadata?.fields).toHaveProperty('labels');
});

test('custom kinds are not', () => expect(builtinSchema('kubevirt.io', 'v1', 'VirtualMachine')).toBeUndefined());

test('lists and maps merge as Kubernetes merges them', () => {
  const spec = builtinSchema('', 'v1', 'Pod')?.fields?.spec as TypeSchema;
  expect(spec.fields?.containers).toMatchObject({ listType: 'map', listKeys: ['name'], patchMergeKey: 'name' });
  expect(spec.fields?.volumes).toMatchObject({ patchStrategy: 'merge,retainKeys' });
  expect(spec.fields?.tolerations).toMatchObject({ kind: 'list', listType: 'atomic' });
  expect(spec.fields?.nodeSelector).toMatchObject({ kind: 'map', atomic: true });
  expect(spec.required).toEqual(['containers']);
  // an atomic type, but not in this field
  const volume = builtinSchema('', 'v1', 'PersistentVolume')?.fields?.spec?.fields;
  expect(volume?.claimRef).toMatchObject({ kind: 'map', atomic: false });
  expect(builtinSchema('', 'v1', 'Event')?.fields?.involvedObject).toMatchObject({ atomic: true });
  const service = builtinSchema('', 'v1', 'Service')?.fields?.spec?.fields;
  expect(service?.ports).toMatchObject({ listKeys: ['port', 'protocol'], patchMergeKey: 'port' });
  expect(service?.ports?.items?.fields?.protocol?.default).toBe('TCP');
});

test('unknown fields are named by their path', () => {
  const pod = { spec: { containers: [{ name: 'a', imagee: 'x' }], foo: 1 }, metadata: { labels: { any: 'y' } } };
  expect(unknownFields(pod, builtinSchema('', 'v1', 'Pod') as TypeSchema)).toEqual([
    'spec.containers[0].imagee',
    'spec.foo',
  ]);
});

test('every type in the table can be read, and refers to types that are there', () => {
  for (const text of Object.values(builtinTypes))
    for (const [, name = ''] of text.matchAll(/@[~+]?([\w.]+)/g)) expect(builtinTypes).toHaveProperty([name]);
});
