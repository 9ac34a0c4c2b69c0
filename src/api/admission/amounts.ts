import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { quantityMilliValue, quantityValue, tryParseQuantity } from '../quantity';

type Group = 'requests' | 'limits';

/** Returns a requested or limited amount as it was written. */
export function amountOf(
  spec: VirtualMachineInstanceSpec,
  group: Group,
  resource: string,
): string | number | undefined {
  return spec.domain.resources?.[group]?.[resource];
}

/** Returns whole units, rounded up; 0 for no amount. */
export function unitsOf(amount: unknown): bigint {
  return amount === undefined || !tryParseQuantity(amount) ? 0n : quantityValue(amount);
}

/** Returns thousandths, rounded up; 0 for no amount. */
export function milliOf(amount: unknown): bigint {
  return amount === undefined || !tryParseQuantity(amount) ? 0n : quantityMilliValue(amount);
}

/** Returns the amount as KubeVirt prints it: `0` for no amount. */
export function formatAmount(amount: unknown): string {
  return amount === undefined ? '0' : String(amount);
}
