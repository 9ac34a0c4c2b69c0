import type { Finding, Path } from '../findings';
import type { Memory, ResourceRequirements, VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { canonicalQuantity, quantityOf, quantityValue, tryParseQuantity } from '../quantity';
import { conflictAt } from './conflict';
import type { InstancetypeSpec } from './types';

/** Applies the instance type's memory. With overcommit, the Pod requests less than the guest sees. */
export function applyMemory(type: InstancetypeSpec, spec: VirtualMachineInstanceSpec, at: Path): Finding[] {
  const memory = (spec.domain.memory ??= {});
  const conflict = memoryConflict(type, memory, spec.domain.resources, at.at('domain'));
  if (conflict) return [conflict];
  const { guest, hugepages, maxGuest, overcommitPercent = 0 } = type.memory;
  memory.guest = canonicalQuantity(guest);
  const parsed = tryParseQuantity(guest);
  if (overcommitPercent > 0 && parsed) {
    const requested = quantityOf(overcommitted(quantityValue(guest), overcommitPercent), parsed.format);
    const resources = (spec.domain.resources ??= {});
    resources.requests = { ...resources.requests, memory: requested };
  }
  if (hugepages) memory.hugepages = structuredClone(hugepages);
  if (maxGuest != null) memory.maxGuest = canonicalQuantity(maxGuest);
  return [];
}

/** Returns only the first conflict, as KubeVirt does. */
function memoryConflict(
  type: InstancetypeSpec,
  { guest, hugepages, maxGuest }: Memory,
  { requests, limits }: ResourceRequirements = {},
  at: Path,
): Finding | undefined {
  const always = 'memory';
  if (guest !== undefined) return conflictAt(at.at('memory', 'guest'), { always });
  if (hugepages && type.memory.hugepages) return conflictAt(at.at('memory', 'hugepages'));
  if (maxGuest !== undefined && type.memory.maxGuest != null) return conflictAt(at.at('memory', 'maxGuest'));
  if (requests?.memory !== undefined) return conflictAt(at.at('resources', 'requests', 'memory'), { always });
  if (limits?.memory !== undefined) return conflictAt(at.at('resources', 'limits', 'memory'), { always });
  return undefined;
}

/** Computes in single precision, as KubeVirt does, so that the bytes are the same. */
function overcommitted(bytes: bigint, percent: number): bigint {
  const kept = Math.fround(1 - Math.fround(percent / 100));
  return BigInt(Math.trunc(Math.fround(Math.fround(Number(bytes)) * kept)));
}
