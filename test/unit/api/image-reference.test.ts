import { imageProblem, isLibraryImage } from '../../../src/api/image-reference';

test.each([
  'fedora',
  'fedora:42',
  'library/fedora',
  'localhost:5000/a/b:1',
  'registry.example/os:1',
  'registry.example:5000/team/os__x.y-z:v1.2_3',
  `quay.io/containerdisks/fedora@sha256:${'a'.repeat(64)}`,
  `quay.io/containerdisks/fedora:42@sha256:${'0'.repeat(64)}`,
  '[2001:db8::1]:5000/os:1',
])('accepts %s', (text) => expect(imageProblem(text)).toBeUndefined());

test.each([
  ['docker://registry.example/os:1', 'begins with docker://', 'write "registry.example/os:1"'],
  ['https://registry.example/os.qcow2', 'begins with https://', 'use Disk.http'],
  ['registry.example/os: 1', 'white space', 'remove the white space'],
  [' registry.example/os:1', 'white space', 'remove the white space'],
  ['registry.example/os:', 'ends with a colon', 'add the tag'],
  ['registry.example/os:v1:2', 'has an invalid tag', 'registry.example/images'],
  ['registry.example/os@sha256:abc', 'has a digest', 'copy the complete digest'],
  ['registry.example/os@latest', 'has a digest', 'copy the complete digest'],
  ['registry.example/Team/os:1', 'capital letters', 'lower case'],
  ['registry.example//os:1', 'is not an image reference', 'registry.example/images'],
])('reports %s', (text, cause, remedy) => {
  expect(imageProblem(text)?.cause).toContain(cause);
  expect(imageProblem(text)?.remedy).toContain(remedy);
});

test.each(['ubuntu', 'ubuntu:24.04', 'docker.io/library/debian:12', 'library/fedora'])(
  'knows %s as an image without a disk',
  (text) => expect(isLibraryImage(text)).toBe(true),
);
test.each(['quay.io/containerdisks/ubuntu:24.04', 'registry.example/ubuntu', 'ubuntu-disk:1', 'me/ubuntu'])(
  'does not know %s',
  (text) => expect(isLibraryImage(text)).toBe(false),
);
