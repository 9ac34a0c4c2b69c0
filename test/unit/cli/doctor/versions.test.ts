import { compareVersions, parseVersion, tagOf } from '../../../../src/cli/doctor/versions';

test.each([
  ['v1.31.2-eks-1', { major: 1, minor: 31 }],
  ['2.1.4', { major: 2, minor: 1 }],
  ['unknown', undefined],
  [undefined, undefined],
])('version %j', (text, wanted) => expect(parseVersion(text)).toEqual(wanted));

test('versions are compared as numbers', () => {
  expect(compareVersions({ major: 1, minor: 9 }, { major: 1, minor: 31 })).toBeLessThan(0);
  expect(compareVersions({ major: 2, minor: 0 }, { major: 1, minor: 31 })).toBeGreaterThan(0);
});

test.each([
  ['registry.example:5000/a/b:v1', 'v1'],
  ['registry.example:5000/a/b:v1@sha256:abc', 'v1'],
  ['registry.example:5000/a/b@sha256:abc', undefined],
  ['registry.example:5000/a/b', 'latest'],
])('tag of %s', (image, tag) => expect(tagOf(image)).toBe(tag));
