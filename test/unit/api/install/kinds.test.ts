import { installedKinds, isInstalledKind } from '../../../../src/api/install/kinds';
import { builtinSchema } from '../../../../src/local/api-server/schema';

test.each(Object.entries(installedKinds))('%s is a kind of Kubernetes', (name, { group, version, kind, plural }) => {
  expect(kind).toBe(name);
  expect(builtinSchema(group, version, kind)).toBeDefined();
  expect(plural).toBe(name === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : `${name.toLowerCase()}s`);
});

test.each([
  ['Deployment', true],
  ['Pod', false],
  ['deployment', false],
  ['constructor', false],
  ['', false],
])('%j is installed: %s', (name, want) => expect(isInstalledKind(name)).toBe(want));
