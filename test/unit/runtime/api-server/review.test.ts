import { applyPatch } from 'rfc6902';
import { root } from '../../../../src/api';
import type { KubeObject } from '../../../../src/api';
import { parseReview, review } from '../../../../src/runtime/api-server/admission/review';
import type { AdmissionRequest } from '../../../../src/runtime/api-server/admission/review';

const object = (name = 'web'): KubeObject & { spec: Record<string, unknown> } => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name, namespace: 'default' },
  spec: { runStrategy: 'Always' },
});

const request: AdmissionRequest = {
  uid: 'u-1',
  kind: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' },
  resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' },
  operation: 'CREATE',
  userInfo: {},
  object: object(),
};
const reviewOf = (given: unknown): string =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: given });

test('what a rule changed goes back as a JSON patch', async () => {
  const after = { ...object(), spec: { runStrategy: 'Always', template: { spec: {} } } };
  const { response } = await review(request, () => Promise.resolve({ object: after }));
  expect(response).toMatchObject({ uid: 'u-1', allowed: true, patchType: 'JSONPatch' });
  const patched = object();
  applyPatch(patched, JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString('utf8')));
  expect(patched).toEqual(after);
});

test('an unchanged object needs no patch', async () => {
  const { response } = await review(request, () => Promise.resolve({ object: object() }));
  expect(response).toEqual({ uid: 'u-1', allowed: true });
});

test('each mistake is a cause with its field, and the message names all fields', async () => {
  const errors = [
    { rule: 'a', path: root.at('spec', 'disks', 0, 'name'), message: 'is taken', remedy: 'rename it' },
    {
      rule: 'b',
      path: root.at('spec', 'x'),
      type: 'FieldValueNotSupported',
      message: 'is unknown',
      remedy: 'drop it',
      allowed: ['y'],
    },
  ] as const;
  expect((await review(request, () => Promise.resolve({ errors }))).response).toEqual({
    uid: 'u-1',
    allowed: false,
    status: {
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'spec.disks[0].name: is taken; rename it, spec.x: is unknown (allowed: "y"); drop it',
      details: {
        name: 'web',
        group: 'kubevirt.io',
        kind: 'VirtualMachine',
        causes: [
          { reason: 'FieldValueInvalid', field: 'spec.disks[0].name', message: 'is taken; rename it' },
          { reason: 'FieldValueNotSupported', field: 'spec.x', message: 'is unknown (allowed: "y"); drop it' },
        ],
      },
    },
  });
});

test('warnings are passed on, cut to the length that Kubernetes keeps', async () => {
  const { response } = await review(request, () => Promise.resolve({ warnings: ['short', 'x'.repeat(400)] }));
  expect(response.warnings?.map((text) => text.length)).toEqual([5, 256]);
});

test.each([
  ['no JSON', '{', /the body is not JSON/],
  ['something else', '{"kind":"Pod","apiVersion":"v1"}', /expected an AdmissionReview/],
  ['an older version', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"}', /v1beta1/],
  ['half a request', reviewOf({ uid: 'u' }), /no whole request/],
])('%s is a bad request', (_, body, message) => {
  expect(() => parseReview(body)).toThrow(message);
});

test('a whole review is read', () => {
  expect(parseReview(reviewOf(request))).toEqual(request);
});
