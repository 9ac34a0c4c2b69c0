/**
 * Devices of the model node: those that upstream's launcher would find in its Pod if every request was granted. Pure.
 */
import { keys } from '../../../api/keys';
import type { GPU, HostDevice, VirtualMachineInstance } from '../../../api';
import type { ClusterConfig } from '../../../api/cluster-config';
import type { DeviceFacts, HostDeviceSource, InterfaceSource } from '../../../runtime/launcher/domain/device-facts';
import { allocate } from '../../../runtime/launcher/domain/host-devices/allocate';
import { type ModelClaims, modelDisks } from './disks';

/** PCI bus of each list's devices; slots count from 1. */
const BUS = { gpus: '81', hostDevices: '82', interfaces: '83' };

/** Devices that the kubelet, Multus and DRA drivers assigned to the Pod. */
export interface ModelAllocation {
  /** Variables of device plugins: `PCI_RESOURCE_NVIDIA_COM_TU104: 0000:81:01.0,0000:81:02.0`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Network name -> PCI address of its function. */
  readonly networks?: Readonly<Record<string, string>>;
  /** `claim/request` -> its device. */
  readonly claims?: Readonly<Record<string, { readonly pci?: string; readonly mdev?: string }>>;
}

export interface DeviceModel {
  readonly config: ClusterConfig;
  /** Claims of the VMI's namespace by name; others are Filesystem. */
  readonly claims?: ModelClaims;
  readonly node?: { readonly allocation?: ModelAllocation };
}

/** NICs that QEMU attaches: passt and taps, including those that binding plugins request. */
function interfacesOf({ spec, status }: VirtualMachineInstance, { networkBindings }: ClusterConfig): InterfaceSource[] {
  const nics = spec.domain.devices.interfaces ?? [];
  return nics.map(({ name, masquerade, bridge, binding }): InterfaceSource => {
    const type = binding && networkBindings[binding.name]?.domainAttachmentType;
    if (masquerade || bridge || type === 'tap' || type === 'managedTap') return { name, attachment: 'tap' };
    const seen = status?.interfaces?.find((each) => each.name === name)?.podInterfaceName;
    return { name, attachment: 'none', podInterface: seen || 'eth0' };
  });
}

/** Kind of a device: mediated or USB if the configuration lists it as such, else PCI. */
function kindsOf({ raw }: ClusterConfig): (resource: string) => HostDeviceSource['kind'] {
  const { mediatedDevices = [], usb = [] } = raw.permittedHostDevices ?? {};
  const mediated = new Set(mediatedDevices.map(({ resourceName }) => resourceName));
  const plugged = new Set(usb.map(({ resourceName }) => resourceName));
  return (resource) => (mediated.has(resource) ? 'mdev' : plugged.has(resource) ? 'usb' : 'pci');
}

function addressOf(kind: HostDeviceSource['kind'], bus: string, ordinal: number): string {
  if (kind === 'usb') return `1:${ordinal}`;
  if (kind === 'mdev') return `${bus}000000-0000-4000-8000-${String(ordinal).padStart(12, '0')}`;
  return `0000:${bus}:${ordinal.toString(16).padStart(2, '0')}.0`;
}

/** One device for each request of a device plugin's resource; only its driver knows the device of a claim. */
function pluggedOf(
  list: 'gpus' | 'hostDevices',
  wanted: readonly (GPU | HostDevice)[],
  kindOf: (resource: string) => HostDeviceSource['kind'],
): HostDeviceSource[] {
  const ordinals = { pci: 0, mdev: 0, usb: 0 };
  const sources = wanted.flatMap(({ name, deviceName }): HostDeviceSource[] => {
    if (!deviceName) return [];
    const kind = kindOf(deviceName);
    ordinals[kind] += 1;
    return [{ list, name, kind, address: addressOf(kind, BUS[list], ordinals[kind]) }];
  });
  return (['pci', 'mdev', 'usb'] as const).flatMap((kind) => sources.filter((source) => source.kind === kind));
}

function hostDevicesOf(vmi: VirtualMachineInstance, { config, node }: DeviceModel): HostDeviceSource[] {
  if (node?.allocation) {
    const { environment = {}, networks = {}, claims = {} } = node.allocation;
    return allocate(vmi, { environment, networks, claimed: (claim, request) => claims[`${claim}/${request}`] });
  }
  const { spec } = vmi;
  const { gpus = [], hostDevices = [], interfaces = [] } = spec.domain.devices;
  const kindOf = kindsOf(config);
  return [
    ...pluggedOf('hostDevices', hostDevices, kindOf),
    ...pluggedOf('gpus', gpus, kindOf),
    ...interfaces
      .filter(({ sriov }) => sriov)
      .map(({ name }, i): HostDeviceSource => {
        return { list: 'interfaces', name, kind: 'pci', address: addressOf('pci', BUS.interfaces, i + 1) };
      }),
  ];
}

/** Facts about the devices of a domain. */
export function modelDeviceFacts(vmi: VirtualMachineInstance, model: DeviceModel): DeviceFacts {
  const { config, claims } = model;
  return {
    runtimeDir: `/var/run/kubevirt-private/${vmi.metadata.uid ?? ''}`,
    virtiofsDir: '/var/run/kubevirt/virtiofs-containers',
    reservationSocket: '/var/run/kubevirt/daemons/pr/pr-helper.sock',
    metricsSocket: '/var/run/kubevirt-private/downwardmetrics-channel/downwardmetrics.sock',
    disks: modelDisks(vmi, claims),
    interfaces: interfacesOf(vmi, config),
    hostDevices: hostDevicesOf(vmi, model),
    hasVhostNet: true,
    passtLog: '/var/run/kubevirt/passt.log',
    balloonStatsPeriod: config.memBalloonStatsPeriod,
    freePageReporting: !config.disableFreePageReporting,
    bochsForEfi: config.annotations[keys.vgaDisplayEfi] === undefined,
    logSerialConsole: !config.disableSerialConsoleLog,
  };
}
