import { podNameOf, targetOf, type Claim, type Pod } from '../../../../src/runtime/upload-proxy/target';

const certificate = '-----BEGIN CERTIFICATE-----\n';
const claim = (metadata: object = {}, spec: object = {}): Claim =>
  ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { uid: 'u', ...metadata }, spec }) as Claim;
const annotated = (key: string, value: string): object => ({
  annotations: { [`cdi.kubevirt.io/storage.${key}`]: value },
});
const pod = (status: object = {}, metadata: object = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ownerReferences: [{ controller: true, uid: 'u' }], ...metadata },
    status: {
      phase: 'Running',
      podIP: '10.0.0.7',
      containerStatuses: [{ name: 'importer', ready: true }],
      initContainerStatuses: [
        { name: 'identity', state: { terminated: { exitCode: 0, message: JSON.stringify({ certificate }) } } },
      ],
      ...status,
    },
  }) as unknown as Pod;
const ended = (exitCode: number, message: string): object => ({
  initContainerStatuses: [{ name: 'identity', state: { terminated: { exitCode, message } } }],
});

test('an upload is sent to the Pod of its claim, with the certificate that its init container reported', () => {
  expect(podNameOf(claim(annotated('uploadPodName', 'importer-u')))).toBe('importer-u');
  expect(targetOf('u', claim(), pod())).toEqual({ server: { address: '10.0.0.7', certificate } });
});

test.each<[string, Claim | undefined, Pod | undefined, number, RegExp]>([
  ['no claim', undefined, undefined, 404, /does not exist/],
  ['another claim of the same name', claim({ uid: 'v' }), pod(), 401, /another token/],
  ['a claim that was filled', claim(annotated('pod.phase', 'Succeeded')), pod(), 409, /complete/],
  ['a bound claim', claim({}, { dataSourceRef: {}, volumeName: 'pv' }), pod(), 409, /complete/],
  ['no Pod', claim(), undefined, 503, /not ready; try again/],
  ['a Pod with a problem', claim(annotated('condition.running.message', 'no node')), undefined, 503, /: no node/],
  ['a Pod of somebody else', claim(), pod({}, { ownerReferences: [{ controller: true, uid: 'v' }] }), 503, /not ready/],
  ['a Pod that is not ready', claim(), pod({ containerStatuses: [{ name: 'importer' }] }), 503, /not ready/],
  ['a Pod that starts', claim(), pod({ phase: 'Pending' }), 503, /not ready/],
  ['a Pod without an address', claim(), pod({ podIP: undefined }), 503, /not ready/],
  ['an init container that failed', claim(), pod(ended(1, JSON.stringify({ certificate }))), 503, /not ready/],
  ['a report that is not JSON', claim(), pod(ended(0, '{')), 503, /not ready/],
  ['a report without a certificate', claim(), pod(ended(0, '{"certificate":7}')), 503, /not ready/],
])('%s gets no upload', (_, given, to, code, problem) => {
  expect(targetOf('u', given, to)).toEqual({
    code,
    problem: expect.stringMatching(problem) as string,
    isPassing: code === 503,
  });
});
