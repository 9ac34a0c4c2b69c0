import { resolve } from 'node:path';
import { sourceOf } from '../../../../src/cli/images/source';

test.each<[string, string | undefined, string, string]>([
  ['web.tar', 'localhost/web:v1', `oci-archive:${resolve('web.tar')}`, 'localhost/web:v1'],
  ['/tmp/web.tar', 'web', 'oci-archive:/tmp/web.tar', 'docker.io/library/web:latest'],
  ['oci-archive:/tmp/web.tar', 'localhost/web', 'oci-archive:/tmp/web.tar', 'localhost/web:latest'],
  ['docker-archive:web.tar', 'a.example/b/c:1', `docker-archive:${resolve('web.tar')}`, 'a.example/b/c:1'],
  ['containers-storage:localhost/web:v1', undefined, 'containers-storage:localhost/web:v1', 'localhost/web:v1'],
  ['containers-storage:localhost/web', 'localhost/other:v2', 'containers-storage:localhost/web', 'localhost/other:v2'],
  [
    'containers-storage:[vfs@/a+/b]localhost/web:v1',
    undefined,
    'containers-storage:[vfs@/a+/b]localhost/web:v1',
    'localhost/web:v1',
  ],
])('%s with the name %s is loaded', (given, name, from, ref) => {
  expect(sourceOf(given, name)).toEqual({ from, name: ref });
});

test.each<[string, string | undefined, string]>([
  ['web.tar', undefined, 'web.tar needs a name; add --name, such as --name localhost/web:v1'],
  ['oci-archive:', 'localhost/web', 'oci-archive: names no image (allowed: oci-archive:FILE,'],
  ['web.tar', 'Not A Name', '"Not A Name" is not an image reference; add --name'],
  ['web.tar', `localhost/web@sha256:${'0'.repeat(64)}`, 'has a digest, which copying may change'],
  ['containers-storage:@0123', undefined, '"@0123" is not an image reference; add --name'],
  ['docker://busybox', undefined, 'docker://busybox cannot be loaded (allowed: oci-archive:FILE,'],
  ['docker://busybox', undefined, 'the engine pulls images of registries itself'],
  ['docker-daemon:web:v1', undefined, 'run docker save -o FILE NAME, then virt8s images load docker-archive:FILE'],
  ['dir:/tmp/web', 'localhost/web', 'dir:/tmp/web is not an image source (allowed: oci-archive:FILE,'],
])('%s with the name %s is rejected: %s', (given, name, words) => {
  expect(() => sourceOf(given, name)).toThrow(words);
});
