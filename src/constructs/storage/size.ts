import type { Size } from 'cdk8s';

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
