import type { ClusterConfig } from '../../../api/cluster-config';
import { namedVcpus } from '../../../api/defaulting/cpu';
import { parseQuantity } from '../../../api/quantity';
import type { ParsedQuantity } from '../../../api/quantity';
import type { VirtualMachineInstance } from '../../../api';
import { nothing, plus, thousands, units, wholeUnits } from './amounts';
import { hasTpm, isGuaranteed, isZero } from './input';

const Mi = 1024n * 1024n;

/**
 * Memory that a launcher Pod needs in addition to the guest's, in MiB: KubeVirt's numbers (its main branch of 2026-07).
 * Our launcher needs less, but a Pod must fit where KubeVirt's fits, and a migration must not change the requests.
 */
const MEMORY_OVERHEAD = {
  /** monitor 25, launcher 100, virtlogd 25, libvirt daemon 40, QEMU 50. */
  fixed: 240n,
  perVcpu: 8n,
  ioThread: 8n,
  graphics: 32n,
  /** Page tables: one 512th of the requested memory. */
  pageTableShare: 512n,
  arm64: 128n,
  /** Host devices: the guest's memory is mapped for DMA. */
  vfio: 1024n,
  downwardMetrics: 1n,
  execProbes: 100n,
  perExecProbe: 10n,
  sev: 256n,
  tpm: 53n,
  guaranteed: 100n,
  /** passt with all ports forwarded. */
  passt: 250n,
} as const;

/** Memory overhead of a VMI. */
export function memoryOverhead(vmi: VirtualMachineInstance, config: ClusterConfig): ParsedQuantity {
  const { domain } = vmi.spec;
  const table = MEMORY_OVERHEAD;
  const when = (condition: unknown, mebibytes: bigint): bigint => (condition ? mebibytes : 0n);
  const probes = BigInt([vmi.spec.livenessProbe?.exec, vmi.spec.readinessProbe?.exec].filter(Boolean).length);
  const usesVfio =
    domain.devices.hostDevices?.length ||
    domain.devices.gpus?.length ||
    domain.devices.interfaces?.some((i) => i.sriov);
  const mebibytes =
    table.fixed +
    table.perVcpu * vcpusOf(vmi) +
    table.ioThread +
    when(domain.devices.autoattachGraphicsDevice !== false, table.graphics) +
    when((vmi.spec.architecture || config.defaultArchitecture) === 'arm64', table.arm64) +
    when(usesVfio, table.vfio) +
    when(
      vmi.spec.volumes?.some((volume) => volume.downwardMetrics),
      table.downwardMetrics,
    ) +
    when(probes, table.execProbes + table.perExecProbe * probes) +
    when(domain.launchSecurity?.sev || domain.launchSecurity?.snp, table.sev) +
    when(hasTpm(vmi), table.tpm) +
    when(isGuaranteed(vmi), table.guaranteed);
  let sum = plus(pageTables(vmi), units(mebibytes * Mi, 'BinarySI'));
  const reserved = domain.memory?.reservedOverhead?.addedOverhead;
  if (reserved !== undefined) sum = plus(sum, parseQuantity(reserved));
  return plus(times(sum, config.additionalGuestMemoryOverheadRatio), networkOverhead(vmi, config));
}

/** Overhead for the requested memory, in whole kilobytes. For 0, the sum is formatted in binary units. */
function pageTables({ spec }: VirtualMachineInstance): ParsedQuantity {
  const requested = spec.domain.resources?.requests?.memory;
  if (requested === undefined) return nothing;
  return units((thousands(parseQuantity(requested)) * 1000n) / MEMORY_OVERHEAD.pageTableShare, 'DecimalSI');
}

function vcpusOf(vmi: VirtualMachineInstance): bigint {
  const { cpu, resources } = vmi.spec.domain;
  const cpus = resources?.limits?.cpu ?? resources?.requests?.cpu;
  const count = cpu
    ? BigInt(namedVcpus(vmi.spec.domain.cpu))
    : cpus === undefined
      ? 0n
      : wholeUnits(parseQuantity(cpus));
  return count < 1n ? 1n : count;
}

/** Rounded to whole kilobytes through a float, as in KubeVirt: both must render the same bytes. */
function times(amount: ParsedQuantity, ratio: string | undefined): ParsedQuantity {
  if (!ratio?.trim() || !Number.isFinite(Number(ratio))) return amount;
  const added = Math.trunc(Number(thousands(amount)) * (Number(ratio) - 1));
  return plus(amount, units(BigInt(added) * 1000n, 'DecimalSI'));
}

/** Memory of the processes behind the interfaces: passt, and each network binding plugin once. */
function networkOverhead({ spec }: VirtualMachineInstance, config: ClusterConfig): ParsedQuantity {
  const { interfaces = [] } = spec.domain.devices;
  const plugins = new Set(interfaces.flatMap(({ binding }) => (binding ? [binding.name] : [])));
  let sum = nothing;
  if (interfaces.some(({ passtBinding }) => passtBinding)) sum = units(MEMORY_OVERHEAD.passt * Mi, 'BinarySI');
  for (const name of plugins) {
    const memory = config.networkBindings[name]?.computeResourceOverhead?.requests?.memory;
    if (!isZero(memory)) sum = plus(sum, parseQuantity(memory));
  }
  return sum;
}
