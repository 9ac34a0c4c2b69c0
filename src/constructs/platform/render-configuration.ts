import type {
  InterfaceBindingPlugin,
  KubeVirtConfiguration,
  MediatedDevicesConfiguration,
  MigrationConfiguration,
  NetworkConfiguration,
  PermittedHostDevices,
} from '../../api/generated/kubevirt-v1';
import type { MigrationSettings, PlatformConfiguration } from './configuration';
import type { BindingPlugin } from './configuration-choices';
import type { MediatedDeviceType, PermittedHostDevice } from './host-devices';
import { defined, definedOrNone } from '../defined';
import { quantityOf } from './objects';
import { secondsOf } from '../duration';

/** Renders `spec.configuration`. Pure: unset properties are left out, so that KubeVirt's defaults apply. */
export function renderConfiguration(
  given: PlatformConfiguration,
  featureGates: readonly string[],
): KubeVirtConfiguration {
  const { memoryOverheadRatio, maxGuestMemory } = given;
  const rendered: object = {
    ...section('developerConfiguration', {
      featureGates: featureGates.length > 0 ? [...featureGates] : undefined,
      disabledFeatureGates: given.disabledFeatureGates && [...given.disabledFeatureGates],
      useEmulation: given.useEmulation,
      cpuAllocationRatio: given.cpuAllocationRatio,
      memoryOvercommit: given.memoryOvercommit,
      nodeSelectors: given.nodeSelector && { ...given.nodeSelector },
      logVerbosity: given.launcherVerbosity === undefined ? undefined : { virtLauncher: given.launcherVerbosity },
    }),
    ...section('network', network(given)),
    ...section('migrations', migrations(given.migrations ?? {})),
    ...section('permittedHostDevices', permitted(given.permittedHostDevices ?? [])),
    ...section('mediatedDevicesConfiguration', mediated(given.mediatedDevices ?? [])),
    ...section('architectureConfiguration', section('amd64', { machineType: given.machineType })),
    ...section('liveUpdateConfiguration', {
      maxGuest: maxGuestMemory && quantityOf(maxGuestMemory),
      maxCpuSockets: given.maxCpuSockets,
    }),
    ...section('instancetype', { referencePolicy: given.instancetypeReferencePolicy?.value }),
    ...section('tlsConfiguration', {
      minTLSVersion: given.leastTlsVersion?.value,
      ciphers: given.tlsCiphers && [...given.tlsCiphers],
    }),
    ...section('changedBlockTrackingLabelSelectors', {
      namespaceLabelSelector: given.changedBlockTracking?.namespaces,
      virtualMachineLabelSelector: given.changedBlockTracking?.virtualMachines,
    }),
    ...section('persistentReservationConfiguration', { enabled: given.persistentReservation }),
    ...section('virtualMachineOptions', {
      // the presence of each field disables its feature
      disableSerialConsoleLog: given.serialConsoleLog === false ? {} : undefined,
      disableFreePageReporting: given.freePageReporting === false ? {} : undefined,
    }),
    ...section('smbios', { ...given.machineIdentity }),
    ...defined({
      additionalGuestMemoryOverheadRatio: memoryOverheadRatio === undefined ? undefined : `${memoryOverheadRatio}`,
      autoCPULimitNamespaceLabelSelector: given.autoCpuLimitNamespaces,
      memBalloonStatsPeriod: secondsOf('memoryStatsPeriod', given.memoryStatsPeriod),
      obsoleteCPUModels:
        given.obsoleteCpuModels && Object.fromEntries(given.obsoleteCpuModels.map((name) => [name, true])),
      selinuxLauncherType: given.selinuxLauncherType,
      cpuModel: given.cpuModel,
      cpuRequest: given.cpuRequest,
      evictionStrategy: given.evictionStrategy?.value,
      imagePullPolicy: given.imagePullPolicy?.value,
      vmRolloutStrategy: given.rolloutStrategy?.value,
      roleAggregationStrategy: given.aggregateRoles === false ? 'Manual' : undefined,
      vmStateStorageClass: given.vmStateStorageClass,
      defaultRuntimeClass: given.runtimeClass,
      virtualMachineInstancesPerNode: given.guestsPerNode,
      ksmConfiguration: given.ksmNodes && { nodeLabelSelector: given.ksmNodes },
    }),
  };
  return merged(rendered, given.raw ?? {}) as KubeVirtConfiguration;
}

/** Returns a section with its name; without fields if it is empty. */
function section(name: string, fields: object): object {
  const known = definedOrNone(fields);
  return known ? { [name]: known } : {};
}

function network(given: PlatformConfiguration): NetworkConfiguration {
  const bindings = Object.entries(given.networkBindings ?? {});
  return {
    defaultNetworkInterface: given.defaultInterface?.value,
    permitBridgeInterfaceOnPodNetwork: given.bridgeOnPodNetwork,
    binding: bindings.length > 0 ? Object.fromEntries(bindings.map(([name, of]) => [name, binding(of)])) : undefined,
  };
}

function binding(given: BindingPlugin): InterfaceBindingPlugin {
  return defined({
    sidecarImage: given.sidecarImage,
    networkAttachmentDefinition: given.networkAttachment,
    domainAttachmentType: given.domainAttachment?.value as InterfaceBindingPlugin['domainAttachmentType'],
    downwardAPI: given.deviceInfo ? 'device-info' : undefined,
    migration: given.migrates ? { method: 'link-refresh' } : undefined,
  });
}

function migrations(given: MigrationSettings): MigrationConfiguration {
  return {
    parallelMigrationsPerCluster: given.parallelPerCluster,
    parallelOutboundMigrationsPerNode: given.parallelOutboundPerNode,
    bandwidthPerMigration: given.bandwidth && quantityOf(given.bandwidth),
    completionTimeoutPerGiB: secondsOf('completionTimeoutPerGib', given.completionTimeoutPerGib),
    progressTimeout: secondsOf('progressTimeout', given.progressTimeout),
    maxDowntimeMs: given.maxDowntime?.toMilliseconds(),
    allowAutoConverge: given.allowAutoConverge,
    allowPostCopy: given.allowPostCopy,
    network: given.network,
  };
}

function permitted(devices: readonly PermittedHostDevice[]): PermittedHostDevices {
  const of = (list: ReturnType<PermittedHostDevice['_list']>): object[] | undefined => {
    const found = devices.filter((device) => device._list() === list).map((device) => device._render());
    return found.length > 0 ? found : undefined;
  };
  return {
    pciHostDevices: of('pciHostDevices'),
    mediatedDevices: of('mediatedDevices'),
    usb: of('usb'),
  } as PermittedHostDevices;
}

function mediated(types: readonly MediatedDeviceType[]): MediatedDevicesConfiguration {
  const all = types.filter(({ nodeSelector }) => !nodeSelector).flatMap((type) => type.types);
  const some = types.flatMap(({ types: names, nodeSelector }) =>
    nodeSelector ? [{ nodeSelector: { ...nodeSelector }, mediatedDeviceTypes: [...names] }] : [],
  );
  return {
    mediatedDeviceTypes: all.length > 0 ? all : undefined,
    nodeMediatedDeviceTypes: some.length > 0 ? some : undefined,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges `over` into a copy of `under`, field by field. */
function merged(under: object, over: object): object {
  const result = new Map<string, unknown>(Object.entries(under));
  for (const [field, value] of Object.entries(over)) {
    const below = result.get(field);
    result.set(field, isObject(value) && isObject(below) ? merged(below, value) : value);
  }
  return Object.fromEntries(result);
}
