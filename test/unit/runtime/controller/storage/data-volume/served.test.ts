import type { cdi } from '../../../../../../src/api';
import { notServed } from '../../../../../../src/runtime/controller/storage/data-volume/served';

test.each<[string, cdi.DataVolumeSpec]>([
  ['http', { source: { http: { url: 'http://images.example/a' } } }],
  ['registry', { source: { registry: { url: 'docker://images.example/a' } } }],
  ['s3', { source: { s3: { url: 'https://s3.example/a/b' } } }],
  ['gcs', { source: { gcs: { url: 'gs://a/b' } } }],
  ['archive', { source: { http: { url: 'http://images.example/a.tar' } }, contentType: 'archive' }],
  ['blank', { source: { blank: {} } }],
  ['pvc', { source: { pvc: { namespace: 'a', name: 'b' } } }],
  ['snapshot', { source: { snapshot: { namespace: 'a', name: 'b' } } }],
  ['upload', { source: { upload: {} } }],
  ['sourceRef', { sourceRef: { kind: 'DataSource', name: 'a' } }],
])('the source %s is read', (_, spec) => expect(notServed(spec)).toBeUndefined());

test.each<[string, cdi.DataVolumeSpec, RegExp]>([
  [
    'vddk',
    { source: { vddk: {} } },
    /the source vddk is not supported .*allowed: http, s3, gcs, registry, blank.*VDDK library .*; export the disk as vmdk/,
  ],
  ['imageio', { source: { imageio: { url: 'https://ovirt.example', diskId: 'd' } } }, /oVirt.*; download the disk/],
])('the source %s is refused with cause and remedy', (_, spec, message) => {
  expect(notServed(spec)).toEqual({ reason: 'SourceNotSupported', message: expect.stringMatching(message) as string });
});
