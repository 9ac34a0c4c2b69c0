import { kindNames } from '../../../src/api';
import crds from '../../../src/api/generated/crds.json';
import { virtApiRegistration } from '../../../src/api/platform';
import { parseEndpoint } from '../../../src/runtime/api-server/subresources/handler';

const options = { namespace: 'kubevirt', caBundle: 'PEM' };
const pluralOf = (kind: string): string | undefined =>
  (crds as { spec: { names: { kind: string; plural: string } } }[]).find(({ spec }) => spec.names.kind === kind)?.spec
    .names.plural;
const byKind = (objects: { kind: string }[]): string[] => objects.map(({ kind }) => kind);

test('on a cluster the Service selects the virt-api Pods', () => {
  const objects = virtApiRegistration(options);
  expect(byKind(objects)).toEqual([
    'Service',
    'APIService',
    'APIService',
    'APIService',
    'APIService',
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ]);
  expect(objects[0].spec).toMatchObject({ selector: { 'kubevirt.io': 'virt-api' } });
});

test('a virt-api outside of Pods is found by an EndpointSlice', () => {
  const objects = virtApiRegistration({ ...options, endpoint: { addresses: ['10.0.0.1'], port: 8443 } });
  expect(byKind(objects)).toContain('EndpointSlice');
  expect(objects[0].spec).not.toHaveProperty('selector');
  expect(objects[1]).toMatchObject({
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    metadata: { labels: { 'kubernetes.io/service-name': 'virt-api' } },
  });
});

type Hook = Record<string, unknown> & { name: string; failurePolicy: string; rules: { resources: string[] }[] };
const hooks = (): Hook[] => virtApiRegistration(options).flatMap((object) => (object.webhooks ?? []) as Hook[]);

test('no object is stored that a webhook has not seen', () => {
  // only a container that serves a directory may come too late
  expect(hooks().filter(({ failurePolicy }) => failurePolicy !== 'Fail')).toMatchObject([
    {
      name: 'virt-launcher-pod-mutator.kubevirt.io',
      objectSelector: { matchLabels: { 'kubevirt.io': 'virt-launcher' } },
    },
  ]);
  for (const hook of hooks()) {
    expect(hook).toMatchObject({ timeoutSeconds: 10, sideEffects: 'None' });
    expect(hook).toHaveProperty('clientConfig.caBundle', Buffer.from('PEM').toString('base64'));
  }
});

test('each webhook has a name of its own, and each kind with rules has webhooks', () => {
  const names = hooks().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const validated = new Set(hooks().flatMap(({ rules }) => rules.flatMap(({ resources }) => resources)));
  for (const kind of kindNames()) expect([...validated]).toContain(pluralOf(kind));
});

test('only launcher Pods and those of hotplugged disks are held back', () => {
  const evictions = hooks().filter(({ rules }) => rules[0].resources.includes('pods/eviction'));
  expect(evictions.map(({ matchConditions }) => (matchConditions as { expression: string }[])[0].expression)).toEqual([
    'object.metadata.name.startsWith("virt-launcher")',
    'object.metadata.name.startsWith("hp-volume-")',
  ]);
});

test.each([
  ['10.77.0.1:8186', { host: '10.77.0.1', port: 8186 }],
  ['[fd77::1]:8186', { host: 'fd77::1', port: 8186 }],
  ['node-1:443', { host: 'node-1', port: 443 }],
  ['10.77.0.1', undefined],
  ['fd77::1:8186', undefined],
  ['host:0', undefined],
  ['host:99999', undefined],
  ['evil/path:1', undefined],
  [undefined, undefined],
])('endpoint %s', (text, expected) => {
  expect(parseEndpoint(text)).toEqual(expected);
});
