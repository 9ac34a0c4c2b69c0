import { kindNames, type KubeObject } from '../../../src/api';
import { featureGates, gateSince } from '../../../src/api/feature-gates';
import { fieldsSince, NEWEST_MINOR, servedSince } from '../../../src/api/versions/introductions';
import { lackedBy, parseTargetVersion, targetVersions } from '../../../src/api/versions/target';
import { loadSchemas } from '../../../scripts/schema/schemas';

const object = (apiVersion: string, kind: string, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'x' }, spec }) as KubeObject;
const vm = (spec: object, more: object = {}) =>
  object('kubevirt.io/v1', 'VirtualMachine', { ...more, template: { spec } });
const found = (minor: number, of: KubeObject) => lackedBy({ minor }, of).map(({ path }) => `${path}`);

test.each<[string, number, KubeObject, string[]]>([
  ['a field of a guest', 7, vm({ domain: { rebootPolicy: 'Terminate' } }), ['spec.template.spec.domain.rebootPolicy']],
  ['nothing that the version has', 8, vm({ domain: { rebootPolicy: 'Terminate' } }), []],
  [
    'a field in a list, with its index',
    7,
    vm({ domain: { devices: { interfaces: [{ name: 'a' }, { name: 'b', passtBinding: {} }] } } }),
    ['spec.template.spec.domain.devices.interfaces[1].passtBinding'],
  ],
  [
    'a field once, not what is in it',
    1,
    vm({ domain: { firmware: { acpi: { msdmNameRef: 'x' } } } }),
    ['spec.template.spec.domain.firmware.acpi'],
  ],
  ['a field of the VM itself', 2, vm({}, { updateVolumesStrategy: 'Migration' }), ['spec.updateVolumesStrategy']],
  [
    'a guest of a pool, which has an older version',
    6,
    object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', {}),
    ['apiVersion'],
  ],
  [
    'fields of a pool and of its guests',
    7,
    object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', {
      virtualMachineTemplate: { spec: { template: { spec: { serviceAccountName: 'x' } } } },
    }),
    ['spec.virtualMachineTemplate.spec.template.spec.serviceAccountName'],
  ],
  [
    'a field of a cluster-wide preference',
    3,
    object('instancetype.kubevirt.io/v1beta1', 'VirtualMachineClusterPreference', { firmware: { preferredEfi: {} } }),
    ['spec.firmware.preferredEfi'],
  ],
  [
    'feature gates',
    7,
    object('kubevirt.io/v1', 'KubeVirt', {
      configuration: { developerConfiguration: { featureGates: ['Snapshot', 'IOMMUFD'] } },
    }),
    ['spec.configuration.developerConfiguration.featureGates[1]'],
  ],
  ['nothing of kinds of others', 0, object('apps/v1', 'VirtualMachinePool', { autohealing: {} }), []],
])('reports %s', (_, minor, given, paths) => expect(found(minor, given)).toEqual(paths));

test('the finding names both versions and what the older one serves', () => {
  const [finding] = lackedBy({ minor: 6 }, object('pool.kubevirt.io/v1beta1', 'VirtualMachinePool', {}));
  expect(finding).toMatchObject({
    rule: 'kubevirt-version',
    cause: 'pool.kubevirt.io/v1beta1 VirtualMachinePool exists since KubeVirt 1.7, and the target is 1.6',
    remedy: 'write it as pool.kubevirt.io/v1alpha1, or target KubeVirt 1.7',
  });
});

test('reads versions as releases write them', () => {
  expect(['1.6', 'v1.6', 'v1.6.2'].map(parseTargetVersion)).toEqual([{ minor: 6 }, { minor: 6 }, { minor: 6 }]);
  expect(['', '6', '0.59', '1.99', '1.6-rc', 'latest'].map(parseTargetVersion)).toEqual(Array(6).fill(undefined));
  expect([targetVersions[0], targetVersions.at(-1)]).toEqual(['1.0', '1.9']);
});

test('every gate is as old as a version of KubeVirt, or of its development branch', () => {
  const versions = new Set(featureGates.map(gateSince));
  expect([...versions].sort((a, b) => a - b)).toEqual(Array.from({ length: NEWEST_MINOR + 2 }, (_, minor) => minor));
  expect([gateSince('Snapshot'), gateSince('IOMMUFD'), gateSince('Unknown')]).toEqual([0, 9, 0]);
});

test('the tables name kinds and fields of the API', () => {
  const kinds = Object.keys(servedSince).map((name) => name.split('/').at(-1)!);
  expect(kinds.filter((kind) => !(kindNames() as string[]).includes(kind))).toEqual([]);
  expect(Object.keys(fieldsSince).filter((kind) => !kinds.includes(kind))).toEqual([]);
  const text = JSON.stringify(loadSchemas());
  const names = Object.values(fieldsSince).flatMap((fields) =>
    Object.keys(fields).map((path) => path.split('.').at(-1)!),
  );
  expect(names.filter((name) => !text.includes(`"${name}":`))).toEqual([]);
});
