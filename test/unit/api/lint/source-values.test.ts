import type { Loose } from '../fixtures';
import { alone, object } from './worlds';

const CDI = 'cdi.kubevirt.io/v1beta1';
const storage = { resources: { requests: { storage: '1Gi' } } };
const made = (source: Loose, more: Loose = {}): Loose =>
  object(CDI, 'DataVolume', 'd', { source, storage, ...more }, { namespace: 'default' });
const registry = (more: Loose, url = 'docker://quay.io/a/b:1'): Loose => made({ registry: { url, ...more } });
const platform = (architecture: string): Loose => registry({ platform: { architecture } });
const file = (url: string, kind = 'http', more: Loose = {}): Loose => made({ [kind]: { url } }, more);
const archive = { contentType: 'archive' };
const header = (text: string): Loose => made({ http: { url: 'https://a.example/b.iso', extraHeaders: [text] } });
const stages = (source: Loose, more: Loose): Loose => made(source, more);
const vddk = {
  vddk: { url: 'https://v', backingFile: '[a] b', thumbprint: 'A', uuid: 'u', secretRef: 's' },
};
const cron = (more: Loose): Loose =>
  object(CDI, 'DataImportCron', 'c', {
    schedule: '@daily',
    managedDataSource: 'm',
    template: { spec: { source: { registry: { url: 'docker://a' } }, storage } },
    ...more,
  });
const url = (kind: string): string => `spec.source.${kind}.url`;

test.each<[string, Loose, string[]]>([
  ['accepts an architecture of images', platform('arm64'), []],
  ['accepts one that it does not know', platform('riscv64'), []],
  [
    "reports the kernel's name of one",
    platform('x86_64'),
    ['source-architecture spec.source.registry.platform.architecture'],
  ],
  ['reports upper case', platform('AMD64'), ['source-architecture spec.source.registry.platform.architecture']],
  ['accepts a pull by the node', registry({ pullMethod: 'node' }), []],
  [
    'reports an archive that a node should pull',
    registry({ pullMethod: 'node' }, 'oci-archive://a/b.tar'),
    ['source-node-pull spec.source.registry.url'],
  ],
  [
    'reports credentials that a node ignores',
    registry({ pullMethod: 'node', secretRef: 's' }),
    ['source-node-pull spec.source.registry.secretRef'],
  ],
  ['accepts credentials of a Pod', registry({ pullMethod: 'pod', secretRef: 's', certConfigMap: 'c' }), []],
  ['accepts an archive over HTTP', file('https://a.example/b.tar.gz', 'http', archive), []],
  ['accepts an archive without extension', file('https://a.example/get?id=b.qcow2', 'http', archive), []],
  [
    'reports a disk image that should be unpacked',
    file('https://a.example/b.qcow2.xz', 'http', archive),
    ['source-archive spec.source.http.url'],
  ],
  ['reports an archive of S3', file('https://s3.example/a/b.tar', 's3', archive), ['source-archive spec.contentType']],
  ['accepts a file of a repository', file('https://github.com/a/b/raw/main/c.qcow2'), []],
  ['accepts a release', file('https://github.com/a/b/releases/download/v1/c.qcow2'), []],
  ['reports the page of a file', file('https://github.com/a/b/blob/main/c.qcow2'), [`source-page ${url('http')}`]],
  [
    'reports the console of a cloud',
    file('https://console.cloud.google.com/storage/browser/a/b', 'gcs'),
    [`source-page ${url('gcs')}`],
  ],
  ['accepts a shared file that is downloaded', file('https://www.dropbox.com/s/a/b.iso?dl=1'), []],
  ['reports the page of a shared file', file('https://www.dropbox.com/s/a/b.iso?dl=0'), [`source-page ${url('http')}`]],
  ['accepts an object in a bucket', file('gs://bucket/a.qcow2', 'gcs'), []],
  ['reports a bucket', file('gs://bucket/', 'gcs'), [`source-object ${url('gcs')}`]],
  ['accepts a bucket and a key', file('https://s3.example/bucket/a.img', 's3'), []],
  [
    'reports a host that names the bucket',
    file('https://bucket.s3.example/a.img', 's3'),
    [`source-object ${url('s3')}`],
  ],
  ['accepts a header', header('X-Site: a'), []],
  ['reports a header without a colon', header('X-Site a'), ['source-header spec.source.http.extraHeaders[0]']],
  ['accepts stages from VMware', stages(vddk, { checkpoints: [{ current: 'a', previous: '' }] }), []],
  [
    'reports stages of another source',
    stages({ http: { url: 'https://a.example/b.iso' } }, { checkpoints: [{ current: 'a', previous: '' }] }),
    ['import-stages spec.checkpoints'],
  ],
  [
    'reports a final stage without stages',
    stages({ blank: {} }, { finalCheckpoint: true }),
    ['import-stages spec.finalCheckpoint'],
  ],
  ['accepts one import to keep', cron({ importsToKeep: 1 }), []],
  ['reports no import to keep', cron({ importsToKeep: 0 }), ['cron-imports spec.importsToKeep']],
  [
    'reports a number of imports that are never deleted',
    cron({ importsToKeep: 2, garbageCollect: 'Never' }),
    ['cron-imports spec.importsToKeep'],
  ],
])('%s', (_, each, want) => expect(alone(each)).toEqual(want));
