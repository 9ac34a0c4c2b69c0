import type { Size } from 'cdk8s';
import { mistakeInCode } from '../validation';

/** Formats a size as a Kubernetes quantity, in the largest unit without a fraction. */
export function quantityOfSize(size: Size): string {
  const kibibytes = size.toKibibytes();
  const units = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  let amount = kibibytes;
  let unit = 0;
  while (amount > 0 && amount % 1024 === 0 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount}${units[unit]}`;
}

/**
 * Returns a size in MiB, for fields that must be integers.
 *
 * @throws if the size is not a whole number of MiB
 */
export function mebibytesOf(property: string, size: Size): number {
  const amount = size.toKibibytes() / 1024;
  if (Number.isInteger(amount)) return amount;
  const remedy = `round it: Size.mebibytes(${Math.max(1, Math.round(amount))})`;
  return mistakeInCode('', property, `${amount} is not a whole number of MiB`, remedy, 'size-whole');
}
