/** Devices of the node for the guest: PCI, mediated and USB devices, GPUs, and SR-IOV functions as NICs. */
import type { GPU, Interface, VGPUOptions, VirtualMachineInstance } from '../../../api';
import type { DomainFacts, HostDeviceSource } from './facts';
import { pciAddress } from './pci';
import { type Child, type Element, el } from './xml';

type Display = { display?: string; ramfb?: string };

const PREFIX = {
  hostDevices: { plugin: 'hostdevice-', claim: 'dra-hostdevice-' },
  gpus: { plugin: 'gpu-', claim: 'dra-gpu-' },
  interfaces: { plugin: 'sriov-', claim: 'sriov-' },
};

function aliasOf({ list, kind, isClaimed, name }: HostDeviceSource): Element {
  const prefix = kind === 'usb' ? 'usb-host-' : PREFIX[list][isClaimed ? 'claim' : 'plugin'];
  return el('alias', { name: `ua-${prefix}${name}` });
}

/** Display options of a vGPU: a display, and a framebuffer in memory until its driver runs. */
function displayOf({ display }: VGPUOptions, isEnabled: boolean): Display {
  if (!isEnabled) return {};
  return { display: 'on', ramfb: display?.ramFB?.enabled === false ? undefined : 'on' };
}

/** A mediated device has a display unless it is disabled; a PCI device, whose kind is unknown, only if it is enabled. */
function gpuDisplay({ virtualGPUOptions }: GPU, { kind, isClaimed }: HostDeviceSource): Display {
  const display = virtualGPUOptions?.display;
  if (!display) return {};
  if (kind === 'mdev') return displayOf(virtualGPUOptions, display.enabled !== false);
  return isClaimed ? {} : displayOf(virtualGPUOptions, display.enabled === true);
}

/** Without display options, the first vGPU of each kind of allocation has the display. */
function displaysOf(
  gpus: readonly GPU[],
  sources: readonly HostDeviceSource[],
): ReadonlyMap<HostDeviceSource, Display> {
  const options = new Map(gpus.map((gpu) => [gpu.name, gpu]));
  const isChosen = gpus.some(({ virtualGPUOptions }) => virtualGPUOptions?.display);
  if (isChosen) return new Map(sources.map((source) => [source, gpuDisplay(options.get(source.name)!, source)]));
  const vgpus = sources.filter(({ kind }) => kind === 'mdev');
  const first = [vgpus.find(({ isClaimed }) => !isClaimed), vgpus.find(({ isClaimed }) => isClaimed)];
  return new Map(first.flatMap((source) => (source ? [[source, { display: 'on', ramfb: 'on' }]] : [])));
}

/** Crypto adapters of s390x are mediated devices of another driver; only claims can refer to them. */
function mdevModel({ list, isClaimed }: HostDeviceSource, { architecture }: DomainFacts): string {
  return list === 'hostDevices' && isClaimed && architecture === 's390x' ? 'vfio-ap' : 'vfio-pci';
}

function sourceAddress({ kind, address }: HostDeviceSource, at: string): Child {
  if (kind === 'pci') return pciAddress(address, at);
  if (kind === 'mdev') return el('address', { uuid: address });
  const [bus, device] = address.split(':');
  return el('address', { bus, device });
}

function hostDevice(source: HostDeviceSource, facts: DomainFacts, display: Display, guest: Child[]): Element {
  const { kind } = source;
  return el(
    'hostdev',
    {
      type: kind,
      managed: kind === 'pci' ? 'no' : undefined,
      mode: kind === 'pci' ? undefined : 'subsystem',
      model: kind === 'mdev' ? mdevModel(source, facts) : undefined,
      ...display,
    },
    el('source', {}, sourceAddress(source, `the address of "${source.name}"`)),
    ...guest,
    aliasOf(source),
  );
}

/** MAC, boot order and similar elements of a NIC's function. */
function guestParts({ bootOrder, pciAddress: address }: Interface, at: string): Child[] {
  return [
    bootOrder === undefined ? undefined : el('boot', { order: bootOrder }),
    pciAddress(address, `${at}.pciAddress`),
  ];
}

/** `<hostdev>` elements: host devices, GPUs, NICs; in each list, devices of device plugins before those of claims. */
export function hostDevices({ spec }: VirtualMachineInstance, facts: DomainFacts): Element[] {
  const of = (list: HostDeviceSource['list']): HostDeviceSource[] => {
    const sources = facts.hostDevices.filter((source) => source.list === list);
    return [...sources.filter(({ isClaimed }) => !isClaimed), ...sources.filter(({ isClaimed }) => isClaimed)];
  };
  const { gpus = [], interfaces = [] } = spec.domain.devices;
  const gpuSources = of('gpus');
  const displays = displaysOf(gpus, gpuSources);
  return [
    ...of('hostDevices').map((source) => hostDevice(source, facts, {}, [])),
    ...gpuSources.map((source) => hostDevice(source, facts, displays.get(source) ?? {}, [])),
    ...of('interfaces').map((source) => {
      const index = interfaces.findIndex(({ name }) => name === source.name);
      return hostDevice(source, facts, {}, guestParts(interfaces[index]!, `spec.domain.devices.interfaces[${index}]`));
    }),
  ];
}
