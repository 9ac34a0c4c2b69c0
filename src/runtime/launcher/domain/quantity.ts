import { quantityValue, tryParseQuantity } from '../../../api/quantity';
import { DomainError } from './error';

/**
 * A Kubernetes quantity as bytes: `1.5Gi` -> 1610612736. Fractions of a byte are rounded up, as Kubernetes does.
 * The webhook has checked the form; this refuses what it cannot read.
 */
export function bytesOf(quantity: string | number, path: string): number {
  if (!tryParseQuantity(quantity)) {
    throw new DomainError(path, `"${quantity}" is not a quantity`, 'write it like 512Mi or 2G');
  }
  return Number(quantityValue(quantity));
}
