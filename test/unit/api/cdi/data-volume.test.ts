import { join } from 'node:path';
import { admissionOf, type Finding } from '../../../../src/api';
import { expectCauses } from '../admission/causes';
import { context, type Loose, object } from '../kinds/fixtures';

const amount = (size: unknown): Loose => ({ resources: { requests: { storage: size } } });
const storage = amount('1Gi');
const blank = { blank: {} };
const text = (length: number): string => 'x'.repeat(length);
const http = (url: string | undefined, more: object = {}): Loose => ({ storage, source: { http: { url, ...more } } });
const sum = (checksum: string): Loose => http('https://a/b', { checksum });
const registry = (source: object, more: object = {}): Loose => ({ storage, source: { registry: source }, ...more });
const populated = (fields: object): Loose => ({ storage: { ...storage, ...fields } });
const vddk = { url: 'https://a/b', secretRef: 'a', uuid: 'a', backingFile: 'a', thumbprint: 'a' };
const claim = { kind: 'PersistentVolumeClaim', name: 'a' };

const rows: readonly [string, Loose][] = [
  ['no storage', { source: blank }],
  ['both storages', { storage, pvc: { ...storage, accessModes: ['ReadWriteOnce'] }, source: blank }],
  ...(['storage', 'pvc'] as const).flatMap((kind): [string, Loose][] => {
    const of = (fields: object): Loose => ({ [kind]: { accessModes: ['ReadWriteOnce'], ...fields }, source: blank });
    const modes = (...accessModes: string[]): Loose => of({ ...storage, accessModes });
    return [
      ...[undefined, 'many', '-1', 0, '1', 1048575, '1Mi', 1e100, 1e101].map((size): [string, Loose] => [
        `${kind} of ${size}`,
        of(amount(size)),
      ]),
      [`${kind} of a class of 253`, of({ ...storage, storageClassName: text(253) })],
      [`${kind} of a class of 254`, of({ ...storage, storageClassName: text(254) })],
      ...['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod', 'Read'].map((mode): [string, Loose] => [
        `${kind} of ${mode}`,
        modes(mode),
      ]),
      [`${kind} of no mode`, modes()],
      [`${kind} of two modes`, modes('ReadWriteOnce', 'Read')],
    ];
  }),
  ['a copy of no size', { storage: {}, source: { snapshot: { namespace: 'a', name: 'b' } } }],
  ['a reference of no size', { storage: {}, sourceRef: { kind: 'DataSource', name: 'a' } }],
  ['no source', { storage }],
  ['source and reference', { storage, source: blank, sourceRef: { kind: 'DataSource', name: 'a' } }],
  ['a reference of no kind', { storage, sourceRef: { kind: '', name: 'a' } }],
  ['a reference of another kind', { storage, sourceRef: { kind: 'Pod', name: 'a' } }],
  ['a reference of no name', { storage, sourceRef: { kind: 'DataSource', name: '' } }],
  ['a source of nothing', { storage, source: {} }],
  ['two sources', { storage, source: { blank: {}, upload: {} } }],
  ...['kubevirt', 'archive', 'tar'].map((contentType): [string, Loose] => [
    `an upload of ${contentType}`,
    { storage, source: { upload: {} }, contentType },
  ]),
  ['a blank archive', { storage, source: blank, contentType: 'archive' }],
  ['a copy of no name', { storage, source: { pvc: { namespace: 'a', name: '' } } }],
  ['a copy of no namespace', { storage, source: { snapshot: { namespace: '', name: 'a' } } }],
  ...['', 'http://a/b', 'https://a/b', 'gs://a/b', 'ftp://a/b', '/a/b', 'a', ':a', 'http://a:b/c', 'http://[::1]:80/a']
    .concat('http://[::1/a', 'http://[::1]x/a', 'http://u:p@a/b', 'http://u p@a/b', 'http://u%zz@a/b', 'http://@a/b')
    .concat('http://a%zz/b', 'http://:80/b', 'http://a:/b', 'http:a', 'http:///a', '//a/b')
    .map((url): [string, Loose] => [`the URL "${url}"`, http(url)]),
  ...(['s3', 'gcs', 'imageio', 'vddk'] as const).flatMap((kind): [string, Loose][] => [
    [`${kind} of no URL`, { storage, source: { [kind]: { url: '' } } }],
    [`${kind} of a URL`, { storage, source: { [kind]: { url: 'https://a/b' } } }],
    [`${kind} of a secret`, { storage, source: { [kind]: { url: 'https://a/b', secretRef: 'a' } } }],
    [`${kind} of an id`, { storage, source: { [kind]: { url: 'https://a/b', uuid: 'a', diskId: 'a' } } }],
    [
      `${kind} of all`,
      {
        storage,
        source: {
          [kind]: {
            url: 'https://a/b',
            secretRef: 'a',
            ...(kind === 'imageio' ? { diskId: 'a', certConfigMap: 'a' } : {}),
            ...(kind === 'vddk' ? { uuid: 'a', backingFile: 'a', thumbprint: 'a' } : {}),
          },
        },
      },
    ],
  ]),
  ...(['secretRef', 'uuid', 'backingFile', 'thumbprint'] as const).map((field): [string, Loose] => [
    `vddk without ${field}`,
    { storage, source: { vddk: { ...vddk, [field]: undefined } } },
  ]),
  ['vddk of all but a URL', { storage, source: { vddk: { ...vddk, url: undefined } } }],
  ['vddk of a broken URL and all else', { storage, source: { vddk: { ...vddk, url: 'a' } } }],
  [
    'imageio of a broken URL and all else',
    { storage, source: { imageio: { url: 'a', secretRef: 'a', diskId: 'a', certConfigMap: 'a' } } },
  ],
  ...Object.entries({ md5: 32, sha1: 40, sha256: 64, sha512: 128 }).flatMap(([name, digits]): [string, Loose][] => [
    [`${name} of ${digits}`, sum(`${name}:${'a'.repeat(digits)}`)],
    [`${name} of ${digits + 1}`, sum(`${name}:${'a'.repeat(digits + 1)}`)],
    [`${name} of another letter`, sum(`${name}:${'g'.repeat(digits)}`)],
  ]),
  ...['abc', ':abc', 'md5:', 'crc:abc', 'toString:abc'].map((each): [string, Loose] => [`the sum ${each}`, sum(each)]),
  ['an image', registry({ url: 'docker://a/b' })],
  ['an archive of images', registry({ url: 'oci-archive:///a' })],
  ['an image of another scheme', registry({ url: 'https://a/b' })],
  ['an image of no URL', registry({ url: 'docker://a b' })],
  ['an image of no scheme', registry({ url: 'a/b' })],
  ['an image that is an archive', registry({ url: 'docker://a/b' }, { contentType: 'archive' })],
  ['an image that is a disk', registry({ url: 'docker://a/b' }, { contentType: 'kubevirt' })],
  ['a stream', registry({ imageStream: 'a', pullMethod: 'node' })],
  ['a stream by a Pod', registry({ imageStream: 'a', pullMethod: 'pod' })],
  ['a stream of no name', registry({ imageStream: '' })],
  ['an image pulled by a Pod', registry({ url: 'docker://a/b', pullMethod: 'pod' })],
  ['an image pulled by a node', registry({ url: 'docker://a/b', pullMethod: 'node' })],
  ['an image pulled by nobody', registry({ url: 'docker://a/b', pullMethod: 'none' })],
  ['an image and a stream', registry({ url: 'docker://a/b', imageStream: 'a' })],
  ['neither image nor stream', registry({})],
  ['a claim of another', populated({ dataSource: claim })],
  ['two claims of others', populated({ dataSource: claim, dataSourceRef: { ...claim, name: 'b' } })],
  ['a claim of others twice', populated({ dataSource: claim, dataSourceRef: claim })],
  ['a populator and a source', { ...populated({ dataSourceRef: claim }), source: blank }],
  ['a populator elsewhere', populated({ dataSourceRef: { ...claim, namespace: 'a' } })],
  ['a populator of nothing', populated({ dataSourceRef: { kind: '', name: '' } })],
  ['a data source of nothing', populated({ dataSource: { kind: '', name: '' } })],
  ['a populator of no group', populated({ dataSourceRef: { kind: 'X', name: 'a' } })],
  ['a populator of a group', populated({ dataSourceRef: { apiGroup: 'b', kind: 'X', name: 'a' } })],
];

const errorsOf = (spec: Loose): Finding[] => {
  const given = object('cdi.kubevirt.io/v1beta1', 'DataVolume', spec);
  return admissionOf(given)!.create(given, context());
};

test('every mistake in a DataVolume is reported with its cause and remedy', () => {
  expectCauses(
    'data-volumes',
    rows.map(([sentence, spec]) => [sentence, errorsOf(spec)]),
    join(__dirname, 'causes'),
  );
});
