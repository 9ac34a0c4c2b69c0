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
  [
    'of the wrong shape, which the schema reports',
    kubeVirt({ developerConfiguration: { featureGates: 'HostDisc' } }),
    [],
  ],
  ['of no shape at all', kubeVirt('nothing'), []],
  ['a kind of that name elsewhere', { ...kubeVirt(gates('HostDisc')), apiVersion: 'example.com/v1' }, []],
])('%s', (_, object, rules) => expect(reported(object)).toEqual(rules));

const amd64 = (machineType: string, more: object = {}): object => ({
  architectureConfiguration: { amd64: { machineType, ...more } },
});
const pci = (...selectors: string[]): object => ({
  permittedHostDevices: {
    pciHostDevices: selectors.map((pciVendorSelector, i) => ({ pciVendorSelector, resourceName: `a.example/d${i}` })),
  },
});
const updates = (workloadUpdateStrategy: object): KubeObject =>
  ({ ...kubeVirt(), spec: { workloadUpdateStrategy } }) as Manifest;
const binding = (plugin: object): object => ({ network: { binding: { vdpa: plugin } } });
const machine = `machine-type ${at}.architectureConfiguration.amd64.machineType`;

test.each<[string, KubeObject, string[]]>([
  ['accepts q35', kubeVirt(amd64('q35')), []],
  ['accepts a version of q35', kubeVirt(amd64('pc-q35-rhel9.4.0')), []],
  ['reports i440fx', kubeVirt(amd64('i440fx')), [machine]],
  ['reports a version of i440fx', kubeVirt(amd64('pc-i440fx-9.0')), [machine]],
  ['reports a type of another architecture', kubeVirt(amd64('virt')), [machine]],
  ['accepts a type that the object allows', kubeVirt(amd64('pc', { emulatedMachines: ['pc*'] })), []],
  ['accepts the older field for any architecture', kubeVirt({ machineType: 'virt' }), []],
  [
    'reports an older field of no architecture',
    kubeVirt({ machineType: 'i440fx' }),
    [`machine-type ${at}.machineType`],
  ],
  [
    'reports an architecture',
    kubeVirt({ architectureConfiguration: { defaultArchitecture: 'x86_64' } }),
    [`architecture ${at}.architectureConfiguration.defaultArchitecture`],
  ],
  [
    'reports an interface',
    kubeVirt({ network: { defaultNetworkInterface: 'macvtap' } }),
    [`platform-configuration ${at}.network.defaultNetworkInterface`],
  ],
  ['accepts one guest on a node', kubeVirt({ virtualMachineInstancesPerNode: 1 }), []],
  [
    'reports no guest',
    kubeVirt({ virtualMachineInstancesPerNode: 0 }),
    [`platform-count ${at}.virtualMachineInstancesPerNode`],
  ],
  [
    'reports zeros',
    kubeVirt({
      developerConfiguration: { cpuAllocationRatio: 0, logVerbosity: { virtAPI: 0, virtLauncher: 1 } },
      migrations: { parallelMigrationsPerCluster: 0, parallelOutboundMigrationsPerNode: 0 },
    }),
    [
      `platform-count ${at}.developerConfiguration.cpuAllocationRatio`,
      `platform-count ${at}.migrations.parallelMigrationsPerCluster`,
      `platform-count ${at}.migrations.parallelOutboundMigrationsPerNode`,
      `platform-count ${at}.developerConfiguration.logVerbosity.virtAPI`,
    ],
  ],
  ['accepts 999 CPUs', kubeVirt({ cpuRequest: '999' }), []],
  ['reports 1000 CPUs', kubeVirt({ cpuRequest: '1k' }), [`platform-cpu-request ${at}.cpuRequest`]],
  ['reports a request in M', kubeVirt({ cpuRequest: '100M' }), [`platform-cpu-request ${at}.cpuRequest`]],
  [
    'reports an obsolete model',
    kubeVirt({ cpuModel: 'Haswell', obsoleteCPUModels: { Haswell: true } }),
    [`cpu-model-obsolete ${at}.cpuModel`],
  ],
  ['accepts a model that is not', kubeVirt({ cpuModel: 'Haswell', obsoleteCPUModels: { Haswell: false } }), []],
  ['accepts different devices', kubeVirt(pci('10de:1eb8', '10de:1eb9')), []],
  [
    'reports a device under two names',
    kubeVirt(pci('10de:1eb8', '10DE:1EB8')),
    [`device-selector-unique ${at}.permittedHostDevices.pciHostDevices[1].pciVendorSelector`],
  ],
  ['accepts a plugin', kubeVirt(binding({ sidecarImage: 'a.example/b:1', networkAttachmentDefinition: 'a/b' })), []],
  [
    'reports a plugin',
    kubeVirt(binding({ sidecarImage: 'https://a.example/b', networkAttachmentDefinition: 'a/b/c' })),
    [
      `image-reference ${at}.network.binding.vdpa.sidecarImage`,
      `binding-attachment ${at}.network.binding.vdpa.networkAttachmentDefinition`,
    ],
  ],
  ['accepts batches of evictions', updates({ workloadUpdateMethods: ['Evict'], batchEvictionSize: 5 }), []],
  [
    'reports batches of migrations',
    updates({ workloadUpdateMethods: ['LiveMigrate'], batchEvictionSize: 5 }),
    ['workload-batch-method spec.workloadUpdateStrategy.batchEvictionSize'],
  ],
])('%s', (_, object, rules) => expect(reported(object)).toEqual(rules));

const cdi = (config: object): KubeObject =>
  ({ apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDI', metadata: { name: 'cdi' }, spec: { config } }) as Manifest;

test.each<[string, KubeObject, string[]]>([
  ['accepts gates of the importer', cdi({ featureGates: ['HonorWaitForFirstConsumer', 'NewInTheNextVersion'] }), []],
  [
    'reports a misspelt gate',
    cdi({ featureGates: ['HonourWaitForFirstConsumer'] }),
    ['gate-known spec.config.featureGates[0]'],
  ],
  ['accepts a registry', cdi({ insecureRegistries: ['a.example:5000'] }), []],
  [
    'reports a URL',
    cdi({ insecureRegistries: ['docker://a.example'] }),
    ['cdi-registry spec.config.insecureRegistries[0]'],
  ],
])('%s', (_, object, rules) => expect(reported(object)).toEqual(rules));

const batches = (batchEvictionSize: number): KubeObject => {
  const object = kubeVirt() as Manifest;
  object.spec.workloadUpdateStrategy = { workloadUpdateMethods: ['Evict'], batchEvictionSize };
  return object;
};

test.each<[string, KubeObject, string[]]>([
  ['accepts batches of one guest', batches(1), []],
  ['reports batches of no guest', batches(0), ['workload-batch spec.workloadUpdateStrategy.batchEvictionSize']],
  ['accepts a class for the state of VMs', kubeVirt({ vmStateStorageClass: 'fast' }), []],
  ['accepts no class for the state of VMs', kubeVirt({ vmStateStorageClass: '' }), []],
  [
    'reports a class with capital letters',
    kubeVirt({ vmStateStorageClass: 'Fast' }),
    [`state-storage-class ${at}.vmStateStorageClass`],
  ],
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
