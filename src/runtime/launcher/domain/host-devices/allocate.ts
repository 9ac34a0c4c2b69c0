/** Assigns the devices of the kubelet, Multus and DRA drivers to the VMI's requests. Pure. */
import type { GPU, HostDevice, Interface, VirtualMachineInstance } from '../../../../api';
import type { HostDeviceSource } from '../facts';
import { DomainError } from '../error';

export interface Allocation {
  /** The container's environment: device plugins pass addresses in it, by resource. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Network name -> PCI address of its function (annotation `kubevirt.io/network-info`). */
  networks: Readonly<Record<string, string | undefined>>;
  /** Device that the driver of a claim reports for a request. */
  claimed(claim: string, request: string): { pci?: string; mdev?: string } | undefined;
}

const VARIABLE = { pci: 'PCI_RESOURCE', mdev: 'MDEV_PCI_RESOURCE', usb: 'USB_RESOURCE' } as const;
type Kind = keyof typeof VARIABLE;

/** Environment variable of a resource: `PCI_RESOURCE_NVIDIA_COM_TU104` for `nvidia.com/TU104`. */
export function variableOf(kind: Kind, resource: string): string {
  return `${VARIABLE[kind]}_${resource.toUpperCase().replaceAll(/[/.]/g, '_')}`;
}

/** Addresses of a resource that are not assigned yet. */
class Pool {
  private readonly taken = new Set<string>();

  constructor(private readonly environment: Allocation['environment']) {}

  take(kind: Kind, resource: string): string | undefined {
    const listed = this.environment[variableOf(kind, resource)]?.split(',') ?? [];
    const address = listed.find((each) => each && !this.taken.has(`${kind} ${each}`));
    if (address) this.taken.add(`${kind} ${address}`);
    return address;
  }
}

const isClaimed = ({ deviceName, claimName, requestName }: GPU | HostDevice): boolean =>
  !deviceName && Boolean(claimName || requestName);

function byPlugin(
  list: 'gpus' | 'hostDevices',
  wanted: readonly (GPU | HostDevice)[],
  kinds: readonly Kind[],
  pool: Pool,
): HostDeviceSource[] {
  const plugged = wanted.filter((device) => !isClaimed(device));
  const sources = kinds.flatMap((kind) =>
    plugged.flatMap(({ name, deviceName = '' }): HostDeviceSource[] => {
      const address = pool.take(kind, deviceName);
      return address ? [{ list, name, kind, address }] : [];
    }),
  );
  for (const { name, deviceName } of plugged) {
    const count = sources.filter((source) => source.name === name).length;
    if (count === 1) continue;
    throw new DomainError(
      `spec.domain.devices.${list}`,
      `"${name}" got ${count} devices of ${deviceName}`,
      'check that its device plugin allocates one per request',
    );
  }
  return sources;
}

function byClaim(
  list: HostDeviceSource['list'],
  name: string,
  { claimName = '', requestName = '' }: { claimName?: string; requestName?: string },
  { claimed }: Allocation,
): HostDeviceSource {
  const device = claimed(claimName, requestName);
  const base = { list, name, isClaimed: true };
  // a mediated device may also report the address of its parent, which is not the guest's
  if (device?.mdev && list !== 'interfaces') return { ...base, kind: 'mdev', address: device.mdev };
  if (device?.pci) return { ...base, kind: 'pci', address: device.pci };
  throw new DomainError(
    `spec.domain.devices.${list}`,
    `"${name}": claim "${claimName}" reports no address for request "${requestName}"`,
    'use a DRA driver that reports pciBusID or mdevUUID',
  );
}

function nic(spec: Interface, vmi: VirtualMachineInstance, allocation: Allocation): HostDeviceSource {
  const claim = vmi.spec.networks?.find(({ name }) => name === spec.name)?.resourceClaim;
  if (claim) return byClaim('interfaces', spec.name, claim, allocation);
  const address = allocation.networks[spec.name];
  if (address) return { list: 'interfaces', name: spec.name, kind: 'pci', address };
  throw new DomainError(
    'spec.domain.devices.interfaces',
    `SR-IOV network "${spec.name}" gave the Pod no PCI address`,
    'check that its network attachment names an SR-IOV resource',
  );
}

/** One source for each GPU, host device and SR-IOV interface of the VMI. */
export function allocate(vmi: VirtualMachineInstance, allocation: Allocation): HostDeviceSource[] {
  const { gpus = [], hostDevices = [], interfaces = [] } = vmi.spec.domain.devices;
  const pool = new Pool(allocation.environment);
  const claims = (list: 'gpus' | 'hostDevices', wanted: readonly (GPU | HostDevice)[]): HostDeviceSource[] =>
    wanted.filter(isClaimed).map((device) => byClaim(list, device.name, device, allocation));
  return [
    ...byPlugin('hostDevices', hostDevices, ['pci', 'mdev', 'usb'], pool),
    ...claims('hostDevices', hostDevices),
    ...byPlugin('gpus', gpus, ['pci', 'mdev'], pool),
    ...claims('gpus', gpus),
    ...interfaces.filter(({ sriov, state }) => sriov && state !== 'absent').map((each) => nic(each, vmi, allocation)),
  ];
}
