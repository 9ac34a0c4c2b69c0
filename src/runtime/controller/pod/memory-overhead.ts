import { quantityOf, quantityValue } from '../../../api/quantity';
import type { VirtualMachineInstance } from '../../../api';
import { hasDedicatedCpus, vcpusOf, wantsGuaranteed } from './input';

const Mi = 1024n * 1024n;

/**
 * What a launcher Pod needs beyond the guest's own memory, in MiB: KubeVirt's figures (its main branch of 2026-07). Ours
 * needs less, but a Pod must fit where KubeVirt's would, and a guest must not change its node when it is moved.
 */
export const MEMORY_OVERHEAD = {
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
} as const;

/** The overhead of a VMI. `ratio`: `additionalGuestMemoryOverheadRatio`, a decimal number as text. */
export function memoryOverhead(vmi: VirtualMachineInstance, ratio?: string): { bytes: bigint; quantity: string } {
  const { domain } = vmi.spec;
  const table = MEMORY_OVERHEAD;
  const when = (condition: unknown, mebibytes: bigint): bigint => (condition ? mebibytes : 0n);
  const probes = BigInt([vmi.spec.livenessProbe?.exec, vmi.spec.readinessProbe?.exec].filter(Boolean).length);
  const usesVfio =
    domain.devices.hostDevices?.length ||
    domain.devices.gpus?.length ||
    domain.devices.interfaces?.some((i) => i.sriov);
  const hasDownwardMetrics = domain.devices.downwardMetrics || vmi.spec.volumes?.some((v) => v.downwardMetrics);
  const mebibytes =
    table.fixed +
    table.perVcpu * BigInt(vcpusOf(vmi)) +
    table.ioThread +
    when(domain.devices.autoattachGraphicsDevice !== false, table.graphics) +
    when(vmi.spec.architecture === 'arm64', table.arm64) +
    when(usesVfio, table.vfio) +
    when(hasDownwardMetrics, table.downwardMetrics) +
    when(probes, table.execProbes + table.perExecProbe * probes) +
    when(domain.launchSecurity?.sev || domain.launchSecurity?.snp, table.sev) +
    when(domain.devices.tpm && domain.devices.tpm.enabled !== false, table.tpm) +
    when(hasDedicatedCpus(vmi) || wantsGuaranteed(vmi), table.guaranteed);
  const requested = domain.resources?.requests?.memory;
  let bytes = mebibytes * Mi + (requested === undefined ? 0n : quantityValue(requested) / table.pageTableShare);
  const reserved = domain.memory?.reservedOverhead?.addedOverhead;
  if (reserved !== undefined) bytes += quantityValue(reserved);
  bytes = times(bytes, ratio);
  return { bytes, quantity: quantityOf(bytes, 'BinarySI') };
}

/** Exact to a millionth, rounded up. */
function times(bytes: bigint, ratio: string | undefined): bigint {
  const factor = Number(ratio);
  if (!ratio || !Number.isFinite(factor) || factor <= 0) return bytes;
  const millionths = BigInt(Math.round(factor * 1e6));
  return (bytes * millionths + 999_999n) / 1_000_000n;
}
