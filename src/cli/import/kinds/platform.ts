/** The KubeVirt object. Pure. */
import { type Expression, value } from '../expression';
import type { Mapping, Surroundings } from './kind';
import {
  choice,
  type Fields,
  fieldsOf,
  flag,
  milliseconds,
  number,
  seconds,
  secondsText,
  size,
  some,
  text,
  textMap,
  texts,
} from './values';

export const kubeVirt: Mapping = ({ spec }, around) => {
  const { configuration, uninstallStrategy, workloadUpdateStrategy } = fieldsOf(spec);
  const { workloadUpdateMethods: methods, batchEvictionSize, batchEvictionInterval } = fieldsOf(workloadUpdateStrategy);
  const has = (method: string): Expression | undefined =>
    Array.isArray(methods) && methods.includes(method) ? value(true) : undefined;
  return {
    construct: 'KubeVirt',
    props: {
      configuration: configurationOf(fieldsOf(configuration), around),
      uninstallStrategy: choice(around, 'UninstallStrategy', uninstallStrategy),
      workloadUpdate: some({
        liveMigrate: has('LiveMigrate'),
        evict: has('Evict'),
        batchSize: number(batchEvictionSize),
        batchInterval: secondsText(batchEvictionInterval),
      }),
    },
    rest: { property: 'configuration.raw', path: ['spec', 'configuration'] },
  };
};

function configurationOf(given: Fields, around: Surroundings): Expression | undefined {
  const developer = fieldsOf(given.developerConfiguration);
  const { defaultNetworkInterface, permitBridgeInterfaceOnPodNetwork } = fieldsOf(given.network);
  const { maxGuest, maxCpuSockets } = fieldsOf(given.liveUpdateConfiguration);
  const { minTLSVersion, ciphers } = fieldsOf(given.tlsConfiguration);
  return some({
    featureGates: texts(developer.featureGates),
    disabledFeatureGates: texts(developer.disabledFeatureGates),
    useEmulation: flag(developer.useEmulation),
    cpuAllocationRatio: number(developer.cpuAllocationRatio),
    memoryOvercommit: number(developer.memoryOvercommit),
    nodeSelector: textMap(developer.nodeSelectors),
    cpuModel: text(given.cpuModel),
    cpuRequest: text(given.cpuRequest),
    machineType: text(fieldsOf(fieldsOf(given.architectureConfiguration).amd64).machineType),
    evictionStrategy: choice(around, 'EvictionStrategy', given.evictionStrategy),
    imagePullPolicy: choice(around, 'PullPolicy', given.imagePullPolicy),
    migrations: migrationsOf(fieldsOf(given.migrations)),
    defaultInterface: choice(around, 'DefaultInterface', defaultNetworkInterface),
    bridgeOnPodNetwork: flag(permitBridgeInterfaceOnPodNetwork),
    rolloutStrategy: choice(around, 'RolloutStrategy', given.vmRolloutStrategy),
    maxGuestMemory: size(maxGuest),
    maxCpuSockets: number(maxCpuSockets),
    instancetypeReferencePolicy: choice(around, 'ReferencePolicy', fieldsOf(given.instancetype).referencePolicy),
    vmStateStorageClass: text(given.vmStateStorageClass),
    runtimeClass: text(given.defaultRuntimeClass),
    guestsPerNode: number(given.virtualMachineInstancesPerNode),
    leastTlsVersion: choice(around, 'LeastTlsVersion', minTLSVersion),
    tlsCiphers: texts(ciphers),
    memoryStatsPeriod: seconds(given.memBalloonStatsPeriod),
    selinuxLauncherType: text(given.selinuxLauncherType),
  });
}

const migrationsOf = (given: Fields): Expression | undefined =>
  some({
    parallelPerCluster: number(given.parallelMigrationsPerCluster),
    parallelOutboundPerNode: number(given.parallelOutboundMigrationsPerNode),
    bandwidth: size(given.bandwidthPerMigration),
    completionTimeoutPerGib: seconds(given.completionTimeoutPerGiB),
    progressTimeout: seconds(given.progressTimeout),
    maxDowntime: milliseconds(given.maxDowntimeMs),
    allowAutoConverge: flag(given.allowAutoConverge),
    allowPostCopy: flag(given.allowPostCopy),
    network: text(given.network),
  });
