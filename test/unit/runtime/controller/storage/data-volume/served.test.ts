import type { cdi } from '../../../../../../src/api';
import { notServed } from '../../../../../../src/runtime/controller/storage/data-volume/served';

test.each<[string, cdi.DataVolumeSpec]>([
  ['http', { source: { http: { url: 'http://images.example/a' } } }],
  ['registry', { source: { registry: { url: 'docker://images.example/a' } } }],
  ['blank', { source: { blank: {} } }],
  ['pvc', { source: { pvc: { namespace: 'a', name: 'b' } } }],
  ['snapshot', { source: { snapshot: { namespace: 'a', name: 'b' } } }],
  ['sourceRef', { sourceRef: { kind: 'DataSource', name: 'a' } }],
])('the source %s is read', (_, spec) => expect(notServed(spec)).toBeUndefined());

test.each<[string, cdi.DataVolumeSpec, RegExp]>([
  ['upload', { source: { upload: {} } }, /the source upload is not supported .*allowed: http, registry, blank/],
  ['vddk', { source: { vddk: {} } }, /VDDK library .*; export the disk as vmdk/],
  ['imageio', { source: { imageio: { url: 'https://ovirt.example', diskId: 'd' } } }, /oVirt.*; download the disk/],
  ['archive', { source: { http: { url: 'http://a' } }, contentType: 'archive' }, /contentType archive/],
])('the source %s is refused with cause and remedy', (_, spec, message) => {
  expect(notServed(spec)).toEqual({ reason: 'SourceNotSupported', message: expect.stringMatching(message) as string });
});
