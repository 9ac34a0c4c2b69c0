import { parseQuantity, quantityValue, tryParseQuantity } from '../../../api/quantity';
import { DomainError } from './error';

function check(quantity: string | number, path: string): void {
  if (tryParseQuantity(quantity)) return;
  throw new DomainError(path, `"${quantity}" is not a quantity`, 'write it like 512Mi or 2G');
}

/**
 * A Kubernetes quantity in bytes: `1.5Gi` -> 1610612736. Fractions of a byte are rounded up, as in Kubernetes.
 * The webhook has validated the form; a quantity that cannot be parsed is rejected here.
 */
export function bytesOf(quantity: string | number, path: string): number {
  check(quantity, path);
  return Number(quantityValue(quantity));
}

/** Bytes, rounded down: no more memory than requested. */
export function wholeBytesOf(quantity: string | number, path: string): number {
  check(quantity, path);
  const { nanos } = parseQuantity(quantity);
  if (nanos < 0n) throw new DomainError(path, `"${quantity}" is negative`, 'write it like 512Mi or 2G');
  return Number(nanos / 1_000_000_000n);
}
