import type { ClusterConfig } from '../cluster-config';
import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { canonicalQuantity, parseQuantity, quantityOf, quantityValue, tryParseQuantity } from '../quantity';

const MIB = 1024n * 1024n;
/** Below this, a guest with plug-able memory does not boot. */
const SMALLEST_HOTPLUG_GUEST = 1024n * MIB;

/** Guest memory that was only requested of Kubernetes is the guest's too. */
export function defaultGuestMemory(spec: VirtualMachineInstanceSpec): void {
  const { memory, resources } = spec.domain;
  if (memory?.guest !== undefined) return;
  const source = [resources?.requests?.memory, resources?.limits?.memory, memory?.hugepages?.pageSize].find(
    (quantity) => {
      const parsed = tryParseQuantity(quantity);
      return parsed !== undefined && parsed.nanos > 0n;
    },
  );
  if (source !== undefined) spec.domain.memory = { ...memory, guest: source };
}

/** How far memory may be plugged later; nothing where hot-plug cannot work. */
export function defaultMaxGuest(spec: VirtualMachineInstanceSpec, config: ClusterConfig): void {
  const { memory } = spec.domain;
  if (!memory || !tryParseQuantity(memory.guest) || memory.maxGuest !== undefined) return;
  const guest = quantityValue(memory.guest);
  const max = config.maxGuest ?? quantityOf(guest * BigInt(config.maxHotplugRatio), 'BinarySI');
  if (memoryHotplugObstacle(spec, guest, quantityValue(max)) === undefined) memory.maxGuest = canonicalQuantity(max);
}

/** Why memory cannot be plugged into this guest, or `undefined`. */
export function memoryHotplugObstacle(
  spec: VirtualMachineInstanceSpec,
  guest: bigint,
  max: bigint,
): string | undefined {
  const { cpu, launchSecurity, memory } = spec.domain;
  if (launchSecurity) return 'Memory hotplug is not compatible with encrypted VMs';
  if (cpu?.realtime) return 'Memory hotplug is not compatible with realtime VMs';
  if (cpu?.numa?.guestMappingPassthrough) return 'Memory hotplug is not compatible with guest mapping passthrough';
  if (guest > max) return 'Guest memory is greater than the configured maxGuest memory';
  const alignment = hotplugAlignment(memory?.hugepages?.pageSize);
  if (max % alignment !== 0n) return `MaxGuest must be ${quantityOf(alignment, 'BinarySI')} aligned`;
  if (guest % alignment !== 0n) return `Guest memory must be ${quantityOf(alignment, 'BinarySI')} aligned`;
  if (guest < SMALLEST_HOTPLUG_GUEST)
    return 'Memory hotplug is only available for VMs with at least 1Gi of guest memory';
  if (spec.architecture && spec.architecture !== 'amd64') return 'Memory hotplug is only available for x86_64 VMs';
  return undefined;
}

function hotplugAlignment(pageSize: string | undefined): bigint {
  const page = tryParseQuantity(pageSize) ? quantityValue(pageSize) : 0n;
  return page > 2n * MIB ? page : 2n * MIB;
}

/** Quantities in Kubernetes' canonical text, as every writer through its Go types leaves them. */
export function canonicalizeQuantities(spec: VirtualMachineInstanceSpec): void {
  const { memory, resources } = spec.domain;
  if (memory?.guest !== undefined) memory.guest = canonicalQuantity(memory.guest);
  if (memory?.maxGuest !== undefined) memory.maxGuest = canonicalQuantity(memory.maxGuest);
  if (memory?.reservedOverhead?.addedOverhead !== undefined) {
    memory.reservedOverhead.addedOverhead = canonicalQuantity(memory.reservedOverhead.addedOverhead);
  }
  for (const amounts of [resources?.requests, resources?.limits]) {
    for (const name of Object.keys(amounts ?? {})) amounts![name] = canonicalQuantity(amounts![name]);
  }
  for (const { emptyDisk, hostDisk } of spec.volumes ?? []) {
    if (emptyDisk?.capacity !== undefined) emptyDisk.capacity = canonicalQuantity(emptyDisk.capacity);
    if (hostDisk?.capacity !== undefined) hostDisk.capacity = canonicalQuantity(hostDisk.capacity);
  }
}

/** Is this text a quantity above zero? */
export function isPositive(quantity: unknown): boolean {
  return tryParseQuantity(quantity) !== undefined && parseQuantity(quantity).nanos > 0n;
}
