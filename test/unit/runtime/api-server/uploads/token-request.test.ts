import { answerTokenRequest, type TokenIssuer } from '../../../../../src/runtime/api-server/uploads/token-request';
import type { KubeClient } from '../../../../../src/runtime/kube';

const to = { version: 'v1beta1', namespace: 'web' };
const populated = { dataSourceRef: { apiGroup: 'cdi.kubevirt.io', kind: 'VolumeUploadSource', name: 's' } };
const TARGET = 'cdi.kubevirt.io/storage.upload.target';
const claim = (spec: object, annotations: object = {}) => ({ metadata: { uid: 'u', annotations }, spec });
const issuer = (found: object | undefined): TokenIssuer => ({
  client: { find: async () => found } as unknown as KubeClient,
  sign: ({ namespace, name, uid }) => `token of ${namespace}/${name} ${uid}`,
});
const body = JSON.stringify({ metadata: { name: 'any' }, spec: { pvcName: 'root' } });

test.each([
  ['a DataVolume', claim(populated)],
  ['a claim that real CDI clients create', claim({ volumeName: 'pv' }, { [TARGET]: '' })],
])('the claim of %s gets a token', async (_, found) => {
  expect(await answerTokenRequest(issuer(found), to, body)).toEqual({
    apiVersion: 'upload.cdi.kubevirt.io/v1beta1',
    kind: 'UploadTokenRequest',
    metadata: { name: 'any', namespace: 'web', creationTimestamp: null },
    spec: { pvcName: 'root' },
    status: { token: 'token of web/root u' },
  });
});

test.each<[string, object | undefined, string, number, RegExp]>([
  ['no claim', undefined, body, 404, /"root" not found/],
  ['a claim of another kind', claim({}), body, 400, /does not receive an upload/],
  ['a filled claim', claim({ ...populated, volumeName: 'pv' }), body, 409, /complete/],
  ['a body that is not JSON', undefined, '{', 400, /not JSON/],
  ['null', undefined, 'null', 400, /pvcName/],
  ['a name with a slash', undefined, JSON.stringify({ spec: { pvcName: '../a' } }), 400, /pvcName/],
])('%s gets none', async (_, found, text, code, message) => {
  await expect(answerTokenRequest(issuer(found), to, text)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});
