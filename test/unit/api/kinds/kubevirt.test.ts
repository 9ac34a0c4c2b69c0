import { created, cluster, deleted, type Loose, object, updated, warned } from './fixtures';

const kubeVirt = (spec: object = {}, status?: object): Loose => ({
  ...object('kubevirt.io/v1', 'KubeVirt', spec),
  ...(status && { status }),
});
const configured = (configuration: object): Loose => kubeVirt({ configuration });
const certificates = (selfSigned: object): Loose => kubeVirt({ certificateRotateStrategy: { selfSigned } });
const signed = 'spec.certificateRotateStrategy.selfSigned';
const config = 'spec.configuration';
const profile = `${config}.seccompConfiguration.virtualMachineInstanceProfile.customProfile`;

const cases: [string, Loose, string[]][] = [
  ['an empty one', kubeVirt(), []],
  [
    'a patch',
    kubeVirt({
      customizeComponents: { patches: [{ patch: '{}', resourceName: 'a', resourceType: 'b', type: 'json' }] },
    }),
    [],
  ],
  [
    'a broken patch',
    kubeVirt({
      customizeComponents: { patches: [{ patch: '{', resourceName: 'a', resourceType: 'b', type: 'json' }] },
    }),
    ['component-patch spec.customizeComponents.patches[0].patch as nothing'],
  ],
  [
    'a short authority',
    certificates({ ca: { duration: '12h' } }),
    [`certificate-duration ${signed}.server.duration as nothing`],
  ],
  [
    'renewal after the end',
    certificates({ server: { duration: '1h', renewBefore: '2h' } }),
    [`certificate-duration ${signed}.server.renewBefore as nothing`],
  ],
  [
    "an authority's renewal after its end",
    certificates({ ca: { duration: '48h', renewBefore: '72h' } }),
    [`certificate-duration ${signed}.ca.renewBefore as nothing`],
  ],
  [
    'old and new intervals',
    certificates({ caRotateInterval: '100h', ca: {} }),
    [`certificate-intervals ${signed} as nothing`],
  ],
  ['no duration', certificates({ ca: { duration: 'long' } }), [`duration ${signed}.ca.duration as nothing`]],
  [
    'durations that fit',
    certificates({ ca: { duration: '48h', renewBefore: '1h30m' }, server: { duration: '24h' } }),
    [],
  ],
  ['a ratio', configured({ additionalGuestMemoryOverheadRatio: '1.5' }), []],
  [
    'a small ratio',
    configured({ additionalGuestMemoryOverheadRatio: '0.9' }),
    [`overhead-ratio ${config}.additionalGuestMemoryOverheadRatio as nothing`],
  ],
  [
    'a ratio in words',
    configured({ additionalGuestMemoryOverheadRatio: 'two' }),
    [`overhead-ratio ${config}.additionalGuestMemoryOverheadRatio as nothing`],
  ],
  [
    'templates without their gate',
    configured({
      virtTemplateDeployment: { enabled: true },
      developerConfiguration: { disabledFeatureGates: ['Template'] },
    }),
    [`gate-template ${config}.virtTemplateDeployment.enabled`],
  ],
  [
    'roles without their gate',
    configured({
      roleAggregationStrategy: 'Manual',
      developerConfiguration: { disabledFeatureGates: ['OptOutRoleAggregation'] },
    }),
    [`gate-role-aggregation ${config}.roleAggregationStrategy`],
  ],
  [
    'a downtime without its gate',
    configured({ migrations: { maxDowntimeMs: 300 } }),
    [`migration-tuning-gate ${config}.migrations.maxDowntimeMs as ${config}.migrationConfiguration.maxDowntimeMs`],
  ],
  [
    'a downtime with its own gate',
    configured({
      migrations: { maxDowntimeMs: 300 },
      developerConfiguration: { featureGates: ['MigrationDowntimeTuning'] },
    }),
    [],
  ],
  [
    'ciphers of TLS 1.3',
    configured({ tlsConfiguration: { ciphers: ['TLS_AES_128_GCM_SHA256'] } }),
    [`tls-ciphers ${config}.tlsConfiguration.ciphers`],
  ],
  [
    'an unknown cipher',
    configured({ tlsConfiguration: { minTLSVersion: 'VersionTLS12', ciphers: ['TLS_AES_128_GCM_SHA256', 'ROT13'] } }),
    [`tls-cipher ${config}.tlsConfiguration.ciphers[1] as ${config}.tlsConfiguration.ciphers#1`],
  ],
  ['no replicas', kubeVirt({ infra: { replicas: 0 } }), ['infra-replicas spec.infra.replicas as nothing']],
  [
    'nodes by no label',
    kubeVirt({ infra: { nodePlacement: { nodeSelector: { 'a b': 'c' } } } }),
    ['node-selector spec.infra.nodePlacement.nodeSelector.a b as nothing'],
  ],
  [
    'an impossible toleration',
    kubeVirt({ workloads: { nodePlacement: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] } } }),
    ['toleration spec.workloads.nodePlacement.tolerations[0].value as nothing'],
  ],
  [
    'an empty profile',
    configured({ seccompConfiguration: { virtualMachineInstanceProfile: {} } }),
    [`seccomp-profile ${profile}`],
  ],
  [
    'two profiles',
    configured({
      seccompConfiguration: {
        virtualMachineInstanceProfile: { customProfile: { localhostProfile: 'a', runtimeDefaultProfile: true } },
      },
    }),
    [`seccomp-one ${profile}.localhostProfile`, `seccomp-one ${profile}.runtimeDefaultProfile`],
  ],
  [
    'a gate that is on and off',
    configured({ developerConfiguration: { featureGates: ['A', 'B'], disabledFeatureGates: ['B'] } }),
    [
      `gate-contradiction ${config}.developerConfiguration.featureGates[1] as ${config}.developerConfiguration.featureGates`,
    ],
  ],
];

test.each(cases)('%s', (_, given, want) => {
  expect(created(given)).toEqual(want);
  expect(updated(given, kubeVirt())).toEqual(want);
});

test('existing values are accepted', () => {
  const gates = configured({ developerConfiguration: { featureGates: ['A'], disabledFeatureGates: ['A'] } });
  expect(updated(gates, gates)).toEqual([]);
});

test('there is one', () => {
  const other = object('kubevirt.io/v1', 'KubeVirt', {}, { name: 'other' });
  expect(created(kubeVirt(), cluster(other))).toEqual(['one-kubevirt metadata.name as nothing']);
  expect(created(kubeVirt(), cluster(kubeVirt()))).toEqual([]);
});

const blocking = { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' };
const vm = { kind: 'VirtualMachine', metadata: { name: 'a', namespace: 'b' } };
test.each<[string, Loose, Loose[], string[]]>([
  [
    'with VMs stays',
    kubeVirt(blocking, { phase: 'Deployed' }),
    [vm],
    ['uninstall-blocked spec.uninstallStrategy as nothing'],
  ],
  ['without workloads can be deleted', kubeVirt(blocking, { phase: 'Deployed' }), [], []],
  ['that was never deployed can be deleted', kubeVirt(blocking), [vm], []],
  ['that removes its workloads can be deleted', kubeVirt({}, { phase: 'Deployed' }), [vm], []],
])('an installation %s', (_, given, objects, want) => expect(deleted(given, cluster(...objects))).toEqual(want));

test('warns about gates, devices and architectures of the past', () => {
  const given = configured({
    developerConfiguration: { featureGates: ['LiveMigration', 'Sidecar'] },
    mediatedDevicesConfiguration: {
      mediatedDevicesTypes: ['a'],
      nodeMediatedDeviceTypes: [{ nodeSelector: {}, mediatedDevicesTypes: ['b'] }],
    },
    architectureConfiguration: { ppc64le: {} },
  });
  expect(warned(given)).toEqual([
    expect.stringContaining('feature gate LiveMigration is deprecated'),
    'spec.configuration.mediatedDevicesConfiguration.mediatedDevicesTypes is deprecated, use mediatedDeviceTypes',
    'spec.configuration.mediatedDevicesConfiguration.nodeMediatedDeviceTypes[0].mediatedDevicesTypes is deprecated, use mediatedDeviceTypes',
    'spec.configuration.architectureConfiguration.ppc64le is deprecated and no longer supported.',
  ]);
  expect(warned(given, given)).toHaveLength(3);
});

test('a ratio of a million digits is read in one pass', () => {
  const additionalGuestMemoryOverheadRatio = `${'1'.repeat(1_000_000)}x`;
  const kubeVirt = object('kubevirt.io/v1', 'KubeVirt', { configuration: { additionalGuestMemoryOverheadRatio } });
  expect(created(kubeVirt)).toEqual([expect.stringMatching(/^overhead-ratio /)]);
});
