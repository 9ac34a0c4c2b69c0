import { brief, clusterConfig, describe as text, withoutCredentials } from '../../../../src/api';
import { lintObject, lintTogether, worldOf } from '../../../../src/api/lint';
import { bounded } from '../../../support/bounded';
import type { Loose } from '../fixtures';

const dataVolume = (source: Loose): Loose => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name: 'os', namespace: 'default' },
  spec: { source, storage: { resources: { requests: { storage: '1Gi' } } } },
});
const reported = (source: Loose) => lintTogether(dataVolume(source), clusterConfig(), worldOf([]));

describe('a source holds no secret in plain text', () => {
  const url = 'https://mirror.example/os.qcow2';
  test.each<[string, Loose, string[]]>([
    ['a URL', { http: { url } }, []],
    ['a signed URL: there is no other way to sign', { s3: { url: `${url}?X-Amz-Signature=hunter2` } }, []],
    ['a user without a password', { http: { url: 'https://me@mirror.example/os' } }, []],
    ['an @ in the path', { http: { url: 'https://mirror.example:8443/a:b@c' } }, []],
    ['a password', { http: { url: 'https://me:hunter2@mirror.example/os' } }, ['spec.source.http.url']],
    ['a password for a bucket', { s3: { url: 'https://me:hunter2@s3.example/os' } }, ['spec.source.s3.url']],
    ['a harmless header', { http: { url, extraHeaders: ['Accept: application/octet-stream', 'X: token'] } }, []],
    [
      'headers that let somebody in',
      {
        http: { url, extraHeaders: ['Accept: a', 'authorization: Bearer hunter2', 'X-Api-Key:hunter2', 'Cookie: a=b'] },
      },
      [1, 2, 3].map((i) => `spec.source.http.extraHeaders[${i}]`),
    ],
  ])('%s', (_, source, want) => {
    const found = reported(source).filter(({ rule }) => rule === 'source-secret');
    expect(found.map(({ path }) => `${path}`)).toEqual(want);
    expect(found.map(text).join()).not.toContain('hunter2');
  });

  test('and says where it belongs', () => {
    const header = { http: { url, extraHeaders: ['Authorization: Bearer hunter2'] } };
    expect(reported(header).map(text)).toEqual([
      'holds Authorization in plain text; keep the header as a value of a Secret, and name it in secretExtraHeaders',
    ]);
  });
});

describe('URLs lose what lets somebody in, where a message repeats them', () => {
  test.each([
    ['https://mirror.example/os.qcow2', 'https://mirror.example/os.qcow2'],
    ['https://me:hunter2@mirror.example/os', 'https://…@mirror.example/os'],
    ['https://me:hun/te@r2@mirror.example/os', 'https://…@mirror.example/os'],
    ['ftp://mirror.example/os?token=hunter2', 'ftp://mirror.example/os?…'],
    ['me:hunter2@mirror.example', '…@mirror.example'],
    ['docker://registry.example/os@sha256:0123', 'docker://registry.example/os@sha256:0123'],
    ['docker://me:hunter2@registry.example/os@sha256:0123', 'docker://…@registry.example/os@sha256:0123'],
  ])('%s', (url, want) => expect(withoutCredentials(url)).toBe(want));

  test('is also left out of a message, whatever surrounds the URL', () => {
    const message = 'source "ftp://me:hunter2@a.example/x?y=hunter2" and s3://b/c?d=hunter2, which is malformed';
    expect(brief(message)).toBe('source "ftp://…@a.example/x?…" and s3://b/c?… which is malformed');
  });

  test.each([
    'ftp://me:hunter2@mirror.example/os',
    'https//me:hunter2@mirror.example/os',
    'https://me:hunter2@a b?hunter2',
  ])('the webhook tells %s without its password', (url) => {
    const causes = ['http', 's3', 'gcs', 'registry'].flatMap((kind) =>
      lintObject(dataVolume({ [kind]: { url } }), clusterConfig()).map(text),
    );
    expect(causes).toHaveLength(4);
    expect(causes.join()).toMatch(/Invalid source URL/);
    expect(causes.join()).not.toContain('hunter2');
  });

  test('the cost of a long text without an end is linear', () => {
    expect(bounded(() => brief(`${'a-'.repeat(2_000_000)}://`)).length).toBeLessThan(1_000);
  });
});
