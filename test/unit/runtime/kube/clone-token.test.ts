import {
  cloneToken,
  verifyCloneToken,
  type CloneStatement,
  type TokenUse,
} from '../../../../src/runtime/kube/clone-token';
import { TestCa } from '../../../support/pki';

const host = 'virt-api.kubevirt.svc';
const now = Date.now();
const statement: CloneStatement = {
  from: { kind: 'PersistentVolumeClaim', namespace: 'images', name: 'golden' },
  to: { namespace: 'team', name: 'root' },
  issuedAt: now,
};
const use: TokenUse = { namespace: 'team', name: 'root', createdAt: now };

describe('proof that the author of a DataVolume may copy its source', () => {
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

  const verified = (token: string, by: Partial<TokenUse> = {}): CloneStatement | undefined =>
    verifyCloneToken(token, { ...use, ...by }, { authority, host });

  test('is accepted for its DataVolume', () => {
    expect(verified(cloneToken(statement, virtApi))).toEqual(statement);
  });

  test.each<[string, Partial<TokenUse>, boolean]>([
    ['another name', { name: 'other' }, false],
    ['another namespace', { namespace: 'other' }, false],
    ['a DataVolume that was created 5 minutes later', { createdAt: now + 300_000 }, false],
    ['one that was created shortly before that', { createdAt: now + 299_999 }, true],
    ['one that was created a minute earlier', { createdAt: now - 60_000 }, false],
    ['one that was created shortly after that', { createdAt: now - 59_999 }, true],
    ['one whose time is unknown', { createdAt: NaN }, false],
  ])('for %s', (_, by, isAccepted) => {
    expect(verified(cloneToken(statement, virtApi), by) !== undefined).toBe(isAccepted);
  });

  test.each([
    ['root-abcde', true],
    ['root-abcd', false],
    ['root-abcdef', false],
    ['toor-abcde', false],
  ])('with a generated name %s', (name, isAccepted) => {
    const token = cloneToken({ ...statement, to: { namespace: 'team', prefix: 'root-' } }, virtApi);
    expect(verified(token, { name }) !== undefined).toBe(isAccepted);
  });

  test('is not accepted of another program, another authority, or the authority itself', () => {
    expect(verified(cloneToken(statement, other))).toBeUndefined();
    expect(verified(cloneToken(statement, foreign))).toBeUndefined();
  });

  test('is not accepted when any part was changed', () => {
    const parts = cloneToken(statement, virtApi).split('.');
    const forged = Buffer.from(JSON.stringify({ ...statement, from: { ...statement.from, name: 'secret' } }));
    expect(verified([forged.toString('base64url'), ...parts.slice(1)].join('.'))).toBeUndefined();
    const stranger = cloneToken(statement, foreign).split('.');
    expect(verified([parts[0], stranger[1], parts[2]].join('.'))).toBeUndefined();
    expect(verified([...parts, 'more'].join('.'))).toBeUndefined();
  });

  test.each(['', '.', '..', 'a.b.c', '!.!.!', 'e30.e30.e30', 'x'.repeat(20_000)])('is not %j', (token) => {
    expect(verified(token)).toBeUndefined();
  });
});
