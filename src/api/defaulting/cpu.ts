import type { ClusterConfig } from '../cluster-config';
import type { CPU, CPUTopology, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { quantityValue, tryParseQuantity } from '../quantity';

/** No machine type takes more. */
const MAX_VCPUS = 512;

/** One vCPU per requested CPU, as sockets (they can be hot-plugged), unless the VM says how its CPU looks. */
export function defaultCpuTopology(spec: VirtualMachineInstanceSpec): void {
  const cpu = (spec.domain.cpu ??= {});
  if (cpu.cores || cpu.sockets || cpu.threads) return;
  const { limits, requests } = spec.domain.resources ?? {};
  const asked = limits?.cpu ?? requests?.cpu;
  cpu.cores = 1;
  cpu.threads = 1;
  cpu.sockets = tryParseQuantity(asked) ? Math.max(1, Number(quantityValue(asked))) : 1;
}

/** How many sockets may be plugged later. */
export function defaultMaxSockets(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const cpu = spec.domain.cpu;
  if (!cpu || cpu.maxSockets) return;
  const sockets = cpu.sockets ?? 0;
  let max = config.maxCpuSockets ?? sockets * config.maxHotplugRatio;
  const perSocket = (cpu.cores ?? 0) * (cpu.threads ?? 0);
  if (max * perSocket > MAX_VCPUS) max = Math.max(Math.floor(MAX_VCPUS / perSocket), sockets);
  if (max > 0) cpu.maxSockets = max;
}

/** Model by architecture; Hyper-V's enlightened VMCS needs the vmx feature. */
export function defaultCpuModel(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const cpu = (spec.domain.cpu ??= {});
  cpu.model ||= spec.architecture === 'arm64' ? 'host-passthrough' : (config.cpuModel ?? 'host-model');
  const evmcs = spec.domain.features?.hyperv?.evmcs;
  if (evmcs && evmcs.enabled !== false && !cpu.features?.some(({ name }) => name === 'vmx')) {
    cpu.features = [...(cpu.features ?? []), { name: 'vmx', policy: 'require' }];
  }
}

/** `status.currentCPUTopology` at creation: what the guest will boot with. */
export function topologyOf(cpu: CPU | undefined): CPUTopology {
  return {
    ...(cpu?.cores ? { cores: cpu.cores } : {}),
    ...(cpu?.sockets ? { sockets: cpu.sockets } : {}),
    ...(cpu?.threads ? { threads: cpu.threads } : {}),
  };
}
