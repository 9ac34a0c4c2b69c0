import { clusterConfig } from '../../../src/api';
import { configured } from './fixtures';

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

test('fields without an architecture mean amd64', () => {
  const config = configured({
    machineType: 'pc-q35-9.0',
    architectureConfiguration: { arm64: { machineType: 'virt-9.0' } },
  });
  expect(config.architecture('amd64').machineType).toBe('pc-q35-9.0');
  expect(config.architecture(undefined).machineType).toBe('pc-q35-9.0');
  expect(config.architecture('arm64').machineType).toBe('virt-9.0');
  expect(config.architecture('s390x').machineType).toBe('s390-ccw-virtio');
});

test('post-copy implies that the workload may be disrupted, unless said otherwise', () => {
  expect(configured({ migrations: { allowPostCopy: true } }).migrations.allowWorkloadDisruption).toBe(true);
  const said = configured({ migrations: { allowPostCopy: true, allowWorkloadDisruption: false } });
  expect(said.migrations.allowWorkloadDisruption).toBe(false);
});
