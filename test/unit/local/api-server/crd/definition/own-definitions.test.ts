import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PlatformImages } from '../../../../../../src';
import { evaluatePolicy } from '../../../../../../src/local/api-server/admission/policy/evaluate';
import { Policy } from '../../../../../../src/local/api-server/admission/policy/types';
import { admissionPolicyKinds } from '../../../../../../src/local/api-server/kinds/admission-policy';
import { validateCrd } from '../../../../../../src/local/api-server/crd/definition/rules';
import { toCel } from '../../../../../../src/local/api-server/schema/cel';
import { AnyObject } from '../../../../../../src/local/api-server/types';
import { Fields } from '../../../../../../src/local/api-server/validation/fields';
import { installedBy, platformManifests } from '../../../../../support/platform';

const root = resolve(__dirname, '../../../../../..');
const crds = JSON.parse(readFileSync(resolve(root, 'src/api/generated/crds.json'), 'utf8')) as AnyObject[];

test.each(crds.map((crd) => [crd.metadata.name, crd] as const))('%s is valid', (_, crd) => {
  const storedVersions = crd.spec.versions.flatMap((v: { name: string; storage: boolean }) =>
    v.storage ? [v.name] : [],
  );
  expect(validateCrd({ ...crd, status: { storedVersions } })).toEqual([]);
});

const images = PlatformImages.of({ registry: 'registry.example/virt8s', tag: 'v1.0.0' });
const objects = installedBy(platformManifests(images).platform) as unknown as AnyObject[];

test('the admission policies of the platform are valid', () => {
  const checked = objects.flatMap((object) => {
    const kind = admissionPolicyKinds.find((item) => item.kind === object.kind);
    if (!kind) return [];
    kind.decode(object);
    const fields = Fields.root();
    kind.validate(object, fields);
    return [fields.causes];
  });
  expect(checked.length).toBeGreaterThan(1);
  expect(checked.flat()).toEqual([]);
});

const node = (labels: object, spec: object = {}) => ({ metadata: { name: 'a', labels }, spec });

test.each([
  ['a label of the platform', node({ 'kubevirt.io/schedulable': 'true', x: 'y' }), true],
  ['a label of somebody else', node({ x: 'z' }), false],
  ['a field of the spec', node({ x: 'y' }, { unschedulable: true }), false],
])('the policy about Nodes evaluates the change of %s', (_, object, accepted) => {
  const policy = objects.find(
    ({ kind, spec }) =>
      kind === 'ValidatingAdmissionPolicy' && JSON.stringify(spec.matchConstraints.resourceRules).includes('"nodes"'),
  );
  const [, username] = /'(.*)'/.exec(String(policy?.spec.matchConditions[0].expression)) ?? [];
  const given = {
    object,
    oldObject: node({ x: 'y' }),
    request: { userInfo: { username, extra: { 'authentication.kubernetes.io/node-name': ['a'] } } },
  };
  const { denials } = evaluatePolicy(policy as Policy, toCel(given, undefined) as Record<string, unknown>);
  expect(denials.map(({ message }) => message)).toHaveLength(accepted ? 0 : 1);
  for (const { message } of denials) expect(message).not.toContain('resulted in error');
});
