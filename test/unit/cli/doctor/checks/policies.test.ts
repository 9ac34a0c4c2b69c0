import { policies, policyNames } from '../../../../../src/cli/doctor/checks/policies';
import { installedBy, platformManifests } from '../../../../support/platform';
import { PlatformImages } from '../../../../../src';
import { expectRow, type Row } from '../healthy';

test('the names are those that the platform installs', () => {
  const { platform } = platformManifests(PlatformImages.of({ registry: 'r.example', tag: 'v1' }));
  const found = installedBy(platform).filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  expect(found.map(({ metadata }) => metadata.name).sort()).toEqual([...policyNames].sort());
});

test.each<Row>([
  ['policies with bindings have no problem', () => {}, []],
  [
    'a missing policy',
    (f) => f.policies.pop(),
    ['warning ValidatingAdmissionPolicy "kubevirt-instance-restriction": it does not exist'],
  ],
  [
    'a missing binding',
    (f) => (f.policyBindings = []),
    [
      'warning ValidatingAdmissionPolicies "kubevirt-node-restriction", "kubevirt-instance-restriction": it has no binding',
    ],
  ],
  ['an API server without policies', (f) => (f.absent = new Set(['policies'])), ['warning API server: it serves no']],
  ['another installation has none', (f) => [(f.policies = []), (f.deployments = [])], []],
  ['nothing is claimed about what cannot be read', (f) => (f.policies = undefined), []],
])('%s', (...row) => expectRow(policies, row));
