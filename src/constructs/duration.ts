import type { Duration } from 'cdk8s';
import { mistakeInCode } from './validation';

/**
 * Converts a duration to seconds, for fields that hold whole numbers.
 *
 * @throws when the duration is not a whole number of seconds
 */
export function secondsOf(property: string, duration: Duration): number;
export function secondsOf(property: string, duration: Duration | undefined): number | undefined;
export function secondsOf(property: string, duration: Duration | undefined): number | undefined {
  return duration && whole(property, duration.toMilliseconds() / 1000, 'seconds');
}

/** Converts a duration to minutes, for fields that hold whole numbers. */
export function minutesOf(property: string, duration: Duration): number {
  return whole(property, duration.toMilliseconds() / 60_000, 'minutes');
}

function whole(property: string, amount: number, unit: 'seconds' | 'minutes'): number {
  if (Number.isInteger(amount)) return amount;
  const remedy = `round it: Duration.${unit}(${Math.max(1, Math.round(amount))})`;
  return mistakeInCode('', property, `${amount} is not a whole number of ${unit}`, remedy, 'duration-whole');
}
