import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { uploadToken, verifyUploadToken, type UploadTarget } from '../../../../src/runtime/kube/upload-token';
import { cloneToken } from '../../../../src/runtime/kube/clone-token';
import { TestCa } from '../../../support/pki';

const host = 'virt-api.kubevirt.svc';
const now = Date.now();
const target: UploadTarget = { namespace: 'team', name: 'root', uid: 'claim-uid' };

describe('token for an upload', () => {
  let authority: string;
  let virtApi: { cert: string; key: string };
  let other: { cert: string; key: string };
  let foreign: { cert: string; key: string };

  beforeAll(async () => {
    const ca = await TestCa.create('authority');
    authority = ca.pem;
    virtApi = await ca.issue([{ CN: ['virt-api'] }], [host]);
    other = await ca.issue([{ CN: ['virt-api'] }], ['virt-handler.kubevirt.svc']);
    foreign = await (await TestCa.create('authority')).issue([{ CN: ['virt-api'] }], [host]);
  });

  const verified = (token: string, at = now) => verifyUploadToken(token, { authority, host }, at);
  const json = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** A token of which parts were replaced, with a signature of this key. */
  const made = (header: object, claims: object, key: string): string => {
    const [oldHeader = '', oldClaims = ''] = uploadToken(target, virtApi, now).split('.');
    const content = `${encoded({ ...json(oldHeader), ...header })}.${encoded({ ...json(oldClaims), ...claims })}`;
    const signature = sign('sha256', Buffer.from(content), { key: createPrivateKey(key), dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  };

  test('names its claim, and is different each time', () => {
    const first = verified(uploadToken(target, virtApi, now));
    expect(first).toEqual({ ...target, id: expect.any(String) });
    expect(verified(uploadToken(target, virtApi, now))!.id).not.toBe(first!.id);
  });

  test.each([
    ['five minutes, and the difference of clocks', 309_000, true],
    ['more than that', 310_000, false],
    ['a clock that is behind', -9_000, true],
    ['one that is further behind', -11_000, false],
  ])('after %s', (_, ms, isAccepted) => {
    expect(verified(uploadToken(target, virtApi, now), now + ms) !== undefined).toBe(isAccepted);
  });

  test.each<[string, () => string]>([
    ['a certificate with another name', () => uploadToken(target, other, now)],
    ['a certificate of another authority', () => uploadToken(target, foreign, now)],
    ['another key than that of its certificate', () => made({}, {}, foreign.key)],
    ['a longer validity', () => made({}, { exp: Math.floor(now / 1000) + 301 }, virtApi.key)],
    ['no expiry', () => made({}, { exp: null }, virtApi.key)],
    ['another audience', () => made({}, { aud: 'other' }, virtApi.key)],
    ['another issuer', () => made({}, { iss: 'other' }, virtApi.key)],
    ['no algorithm', () => made({ alg: 'none' }, {}, virtApi.key)],
    ['an algorithm of another kind of key', () => made({ alg: 'HS256' }, {}, virtApi.key)],
    ['no certificate', () => made({ x5c: [] }, {}, virtApi.key)],
    ['no signature', () => `${uploadToken(target, virtApi, now).split('.').slice(0, 2).join('.')}.`],
    ['a further part', () => `${uploadToken(target, virtApi, now)}.x`],
    [
      'the form of a token for clones',
      () =>
        cloneToken(
          { from: { kind: 'PersistentVolumeClaim', namespace: 'a', name: 'b' }, to: { namespace: 'a' }, issuedAt: now },
          virtApi,
        ),
    ],
    ['no content', () => ''],
    ['too much content', () => 'a'.repeat((16 << 10) + 1)],
  ])('with %s is refused', (_, token) => expect(verified(token())).toBeUndefined());

  test('needs a key whose signatures are known', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => uploadToken(target, { cert: virtApi.cert, key }, now)).toThrow(/ed25519 \(allowed: ec, rsa\)/);
  });
});
