import type { VirtualMachineInstanceSpec } from '../generated/kubevirt-v1';
import { quantityMilliValue, quantityValue, tryParseQuantity } from '../quantity';

type Group = 'requests' | 'limits';

/** A requested or limited amount as it was written. */
export function amountOf(
  spec: VirtualMachineInstanceSpec,
  group: Group,
  resource: string,
): string | number | undefined {
  return spec.domain.resources?.[group]?.[resource];
}

/** Whole units, rounded up; 0 when it is not there. */
export function unitsOf(amount: unknown): bigint {
  return amount === undefined || !tryParseQuantity(amount) ? 0n : quantityValue(amount);
}

/** Thousandths, rounded up; 0 when it is not there. */
export function milliOf(amount: unknown): bigint {
  return amount === undefined || !tryParseQuantity(amount) ? 0n : quantityMilliValue(amount);
}

/** How an amount is told: `0` when it is not there. */
export function formatAmount(amount: unknown): string {
  return amount === undefined ? '0' : String(amount);
}
