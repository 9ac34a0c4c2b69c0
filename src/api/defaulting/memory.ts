import type { ClusterConfig } from '../cluster-config';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import {
  canonicalQuantity,
  compareQuantities,
  isAmount,
  quantityOf,
  quantityValue,
  tryParseQuantity,
} from '../quantity';

const MIB = 1024n * 1024n;
const GIB = 1024n * MIB;
/** Minimum of a guest with pluggable memory; with less, it does not boot. */
const SMALLEST_HOTPLUG_GUEST = GIB;

/** Sets the guest memory from the request or limit where it is missing. */
export function defaultGuestMemory(spec: VirtualMachineInstanceSpec): void {
  const memory = (spec.domain.memory ??= {});
  if (memory.guest !== undefined) return;
  const { requests, limits } = spec.domain.resources ?? {};
  const source = [requests?.memory, limits?.memory].find((amount) => isAmount(amount)) ?? memory.hugepages?.pageSize;
  if (source !== undefined && tryParseQuantity(source)) memory.guest = canonicalQuantity(source) as string;
}

/** Sets the limit of memory for hot-plug, where hot-plug works. */
export function defaultMaxGuest(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const { memory } = spec.domain;
  if (!memory || memory.maxGuest !== undefined) return;
  const guest = tryParseQuantity(memory.guest) ? quantityValue(memory.guest) : undefined;
  const max =
    config.maxGuest ??
    (guest === undefined ? undefined : quantityOf(guest * BigInt(config.maxHotplugRatio), 'BinarySI'));
  if (max === undefined || memoryHotplugObstacle(spec, max) !== undefined) return;
  memory.maxGuest = canonicalQuantity(max) as string;
}

/** Returns why memory up to `max` cannot be hot-plugged into this guest; undefined when it can. */
export function memoryHotplugObstacle(spec: VirtualMachineInstanceSpec, max: string | number): string | undefined {
  const { cpu, launchSecurity, memory } = spec.domain;
  if (cpu?.realtime) return 'Memory hotplug is not compatible with realtime VMs';
  if (cpu?.numa?.guestMappingPassthrough) return 'Memory hotplug is not compatible with guest mapping passthrough';
  if (launchSecurity) return 'Memory hotplug is not compatible with encrypted VMs';
  if (memory?.guest === undefined) return 'Guest memory must be configured when memory hotplug is enabled';
  if (compareQuantities(memory.guest, max) > 0) return 'Guest memory is greater than the configured maxGuest memory';
  const alignment = memory.hugepages?.pageSize === '1Gi' ? GIB : 2n * MIB;
  const guest = quantityValue(memory.guest);
  if (guest % alignment !== 0n) return `Guest memory must be ${quantityOf(alignment, 'BinarySI')} aligned`;
  if (quantityValue(max) % alignment !== 0n) return `MaxGuest must be ${quantityOf(alignment, 'BinarySI')} aligned`;
  if (spec.architecture !== 'amd64') return 'Memory hotplug is only available for x86_64 VMs';
  if (guest < SMALLEST_HOTPLUG_GUEST) {
    return 'Memory hotplug is only available for VMs with at least 1Gi of guest memory';
  }
  return undefined;
}
