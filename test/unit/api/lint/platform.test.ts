import { clusterConfig } from '../../../../src/api/cluster-config';
import { emptyWorld, lintTogether, worldOf } from '../../../../src/api/lint';
import type { KubeObject } from '../../../../src/api/meta';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const kubeVirt = (configuration: unknown = {}, metadata: object = {}): KubeObject =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt', ...metadata },
    spec: { configuration },
  }) as Manifest;
const reported = (object: KubeObject, world = emptyWorld): string[] =>
  lintTogether(object, clusterConfig(), world).map(({ rule, path }) => `${rule} ${path}`);
const gates = (...featureGates: string[]): object => ({ developerConfiguration: { featureGates } });
const at = 'spec.configuration';

test.each<[string, KubeObject, string[]]>([
  ['what is right passes', kubeVirt(gates('HostDisk', 'Snapshot', 'LiveMigration')), []],
  ['one without a spec', { apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: { name: 'kubevirt' } }, []],
  [
    'a gate that nobody knows',
    kubeVirt(gates('HostDisk', 'HostDisc')),
    [`gate-known ${at}.developerConfiguration.featureGates[1]`],
  ],
  [
    'one that is switched off',
    kubeVirt({ developerConfiguration: { disabledFeatureGates: ['Snapshots'] } }),
    [`gate-known ${at}.developerConfiguration.disabledFeatureGates[0]`],
  ],
  [
    'devices',
    kubeVirt({
      permittedHostDevices: {
        pciHostDevices: [
          { pciVendorSelector: '10de:1eb8', resourceName: 'nvidia.com/T4' },
          { pciVendorSelector: '10DE:1EB8:00', resourceName: 'T4' },
        ],
        usb: [{ resourceName: 'kubevirt.io/key', selectors: [{ vendor: '46F4', product: '1' }] }],
      },
    }),
    [
      `device-selector ${at}.permittedHostDevices.pciHostDevices[1].pciVendorSelector`,
      `device-resource ${at}.permittedHostDevices.pciHostDevices[1].resourceName`,
      `device-selector ${at}.permittedHostDevices.usb[0].selectors[0].product`,
    ],
  ],
  ['a namespace that none can have', kubeVirt({}, { namespace: 'Kube Virt' }), ['namespace-name metadata.namespace']],
  [
    'of the wrong shape, which the schema reports',
    kubeVirt({ developerConfiguration: { featureGates: 'HostDisc' } }),
    [],
  ],
  ['of no shape at all', kubeVirt('nothing'), []],
  ['a kind of that name elsewhere', { ...kubeVirt(gates('HostDisc')), apiVersion: 'example.com/v1' }, []],
])('%s', (_, object, rules) => expect(reported(object)).toEqual(rules));

test('two in one cluster', () => {
  const objects = [kubeVirt(), kubeVirt({}, { name: 'other', namespace: 'elsewhere' })];
  const world = worldOf(
    objects.map((object, i) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      name: object.metadata.name!,
      namespace: object.metadata.namespace,
      where: `file-${i}.yaml`,
      object: () => object,
    })),
  );
  for (const object of objects) expect(reported(object, world)).toEqual(['one-kubevirt metadata.name']);
});
