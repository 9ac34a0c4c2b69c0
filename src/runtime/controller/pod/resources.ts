import { addQuantities, canonicalQuantity, formatQuantity, parseQuantity, quantityValue } from '../../../api/quantity';
import type { Interface, VirtualMachineInstance } from '../../../api';
import { hasDedicatedCpus, vcpusOf, wantsGuaranteed } from './input';
import type { RenderInput } from './input';
import { memoryOverhead } from './memory-overhead';
import type { ResourceRequirements } from './types';

type Amounts = Record<string, string>;

/** Overlays, logs and the like, beside what the user asks for. */
const EPHEMERAL_STORAGE = '50M';
const DEVICES = 'devices.kubevirt.io';

/** Resources of the compute container. */
export function computeResources({ vmi, config }: RenderInput): ResourceRequirements {
  const given = vmi.spec.domain.resources ?? {};
  const requests = canonical(given.requests);
  const limits = canonical(given.limits);
  const overhead = memoryOverhead(vmi, config.additionalGuestMemoryOverheadRatio).quantity;

  requests['ephemeral-storage'] = plus(requests['ephemeral-storage'], EPHEMERAL_STORAGE);
  if (limits['ephemeral-storage']) limits['ephemeral-storage'] = plus(limits['ephemeral-storage'], EPHEMERAL_STORAGE);

  requestMemory(vmi, config.memoryOvercommit, requests, limits);
  if (vmi.spec.domain.memory?.hugepages) {
    requestHugepages(vmi, overhead, requests, limits);
  } else {
    if (given.overcommitGuestOverhead !== true) requests.memory = plus(requests.memory, overhead);
    if (limits.memory) limits.memory = plus(limits.memory, overhead);
  }
  if (hasDedicatedCpus(vmi)) pinCpus(vmi, config.hasGate('AlignCPUs'), requests, limits);
  else requests.cpu ??= cpuShare(vcpusOf(vmi) + ioThreads(vmi), config.cpuAllocationRatio);

  Object.assign(limits, nodeDevices(vmi, config.useEmulation));
  for (const device of [...(vmi.spec.domain.devices.gpus ?? []), ...(vmi.spec.domain.devices.hostDevices ?? [])]) {
    if (!device.deviceName || device.claimName) continue;
    requests[device.deviceName] = plus(requests[device.deviceName], '1');
    limits[device.deviceName] = plus(limits[device.deviceName], '1');
  }
  const claims = deviceClaims(vmi);
  return { ...(claims.length > 0 && { claims }), limits, requests };
}

/** Memory for the guest itself: what is requested, else the limit, else the guest's size over the overcommit. */
function requestMemory(vmi: VirtualMachineInstance, overcommit: number, requests: Amounts, limits: Amounts): void {
  requests.memory ??= limits.memory;
  if (requests.memory) return;
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const size = guest ?? hugepages?.pageSize;
  if (size === undefined) {
    delete requests.memory;
  } else if (overcommit === 100 || hugepages || hasDedicatedCpus(vmi)) {
    requests.memory = String(canonicalQuantity(size));
  } else {
    const { nanos, format } = parseQuantity(size);
    const bytes = (nanos / 1_000_000_000n) * 100n;
    requests.memory = formatQuantity({ nanos: (bytes / BigInt(overcommit)) * 1_000_000_000n, format });
  }
}

/** The guest lives in huge pages; ordinary memory is for the overhead and for what is requested beyond the guest. */
function requestHugepages(vmi: VirtualMachineInstance, overhead: string, requests: Amounts, limits: Amounts): void {
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const kind = `hugepages-${hugepages?.pageSize}`;
  const requested = requests.memory ?? '0';
  const beyond = (amount: string): string => {
    const rest = guest === undefined ? 0n : quantityValue(amount) - quantityValue(guest);
    return rest > 0n ? addQuantities(overhead, String(rest)) : overhead;
  };
  const isBigger = guest !== undefined && quantityValue(requested) > quantityValue(guest);
  requests[kind] = isBigger ? String(canonicalQuantity(guest)) : requested;
  limits[kind] = requests[kind];
  requests.memory = beyond(requested);
  if (limits.memory) limits.memory = beyond(limits.memory);
}

/** Whole CPUs, and the same limits as requests: the kubelet's static CPU manager wants both. */
function pinCpus(vmi: VirtualMachineInstance, alignCpus: boolean, requests: Amounts, limits: Amounts): void {
  const { cores, sockets, threads, isolateEmulatorThread } = vmi.spec.domain.cpu ?? {};
  const counted = cores || sockets || threads;
  const asked = limits.cpu ?? requests.cpu;
  let cpus = (counted || !asked ? BigInt(vcpusOf(vmi)) : quantityValue(asked)) + BigInt(ioThreads(vmi));
  if (isolateEmulatorThread) {
    const even = 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity' in (vmi.metadata.annotations ?? {});
    cpus += alignCpus && even && cpus % 2n === 0n ? 2n : 1n;
  }
  requests.cpu = limits.cpu = String(cpus);
  if (requests.memory) limits.memory = requests.memory;
}

const ioThreads = (vmi: VirtualMachineInstance): number => vmi.spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0;

/** One CPU per `ratio` vCPUs. */
function cpuShare(vcpus: number, ratio: number): string {
  return formatQuantity({ nanos: (BigInt(vcpus) * 1_000_000_000n) / BigInt(ratio), format: 'DecimalSI' });
}

/** The device nodes that the handler offers. Without KVM, QEMU also does its networking in user space. */
function nodeDevices(vmi: VirtualMachineInstance, useEmulation: boolean): Amounts {
  const { interfaces = [], autoattachPodInterface, autoattachVSOCK } = vmi.spec.domain.devices;
  const devices: Amounts = {};
  if (interfaces.length > 0 || autoattachPodInterface !== false) devices[`${DEVICES}/tun`] = '1';
  if (interfaces.some(isVirtio) && !useEmulation) devices[`${DEVICES}/vhost-net`] = '1';
  if (!useEmulation) devices[`${DEVICES}/kvm`] = '1';
  if (autoattachVSOCK) devices[`${DEVICES}/vhost-vsock`] = '1';
  if (vmi.spec.domain.launchSecurity?.sev || vmi.spec.domain.launchSecurity?.snp) devices[`${DEVICES}/sev`] = '1';
  if (vmi.spec.domain.launchSecurity?.tdx) devices[`${DEVICES}/tdx`] = '1';
  return devices;
}

const isVirtio = ({ model, sriov }: Interface): boolean => (!model || model === 'virtio') && !sriov;

function deviceClaims(vmi: VirtualMachineInstance): { name: string; request?: string }[] {
  const { gpus = [], hostDevices = [] } = vmi.spec.domain.devices;
  return [...gpus, ...hostDevices].flatMap(({ deviceName, claimName, requestName }) =>
    !deviceName && claimName ? [{ name: claimName, request: requestName }] : [],
  );
}

/** Resources of the small containers beside `compute`. */
export function sideResources(
  { vmi, config }: RenderInput,
  type: 'container-disk' | 'guest-console-log' | 'sidecar',
  defaults: { requests: Amounts; limits: Amounts },
): ResourceRequirements {
  const configured = config.raw.supportContainerResources?.find((entry) => entry.type === type)?.resources;
  const limits = { ...defaults.limits, ...canonical(configured?.limits) };
  const requests = { ...defaults.requests, ...canonical(configured?.requests) };
  // one container without equal limits would take the whole Pod out of its class
  return hasDedicatedCpus(vmi) || wantsGuaranteed(vmi)
    ? { limits, requests: { ...requests, ...limits } }
    : { limits, requests };
}

const plus = (a: string | undefined, b: string): string => (a ? addQuantities(a, b) : String(canonicalQuantity(b)));

function canonical(amounts: Record<string, unknown> | undefined): Amounts {
  return Object.fromEntries(
    Object.entries(amounts ?? {}).map(([name, amount]) => [name, String(canonicalQuantity(amount))]),
  );
}
