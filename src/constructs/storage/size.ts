import type { Size } from 'cdk8s';
import { mistakeInCode } from '../validation';

/** Kubernetes' text of a size: the largest unit that needs no fraction. */
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
 * A size in MiB, for fields that hold no fraction.
 *
 * @throws when it is no whole number of them
 */
export function mebibytesOf(property: string, size: Size): number {
  const amount = size.toKibibytes() / 1024;
  if (Number.isInteger(amount)) return amount;
  const remedy = `round it: Size.mebibytes(${Math.max(1, Math.round(amount))})`;
  return mistakeInCode(property, '', `${amount} is no whole number of MiB`, remedy, 'size-whole');
}
