import { Chart, Duration, Size } from 'cdk8s';
import {
  BindingPlugin,
  DefaultInterface,
  DomainAttachment,
  EvictionStrategy,
  KubeVirt,
  type KubeVirtProps,
  LeastTlsVersion,
  PermittedHostDevice,
  type PlatformConfiguration,
  PullPolicy,
  ReferencePolicy,
  RolloutStrategy,
  UninstallStrategy,
} from '../../../../src';
import { propertyOf } from '../../../../src/constructs/platform/property-of';
import kubevirt from '../../../../api/schema/kubevirt.io_v1.json';
import { testApp } from '../../../support/app';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const kubeVirtOf = (props: KubeVirtProps): Manifest =>
  new KubeVirt(new Chart(testApp(), 'virt'), 'kubevirt', props).apiObject.toJson();
const rendered = (configuration: PlatformConfiguration): Manifest => kubeVirtOf({ configuration }).spec.configuration;

const plugin: BindingPlugin = {
  sidecarImage: 'registry.example/passt:1',
  networkAttachment: 'default/passt',
  domainAttachment: DomainAttachment.TAP,
  deviceInfo: true,
  migrates: true,
};

const EVERY: [keyof PlatformConfiguration, unknown, object][] = [
  ['featureGates', ['HostDisk'], { developerConfiguration: { featureGates: ['HostDisk'] } }],
  ['disabledFeatureGates', ['Snapshot'], { developerConfiguration: { disabledFeatureGates: ['Snapshot'] } }],
  ['useEmulation', true, { developerConfiguration: { useEmulation: true } }],
  ['cpuAllocationRatio', 4, { developerConfiguration: { cpuAllocationRatio: 4 } }],
  ['memoryOvercommit', 150, { developerConfiguration: { memoryOvercommit: 150 } }],
  ['nodeSelector', { role: 'virt' }, { developerConfiguration: { nodeSelectors: { role: 'virt' } } }],
  ['memoryOverheadRatio', 1.25, { additionalGuestMemoryOverheadRatio: '1.25' }],
  ['cpuModel', 'Haswell', { cpuModel: 'Haswell' }],
  ['cpuRequest', '250m', { cpuRequest: '250m' }],
  ['machineType', 'pc-q35-10.0', { architectureConfiguration: { amd64: { machineType: 'pc-q35-10.0' } } }],
  ['evictionStrategy', EvictionStrategy.LIVE_MIGRATE, { evictionStrategy: 'LiveMigrate' }],
  ['imagePullPolicy', PullPolicy.ALWAYS, { imagePullPolicy: 'Always' }],
  [
    'migrations',
    {
      parallelPerCluster: 10,
      parallelOutboundPerNode: 3,
      bandwidth: Size.mebibytes(64),
      completionTimeoutPerGib: Duration.minutes(5),
      progressTimeout: Duration.minutes(2),
      allowAutoConverge: true,
      allowPostCopy: true,
      network: 'migration',
    },
    {
      migrations: {
        parallelMigrationsPerCluster: 10,
        parallelOutboundMigrationsPerNode: 3,
        bandwidthPerMigration: '64Mi',
        completionTimeoutPerGiB: 300,
        progressTimeout: 120,
        allowAutoConverge: true,
        allowPostCopy: true,
        network: 'migration',
      },
    },
  ],
  [
    'permittedHostDevices',
    [
      PermittedHostDevice.pci('nvidia.com/T4', '10DE:1EB8'),
      PermittedHostDevice.mediated('nvidia.com/GRID_T4-1Q', 'GRID T4-1Q', { externalProvider: true }),
      PermittedHostDevice.usb('kubevirt.io/key', ['46f4:0001']),
    ],
    {
      permittedHostDevices: {
        pciHostDevices: [{ pciVendorSelector: '10DE:1EB8', resourceName: 'nvidia.com/T4' }],
        mediatedDevices: [
          { mdevNameSelector: 'GRID T4-1Q', resourceName: 'nvidia.com/GRID_T4-1Q', externalResourceProvider: true },
        ],
        usb: [{ resourceName: 'kubevirt.io/key', selectors: [{ vendor: '46f4', product: '0001' }] }],
      },
    },
  ],
  [
    'mediatedDevices',
    [{ types: ['nvidia-222'] }, { types: ['nvidia-223'], nodeSelector: { gpu: 'large' } }],
    {
      mediatedDevicesConfiguration: {
        mediatedDeviceTypes: ['nvidia-222'],
        nodeMediatedDeviceTypes: [{ nodeSelector: { gpu: 'large' }, mediatedDeviceTypes: ['nvidia-223'] }],
      },
    },
  ],
  ['defaultInterface', DefaultInterface.MASQUERADE, { network: { defaultNetworkInterface: 'masquerade' } }],
  ['bridgeOnPodNetwork', false, { network: { permitBridgeInterfaceOnPodNetwork: false } }],
  [
    'networkBindings',
    { passt: plugin },
    {
      network: {
        binding: {
          passt: {
            sidecarImage: 'registry.example/passt:1',
            networkAttachmentDefinition: 'default/passt',
            domainAttachmentType: 'tap',
            downwardAPI: 'device-info',
            migration: { method: 'link-refresh' },
          },
        },
      },
    },
  ],
  ['rolloutStrategy', RolloutStrategy.STAGE, { vmRolloutStrategy: 'Stage' }],
  ['maxGuestMemory', Size.gibibytes(64), { liveUpdateConfiguration: { maxGuest: '64Gi' } }],
  ['maxCpuSockets', 16, { liveUpdateConfiguration: { maxCpuSockets: 16 } }],
  ['instancetypeReferencePolicy', ReferencePolicy.EXPAND, { instancetype: { referencePolicy: 'expand' } }],
  ['vmStateStorageClass', 'fast', { vmStateStorageClass: 'fast' }],
  ['runtimeClass', 'kata', { defaultRuntimeClass: 'kata' }],
  ['guestsPerNode', 200, { virtualMachineInstancesPerNode: 200 }],
  [
    'ksmNodes',
    { matchLabels: { ksm: 'on' } },
    { ksmConfiguration: { nodeLabelSelector: { matchLabels: { ksm: 'on' } } } },
  ],
  ['leastTlsVersion', LeastTlsVersion.TLS_1_3, { tlsConfiguration: { minTLSVersion: 'VersionTLS13' } }],
  [
    'autoCpuLimitNamespaces',
    { matchLabels: { limit: 'cpu' } },
    { autoCPULimitNamespaceLabelSelector: { matchLabels: { limit: 'cpu' } } },
  ],
  [
    'changedBlockTracking',
    { namespaces: { matchLabels: { backup: 'yes' } }, virtualMachines: { matchLabels: { track: 'yes' } } },
    {
      changedBlockTrackingLabelSelectors: {
        namespaceLabelSelector: { matchLabels: { backup: 'yes' } },
        virtualMachineLabelSelector: { matchLabels: { track: 'yes' } },
      },
    },
  ],
  ['persistentReservation', true, { persistentReservationConfiguration: { enabled: true } }],
  ['serialConsoleLog', false, { virtualMachineOptions: { disableSerialConsoleLog: {} } }],
  ['freePageReporting', false, { virtualMachineOptions: { disableFreePageReporting: {} } }],
  ['memoryStatsPeriod', Duration.seconds(5), { memBalloonStatsPeriod: 5 }],
  [
    'machineIdentity',
    { family: 'Cloud', manufacturer: 'Example', product: 'VM', sku: 's', version: '1' },
    { smbios: { family: 'Cloud', manufacturer: 'Example', product: 'VM', sku: 's', version: '1' } },
  ],
  ['obsoleteCpuModels', ['486'], { obsoleteCPUModels: { '486': true } }],
  ['selinuxLauncherType', 'virt_launcher.process', { selinuxLauncherType: 'virt_launcher.process' }],
  ['tlsCiphers', ['ECDHE-RSA-AES128-GCM-SHA256'], { tlsConfiguration: { ciphers: ['ECDHE-RSA-AES128-GCM-SHA256'] } }],
  ['launcherVerbosity', 5, { developerConfiguration: { logVerbosity: { virtLauncher: 5 } } }],
  ['aggregateRoles', false, { roleAggregationStrategy: 'Manual' }],
  ['raw', { minCPUModel: 'none' }, { minCPUModel: 'none' }],
];

test.each(EVERY)('%s', (property, value, fields) => {
  expect(rendered({ [property]: value })).toEqual(fields);
});

test('every property is rendered by a row above, and all together make a valid object', () => {
  const all = Object.fromEntries(EVERY.map(([property, value]) => [property, value]));
  expect(Object.keys(rendered(all as PlatformConfiguration)).sort()).toEqual(
    [...new Set(EVERY.flatMap(([, , fields]) => Object.keys(fields)))].sort(),
  );
});

test('fields of the API that only raw reaches are these', () => {
  const fields = Object.keys((kubevirt as Manifest).definitions.KubeVirtConfiguration.properties);
  const reached = new Set(EVERY.filter(([property]) => property !== 'raw').flatMap(([, , of]) => Object.keys(of)));
  expect(fields.filter((field) => !reached.has(field))).toMatchInlineSnapshot(`
    [
      "apiConfiguration",
      "commonInstancetypesDeployment",
      "confidentialCompute",
      "controllerConfiguration",
      "emulatedMachines",
      "handlerConfiguration",
      "hypervisors",
      "machineType",
      "minCPUModel",
      "ovmfPath",
      "seccompConfiguration",
      "supportContainerResources",
      "supportedGuestAgentVersions",
      "virtTemplateDeployment",
      "webhookConfiguration",
    ]
  `);
});

test('a plugin that needs nothing has nothing else written', () => {
  const { deviceInfo: _d, migrates: _m, ...least } = plugin;
  expect(rendered({ networkBindings: { passt: least } }).network.binding.passt).toEqual({
    sidecarImage: 'registry.example/passt:1',
    networkAttachmentDefinition: 'default/passt',
    domainAttachmentType: 'tap',
  });
});

test('nothing said is nothing written: KubeVirt’s defaults hold', () => {
  expect(kubeVirtOf({}).spec).toEqual({ configuration: {}, uninstallStrategy: 'BlockUninstallIfWorkloadsExist' });
});

test('raw fields go over the others, field by field, and change nothing that was given', () => {
  const configuration: PlatformConfiguration = {
    useEmulation: true,
    featureGates: ['HostDisk'],
    raw: { developerConfiguration: { useEmulation: false, logVerbosity: { virtAPI: 4 } } },
  };
  const before = structuredClone(configuration);
  expect(rendered(configuration).developerConfiguration).toEqual({
    featureGates: ['HostDisk'],
    useEmulation: false,
    logVerbosity: { virtAPI: 4 },
  });
  expect(configuration).toEqual(before);
});

test('the rest of the object', () => {
  const { metadata, spec } = kubeVirtOf({
    metadata: { labels: { team: 'virt' } },
    infra: { tolerations: [{ key: 'infra', operator: 'Exists' }] },
    workloads: { nodeSelector: { virt: 'yes' } },
    uninstallStrategy: UninstallStrategy.REMOVE_WORKLOADS,
    workloadUpdate: { liveMigrate: true, evict: true, batchSize: 5, batchInterval: Duration.minutes(2) },
  });
  expect(metadata).toEqual({ name: 'kubevirt', namespace: 'kubevirt', labels: { team: 'virt' } });
  expect(spec).toEqual({
    configuration: {},
    infra: { nodePlacement: { tolerations: [{ key: 'infra', operator: 'Exists' }] } },
    workloads: { nodePlacement: { nodeSelector: { virt: 'yes' } } },
    uninstallStrategy: 'RemoveWorkloads',
    workloadUpdateStrategy: {
      workloadUpdateMethods: ['LiveMigrate', 'Evict'],
      batchEvictionSize: 5,
      batchEvictionInterval: '120s',
    },
  });
});

test('gates are added once, and are in the manifest', () => {
  const made = new KubeVirt(new Chart(testApp(), 'virt'), 'kubevirt', {
    configuration: { featureGates: ['HostDisk'] },
  });
  made.addFeatureGate('HostDisk', 'Sidecar');
  made.addFeatureGate('Sidecar');
  expect(made.featureGates).toEqual(['HostDisk', 'Sidecar']);
  expect(made.apiObject.toJson().spec.configuration.developerConfiguration.featureGates).toEqual([
    'HostDisk',
    'Sidecar',
  ]);
});

/** The fields of an object that hold a value. */
const leavesOf = (value: unknown, path: string): string[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) =>
        leavesOf(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
      )
    : [path];

test.each(EVERY.filter(([property]) => property !== 'raw'))(
  'reports a mistake in %s with its property',
  (property, _, fields) => {
    for (const field of leavesOf(fields, 'spec.configuration')) {
      expect(propertyOf(field)).toMatch(new RegExp(`^configuration\\.${property}($|[.[])`));
    }
  },
);

test.each([
  ['spec.configuration.migrations.maxDowntimeMs', 'configuration.migrations.maxDowntime'],
  ['spec.configuration.migrations.bandwidthPerMigration', 'configuration.migrations.bandwidth'],
  ['spec.configuration.migrations.parallelMigrationsPerCluster', 'configuration.migrations.parallelPerCluster'],
  [
    'spec.configuration.migrations.parallelOutboundMigrationsPerNode',
    'configuration.migrations.parallelOutboundPerNode',
  ],
  ['spec.configuration.migrations.completionTimeoutPerGiB', 'configuration.migrations.completionTimeoutPerGib'],
  ['spec.workloadUpdateStrategy.batchEvictionSize', 'workloadUpdate.batchSize'],
  ['spec.workloadUpdateStrategy.batchEvictionInterval', 'workloadUpdate.batchInterval'],
  [
    'spec.configuration.changedBlockTrackingLabelSelectors.namespaceLabelSelector.matchLabels',
    'configuration.changedBlockTracking.namespaces.matchLabels',
  ],
  [
    'spec.configuration.changedBlockTrackingLabelSelectors.virtualMachineLabelSelector',
    'configuration.changedBlockTracking.virtualMachines',
  ],
  ['spec.workloadUpdateStrategy.workloadUpdateMethods', 'workloadUpdate.workloadUpdateMethods'],
  ['spec.infra.nodePlacement.nodeSelector', 'infra.nodeSelector'],
  ['spec.configuration.developerConfiguration.featureGates[0]', 'configuration.featureGates[0]'],
  ['spec.configuration.developerConfiguration.nodeSelectors.x', 'configuration.nodeSelector.x'],
  ['spec.configuration.network.binding.passt.sidecarImage', 'configuration.networkBindings.passt.sidecarImage'],
  ['spec.configuration.migrations.progressTimeout', 'configuration.migrations.progressTimeout'],
  ['spec.workloads.nodePlacement.tolerations[1]', 'workloads.tolerations[1]'],
  ['spec.uninstallStrategy', 'uninstallStrategy'],
  ['spec.configurationX', undefined],
  ['metadata.name', undefined],
])('%s is the property %s', (field, property) => {
  expect(propertyOf(field)).toBe(property);
});
