import { quantityMilliValue, quantityValue, tryParseQuantity } from '../api/quantity';
import type { Quantity } from './core-v1';

/** Kubernetes quantities as numbers. Pure. The API server has validated them; other values count as 0. */

/** Value in base units (bytes, cores). */
export function quantityOf(quantity: Quantity | undefined): number {
  const parsed = tryParseQuantity(quantity);
  return parsed ? Number(parsed.nanos) / 1e9 : 0;
}

/** Value in thousandths, rounded up like Kubernetes. */
export const milliOf = (quantity: Quantity | undefined): number =>
  tryParseQuantity(quantity) ? Number(quantityMilliValue(quantity)) : 0;

/** Value in whole units, rounded up. */
export const unitsOf = (quantity: Quantity | undefined): number =>
  tryParseQuantity(quantity) ? Number(quantityValue(quantity)) : 0;
