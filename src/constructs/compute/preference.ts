import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type {
  CPUPreferences,
  DevicePreferences,
  FeaturePreferences,
  VirtualMachinePreferenceSpec,
} from '../../api/generated/instancetype-v1beta1';
import {
  VirtualMachineClusterPreferenceObject,
  VirtualMachinePreferenceObject,
} from '../generated/instancetype-v1beta1';
import type { IPreference } from '../references';
import { Resource } from '../resource';
import { checkProps } from '../signatures';
import { quantityOfSize } from '../storage/size';
import { validateOnSynth, mistakeInCode } from '../validation';
import { renderCpuFeatures } from './cpu';
import { defined, definedOrNone } from '../defined';
import { renderFeatures } from './features';
import { renderEfi } from './firmware';
import { renderVirtualGpu } from './host-devices';
import { PreferenceProps, PreferredDevices, PreferredFirmware } from './preference-props';
import type { SizingReferenceOptions } from './sizing';
import { SizingReference } from './sizing-reference';
import { secondsOf } from '../duration';
import { withSubject } from '../subject';

/**
 * Defaults for VMs of its namespace (`instancetype.kubevirt.io/v1beta1` VirtualMachinePreference).
 *
 * @example
 * const preference = new Preference(chart, 'server', {
 *   devices: { diskBus: DiskBus.VIRTIO, rng: true },
 *   firmware: { efi: true, secureBoot: false },
 * });
 * new VirtualMachine(chart, 'web', { preference, memory: Size.gibibytes(2), disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')] });
 */
export class Preference extends Resource implements IPreference {
  /**
   * Refers to a preference that exists in the VM's namespace.
   *
   * @param name name of the object
   * @param options revision, if not the current one
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   preference: Preference.fromName('server'),
   * });
   */
  public static fromName(name: string, options: SizingReferenceOptions = {}): IPreference {
    return new SizingReference('VirtualMachinePreference', name, options);
  }

  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props defaults for guests
   */
  constructor(scope: Construct, id: string, props: PreferenceProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    const spec = withSubject(this.node.path, () => renderPreference(props));
    this.apiObject = new VirtualMachinePreferenceObject(this, 'Resource', { metadata: props.metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachinePreference' {
    return 'VirtualMachinePreference';
  }
}

/**
 * Defaults for VMs of all namespaces (`instancetype.kubevirt.io/v1beta1` VirtualMachineClusterPreference).
 *
 * @example
 * const preference = new ClusterPreference(chart, 'server', {
 *   devices: { diskBus: DiskBus.VIRTIO, rng: true },
 *   requirements: { memory: Size.gibibytes(2) },
 * });
 * new VirtualMachine(chart, 'web', { preference, memory: Size.gibibytes(2), disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')] });
 */
export class ClusterPreference extends Resource implements IPreference {
  /**
   * Refers to a preference that exists in the cluster, such as `fedora` of KubeVirt's common preferences.
   *
   * @param name name of the object
   * @param options revision, if not the current one
   * @example
   * new VirtualMachine(chart, 'web', {
   *   memory: Size.gibibytes(2),
   *   disks: [Disk.containerDisk('quay.io/containerdisks/fedora:42')],
   *   preference: ClusterPreference.fromName('fedora'),
   * });
   */
  public static fromName(name: string, options: SizingReferenceOptions = {}): IPreference {
    return new SizingReference('VirtualMachineClusterPreference', name, options);
  }

  public readonly apiObject: ApiObject;

  /**
   * @param scope chart or other construct that contains this one
   * @param id id of the construct within its scope; the object's name is generated from it
   * @param props defaults for guests
   */
  constructor(scope: Construct, id: string, props: PreferenceProps = {}) {
    super(scope, id);
    checkProps(this, new.target, props);
    const spec = withSubject(this.node.path, () => renderPreference(props));
    const { metadata } = props;
    this.apiObject = new VirtualMachineClusterPreferenceObject(this, 'Resource', { metadata, spec });
    validateOnSynth(this, { body: () => ({ spec }), locate });
  }

  /** Kind of the object. */
  public get kind(): 'VirtualMachineClusterPreference' {
    return 'VirtualMachineClusterPreference';
  }
}

function renderPreference(props: PreferenceProps): VirtualMachinePreferenceSpec {
  const { annotations, clock, machineType, requirements, storageClass } = props;
  return defined({
    annotations: annotations && { ...annotations },
    clock: clock && defined({ preferredClockOffset: clock._renderOffset(), preferredTimer: clock._renderTimers() }),
    cpu: renderCpu(props),
    devices: renderDevices(props.devices),
    features: renderFeaturePreferences(props),
    firmware: renderFirmware(props.firmware),
    machine: machineType === undefined ? undefined : { preferredMachineType: machineType },
    preferSpreadSocketToCoreRatio: props.socketToCoreRatio,
    preferredArchitecture: props.architecture?.value,
    preferredLaunchSecurity: props.launchSecurity?._render(),
    preferredSubdomain: props.subdomain,
    preferredTerminationGracePeriodSeconds: secondsOf('terminationGracePeriod', props.terminationGracePeriod),
    requirements:
      requirements &&
      definedOrNone({
        cpu: requirements.cpus === undefined ? undefined : { guest: requirements.cpus },
        memory: requirements.memory && { guest: quantityOfSize(requirements.memory) },
        architecture: requirements.architecture?.value,
      }),
    volumes: storageClass === undefined ? undefined : { preferredStorageClassName: storageClass },
  });
}

function renderCpu({ topology, cpuFeatures }: PreferenceProps): CPUPreferences | undefined {
  return definedOrNone({
    preferredCPUFeatures: cpuFeatures?.length ? renderCpuFeatures(cpuFeatures) : undefined,
    preferredCPUTopology: topology?.value as CPUPreferences['preferredCPUTopology'],
    spreadOptions: definedOrNone({ across: topology?.across?.value as 'SocketsCores', ratio: topology?.ratio }),
  });
}

function renderFeaturePreferences({ features, hyperv, firmware }: PreferenceProps): FeaturePreferences | undefined {
  const secureBoot = firmware?.efi === true && firmware.secureBoot !== false;
  const rendered = renderFeatures(features, hyperv, secureBoot);
  if (!rendered) return undefined;
  if (rendered.hypervPassthrough) {
    const remedy = 'list the enlightenments, as HyperV.windows() does';
    mistakeInCode(
      'Preference',
      'hyperv',
      'HyperV.passthrough() is not allowed in a preference',
      remedy,
      'preference-hyperv',
    );
  }
  const { acpi, apic, hyperv: own, kvm, pvspinlock, smm } = rendered;
  return defined({
    preferredAcpi: acpi,
    preferredApic: apic,
    preferredHyperv: own,
    preferredKvm: kvm,
    preferredPvspinlock: pvspinlock,
    preferredSmm: smm,
  });
}

function renderFirmware(firmware: PreferredFirmware | undefined): VirtualMachinePreferenceSpec['firmware'] {
  if (!firmware) return undefined;
  const { efi, secureBoot, persistent, useSerial } = firmware;
  return definedOrNone({
    preferredEfi: efi ? renderEfi({ secureBoot, persistent }) : undefined,
    preferredUseBios: efi === false ? true : undefined,
    preferredUseBiosSerial: useSerial,
  });
}

function renderDevices(devices: PreferredDevices | undefined): DevicePreferences | undefined {
  if (!devices) return undefined;
  const d = devices;
  return definedOrNone<DevicePreferences>({
    preferredAutoattachGraphicsDevice: d.graphics,
    preferredAutoattachInputDevice: d.inputDevice,
    preferredAutoattachMemBalloon: d.memBalloon,
    preferredAutoattachPodInterface: d.podInterface,
    preferredAutoattachSerialConsole: d.serialConsole,
    preferredBlockMultiQueue: d.blockMultiQueue,
    preferredCdromBus: d.cdromBus?.value as 'sata',
    preferredDisableHotplug: d.disableHotplug,
    preferredDiskBlockSize: d.diskBlockSize?._render(),
    preferredDiskBus: d.diskBus?.value as 'sata',
    preferredDiskCache: d.diskCache?.value as 'none',
    preferredDiskDedicatedIoThread: d.diskDedicatedIoThread,
    preferredDiskIO: d.diskIo?.value as 'native',
    preferredInputBus: d.inputBus?.value as 'usb',
    preferredInputType: d.inputType?.value as 'tablet',
    preferredInterfaceMasquerade: d.interfaceMasquerade ? {} : undefined,
    preferredInterfaceModel: d.interfaceModel?.value,
    preferredLunBus: d.lunBus?.value as 'scsi',
    preferredNetworkInterfaceMultiQueue: d.networkMultiQueue,
    preferredPanicDeviceModel: d.panicModel?.value as 'isa',
    preferredRng: d.rng ? {} : undefined,
    preferredSoundModel: d.soundModel?.value,
    preferredTPM: d.tpm?._render(),
    preferredUseVirtioTransitional: d.virtioTransitional,
    preferredVideoType: d.video?.value,
    preferredVirtualGPUOptions: renderVirtualGpu(d.virtualGpu),
  });
}

const properties: readonly (readonly [RegExp, string])[] = [
  [/^spec\.cpu\.(?:preferredCPUTopology|spreadOptions)\b.*/, 'topology'],
  [/^spec\.preferSpreadSocketToCoreRatio\b/, 'socketToCoreRatio'],
  [/^spec\.cpu\.preferredCPUFeatures\b/, 'cpuFeatures'],
  [/^spec\.features\.preferredHyperv\b.*/, 'hyperv'],
  [/^spec\.machine\b.*/, 'machineType'],
  [/^spec\.preferredArchitecture\b/, 'architecture'],
  [/^spec\.preferredLaunchSecurity\b.*/, 'launchSecurity'],
  [/^spec\.preferredSubdomain\b/, 'subdomain'],
  [/^spec\.preferredTerminationGracePeriodSeconds\b/, 'terminationGracePeriod'],
  [/^spec\.volumes\b.*/, 'storageClass'],
  [/^spec\.requirements\.cpu\b.*/, 'requirements.cpus'],
  [/^spec\.requirements\.memory\b.*/, 'requirements.memory'],
  [/^spec\.(clock|devices|features|firmware)\b.*/, '$1'],
  [/^spec\.(annotations|requirements)\b/, '$1'],
];

function locate(field: string): string | undefined {
  const found = properties.find(([pattern]) => pattern.test(field));
  return found && field.replace(found[0], found[1]);
}
