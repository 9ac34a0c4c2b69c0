import type { ClusterConfig } from '../cluster-config';
import type { CPU, CPUTopology, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { compareQuantities, isAmount, quantityValue, tryParseQuantity } from '../quantity';

/** Limit of every machine type. */
const MAX_VCPUS = 512;
/** Default of `configuration.cpuRequest`, with which Pods request CPU by their number of vCPUs. */
const STANDARD_REQUEST = '100m';

/** Sets the CPU request: a limit is also the request; otherwise the platform's request, if it has one. */
export function defaultCpuRequest(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const resources = (spec.domain.resources ??= {});
  const limit = resources.limits?.cpu;
  if (isAmount(limit) && !isAmount(resources.requests?.cpu)) {
    resources.requests = { ...resources.requests, cpu: limit! };
  }
  if (config.cpuRequest === STANDARD_REQUEST || !tryParseQuantity(config.cpuRequest)) return;
  if (compareQuantities(config.cpuRequest, STANDARD_REQUEST) === 0) return;
  if (resources.requests?.cpu !== undefined || spec.domain.cpu?.dedicatedCpuPlacement) return;
  resources.requests = { ...resources.requests, cpu: config.cpuRequest };
}

/** Returns the vCPUs of a topology. Missing fields count as 1; without any field, the result is 0. */
export function namedVcpus({ cores, sockets, threads }: CPU = {}): number {
  return cores || sockets || threads ? (cores || 1) * (sockets || 1) * (threads || 1) : 0;
}

/** Sets one vCPU per requested CPU, as sockets (which can be hot-plugged), unless the VM has a topology. */
export function defaultCpuTopology(spec: VirtualMachineInstanceSpec): void {
  const cpu = (spec.domain.cpu ??= {});
  if (cpu.cores || cpu.sockets || cpu.threads) return;
  const { limits, requests } = spec.domain.resources ?? {};
  const asked = limits?.cpu ?? requests?.cpu;
  const sockets = tryParseQuantity(asked) ? Number(quantityValue(asked)) : 1;
  cpu.cores = 1;
  cpu.threads = 1;
  if (sockets > 0) cpu.sockets = sockets;
}

/** Sets the limit of sockets for hot-plug. */
export function defaultMaxSockets(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const cpu = spec.domain.cpu;
  if (!cpu || cpu.maxSockets) return;
  const sockets = cpu.sockets ?? 0;
  if (config.maxCpuSockets) {
    cpu.maxSockets = Math.max(config.maxCpuSockets, sockets);
    return;
  }
  const perSocket = (cpu.cores ?? 0) * (cpu.threads ?? 0);
  let max = sockets * config.maxHotplugRatio;
  if (max * perSocket > MAX_VCPUS) max = Math.max(Math.floor(MAX_VCPUS / perSocket), sockets);
  if (max > 0) cpu.maxSockets = max;
}

/** Sets the CPU model of the architecture. */
export function defaultCpuModel(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const cpu = (spec.domain.cpu ??= {});
  cpu.model ||= spec.architecture === 'arm64' ? 'host-passthrough' : (config.cpuModel ?? 'host-model');
}

/** `status.currentCPUTopology` at creation: the topology that the guest boots with. */
export function topologyOf(cpu: CPU | undefined): CPUTopology {
  return {
    ...(cpu?.cores ? { cores: cpu.cores } : {}),
    ...(cpu?.sockets ? { sockets: cpu.sockets } : {}),
    ...(cpu?.threads ? { threads: cpu.threads } : {}),
  };
}
