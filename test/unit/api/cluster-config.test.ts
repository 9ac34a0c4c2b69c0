import { clusterConfig, KubeVirtConfiguration } from '../../../src/api';
import { gateNotice } from '../../../src/api/feature-gates';
import { configured, gated } from './fixtures';

const gates = (...featureGates: string[]) => ({ developerConfiguration: { featureGates } });

test('without a KubeVirt object the documented defaults hold', () => {
  const config = clusterConfig();
  expect(config).toMatchObject({
    installNamespace: 'kubevirt',
    useEmulation: false,
    cpuAllocationRatio: 10,
    evictionStrategy: 'None',
    defaultNetworkInterface: 'bridge',
    maxHotplugRatio: 4,
    vmRolloutStrategy: 'LiveUpdate',
    memBalloonStatsPeriod: 10,
  });
  expect(config.migrations).toMatchObject({
    parallelMigrationsPerCluster: 5,
    completionTimeoutPerGiB: 150,
    maxDowntimeMs: 900,
  });
  expect(config.architecture('s390x').machineType).toBe('s390-ccw-virtio');
});

test('a gate: GA before enabled before disabled before beta', () => {
  const config = configured({
    developerConfiguration: {
      featureGates: ['Sidecar', 'Snapshot'],
      disabledFeatureGates: ['LiveMigration', 'Snapshot', 'ImageVolume'],
    },
  });
  expect(config.hasGate('LiveMigration')).toBe(true); // GA
  expect(config.hasGate('Sidecar')).toBe(true); // alpha, enabled
  expect(config.hasGate('Snapshot')).toBe(true); // enabled beats disabled
  expect(config.hasGate('ImageVolume')).toBe(false); // beta, disabled
  expect(config.hasGate('PasstBinding')).toBe(true); // beta
  expect(config.hasGate('HostDisk')).toBe(false); // alpha
  expect(config.hasGate('HotplugVolumes')).toBe(false); // deprecated
});

test('fields without an architecture beat those with one', () => {
  const config = configured({
    machineType: 'pc-q35-9.0',
    architectureConfiguration: { arm64: { machineType: 'virt-9.0', emulatedMachines: ['virt-9*'] } },
  });
  expect(config.architecture('amd64').machineType).toBe('pc-q35-9.0');
  expect(config.architecture('arm64').machineType).toBe('pc-q35-9.0');
  expect(config.architecture('arm64').emulatedMachines).toEqual(['virt-9*']);
});

test('an unknown architecture has the defaults of amd64', () =>
  expect(clusterConfig().architecture('ppc64le').machineType).toBe('q35'));

test.each<[string, KubeVirtConfiguration, string]>([
  ['a pull policy', { imagePullPolicy: 'Sometimes' as 'Always' }, 'invalid dev.imagePullPolicy in config: Sometimes'],
  ['an overcommit', { developerConfiguration: { memoryOvercommit: -1 } }, 'invalid memoryOvercommit in ConfigMap: -1'],
  [
    'a CPU ratio',
    { developerConfiguration: { cpuAllocationRatio: -1 } },
    'invalid cpu allocation ratio in ConfigMap: -1',
  ],
  [
    'a tolerance',
    { developerConfiguration: { pvcTolerateLessSpaceUpToPercent: 101 } },
    'invalid lessPVCSpaceToleration in ConfigMap: 101',
  ],
  [
    'a default network',
    { network: { defaultNetworkInterface: 'sriov' } },
    'invalid default-network-interface in config: sriov',
  ],
])('a configuration with %s that cannot be meant is not used at all', (_, configuration, problem) => {
  const config = configured({ cpuModel: 'Haswell', ...configuration });
  expect(config.problem).toBe(problem);
  expect(config.cpuModel).toBeUndefined();
});

test('persistent reservation follows its own switch, else the gate by name', () => {
  expect(clusterConfig().persistentReservation).toBe(false);
  expect(gated('PersistentReservation').persistentReservation).toBe(true);
  const off = { persistentReservationConfiguration: { enabled: false } };
  expect(configured({ ...off, ...gates('PersistentReservation') }).persistentReservation).toBe(false);
});

test('a gate without effect is reported', () => {
  expect(gateNotice('LiveMigration')).toMatch(/^feature gate LiveMigration is deprecated .*"General Availability"/);
  expect(gateNotice('Passt')).toMatch(/^Passt network binding is discontinued/);
  expect(gateNotice('Sidecar')).toBeUndefined();
  expect(gateNotice('NoSuchGate')).toBeUndefined();
});

test('post-copy implies that the workload may be disrupted, unless that is set to false', () => {
  expect(configured({ migrations: { allowPostCopy: true } }).migrations.allowWorkloadDisruption).toBe(true);
  const said = configured({ migrations: { allowPostCopy: true, allowWorkloadDisruption: false } });
  expect(said.migrations.allowWorkloadDisruption).toBe(false);
});
