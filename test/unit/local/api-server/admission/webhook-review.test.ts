import { denial } from '../../../../../src/local/api-server/admission/webhook-errors';
import { responseIn } from '../../../../../src/local/api-server/admission/webhook-review';
import { connectionError, httpError, serviceError } from '../../../../../src/local/api-server/network/call-errors';
import { ServiceError } from '../../../../../src/local/api-server/network/service-resolver';

const V1 = 'admission.k8s.io/v1';
const review = { apiVersion: V1, request: { uid: 'u' } };
const body = (response: object | undefined, more: object = {}) => ({
  apiVersion: V1,
  kind: 'AdmissionReview',
  response,
  ...more,
});
const INVALID = 'received invalid webhook response: ';

test.each<[string, object, boolean, string]>([
  ['no response', body(undefined), true, `${INVALID}webhook response was absent`],
  ['another uid', body({ uid: 'x' }), true, `${INVALID}expected response.uid="u", got "x"`],
  [
    'no version',
    { response: { uid: 'u' } },
    true,
    `${INVALID}expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=`,
  ],
  [
    'another version',
    body({ uid: 'u' }, { apiVersion: 'admission.k8s.io/v1beta1' }),
    true,
    'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
  ],
  [
    'another kind',
    body({ uid: 'u' }, { kind: 'Foo' }),
    true,
    'failed to call webhook: no kind "Foo" is registered for version "admission.k8s.io/v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
  ],
  [
    'a patch without type',
    body({ uid: 'u', patch: 'W10=' }),
    true,
    `${INVALID}webhook returned response.patch but not response.patchType`,
  ],
  [
    'a type without patch',
    body({ uid: 'u', patchType: 'JSONPatch' }),
    true,
    `${INVALID}webhook returned response.patchType but not response.patch`,
  ],
  [
    'a patch of a validating webhook',
    body({ uid: 'u', patch: 'W10=' }),
    false,
    `${INVALID}validating webhook may not return response.patch`,
  ],
])('a response with %s is a failure', (_, answer, mutating, want) => {
  expect(() => responseIn(answer as Record<string, unknown>, review, mutating)).toThrow(want);
});

test('a v1beta1 webhook needs neither uid nor patchType', () => {
  const old = { apiVersion: 'admission.k8s.io/v1beta1', request: { uid: 'u' } };
  expect(responseIn({ response: { patch: 'W10=' } }, old, true)).toMatchObject({ patchType: 'JSONPatch' });
});

test.each<[object | undefined, number, string]>([
  [undefined, 400, 'admission webhook "w" denied the request without explanation'],
  [{ message: 'no' }, 400, 'admission webhook "w" denied the request: no'],
  [{ reason: 'Because' }, 400, 'admission webhook "w" denied the request: Because'],
  [{ message: 'no', code: 399 }, 400, 'admission webhook "w" denied the request: no'],
  [{ message: 'no', code: 400 }, 400, 'admission webhook "w" denied the request: no'],
  [{ message: 'no', code: 422, status: 'Success' }, 422, 'admission webhook "w" denied the request: no'],
])('the denial %j is an error for the client', (given, code, message) => {
  expect(denial('w', given).status).toMatchObject({ status: 'Failure', code, message });
});

test.each([
  [404, 'x', 'the server could not find the requested resource'],
  [400, 'x', 'the server rejected our request for an unknown reason'],
  [500, 'boom\n', 'an error on the server ("boom") has prevented the request from succeeding'],
  [503, '', 'the server is currently unable to handle the request'],
])('the code %i is worded as in Kubernetes', (code, text, want) => expect(httpError(code, text)).toBe(want));

test.each([
  ['ECONNREFUSED', 'dial tcp h:1: connect: connection refused'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  ],
  ['OTHER', 'text'],
])('the connection error %s is worded as in Kubernetes', (code, want) => {
  expect(connectionError(Object.assign(new Error('text'), { code }), 'h:1')).toBe(want);
});

test.each([
  ['ServiceNotFound', 'service "s" not found'],
  ['ServicePortError', 'no service port 443 found for service "s"'],
  ['MissingEndpoints', 'no endpoints available for service "s"'],
])('%s is worded as in Kubernetes', (reason, want) => {
  expect(serviceError(new ServiceError(reason, ''), { namespace: 'n', name: 's' })).toBe(want);
});
