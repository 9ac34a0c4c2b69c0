import { virtApiRegistration } from '../../../../src/api/platform';
import { parseEndpoint } from '../../../../src/runtime/api-server/subresources/handler';

const options = { namespace: 'kubevirt', caBundle: 'PEM' };
const byKind = (objects: { kind: string }[]): string[] => objects.map(({ kind }) => kind);

test('on a cluster the Service selects the virt-api Pods', () => {
  const objects = virtApiRegistration(options);
  expect(byKind(objects)).toEqual([
    'Service',
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

test('no object is stored that a webhook has not seen', () => {
  const hooks = virtApiRegistration(options).flatMap((object) => (object.webhooks ?? []) as Record<string, unknown>[]);
  expect(hooks).toHaveLength(5);
  for (const hook of hooks) {
    expect(hook).toMatchObject({ failurePolicy: 'Fail', sideEffects: 'None', timeoutSeconds: 10 });
    expect(hook).toHaveProperty('clientConfig.caBundle', Buffer.from('PEM').toString('base64'));
  }
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
