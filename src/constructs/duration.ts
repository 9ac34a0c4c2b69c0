import type { Duration } from 'cdk8s';
import { mistakeInCode } from './validation';

/**
 * A duration in seconds, for fields that hold no fraction.
 *
 * @throws when it is no whole number of them
 */
export function secondsOf(property: string, duration: Duration): number;
export function secondsOf(property: string, duration: Duration | undefined): number | undefined;
export function secondsOf(property: string, duration: Duration | undefined): number | undefined {
  return duration && whole(property, duration.toMilliseconds() / 1000, 'seconds');
}

/** The same in minutes. */
export function minutesOf(property: string, duration: Duration): number {
  return whole(property, duration.toMilliseconds() / 60_000, 'minutes');
}

function whole(property: string, amount: number, unit: 'seconds' | 'minutes'): number {
  if (Number.isInteger(amount)) return amount;
  const remedy = `round it: Duration.${unit}(${Math.max(1, Math.round(amount))})`;
  return mistakeInCode(property, '', `${amount} is no whole number of ${unit}`, remedy, 'duration-whole');
}
