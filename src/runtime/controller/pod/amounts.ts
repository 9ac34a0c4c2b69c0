import { canonicalQuantity, formatQuantity, parseQuantity } from '../../../api/quantity';
import type { ParsedQuantity, QuantityFormat } from '../../../api/quantity';

/** Parsed quantities by resource name: they are added many times and formatted once. */
export type Amounts = Record<string, ParsedQuantity>;

const ONE = 1_000_000_000n;

export const nothing: ParsedQuantity = { nanos: 0n, format: 'BinarySI' };

/** Quantity of a number of whole units. */
export const units = (count: bigint, format: QuantityFormat): ParsedQuantity => ({ nanos: count * ONE, format });

/** Sum of two quantities, in the format of the first unless that is 0. */
export const plus = (a: ParsedQuantity, b: ParsedQuantity): ParsedQuantity => ({
  nanos: a.nanos + b.nanos,
  format: a.nanos === 0n ? b.format : a.format,
});

/** Whole units, rounded away from zero. */
export const wholeUnits = (amount: ParsedQuantity): bigint => roundedUp(amount.nanos, ONE);

/** Whole thousands, rounded away from zero. */
export const thousands = (amount: ParsedQuantity): bigint => roundedUp(amount.nanos, 1000n * ONE);

function roundedUp(nanos: bigint, step: bigint): bigint {
  return nanos < 0n ? -((-nanos + step - 1n) / step) : (nanos + step - 1n) / step;
}

export function parsed(amounts: Record<string, unknown> | undefined): Amounts {
  const result: Amounts = {};
  for (const name in amounts) result[name] = parseQuantity(amounts[name]);
  return result;
}

/** Formatted quantity; undefined for no quantity. */
export function written(amounts: Amounts): Record<string, string> | undefined {
  const result: Record<string, string> = {};
  let isEmpty = true;
  for (const name in amounts) {
    result[name] = formatQuantity(amounts[name]);
    isEmpty = false;
  }
  return isEmpty ? undefined : result;
}

/** Canonical text of a quantity; undefined if it is absent or zero. */
export function positive(amount: unknown): string | undefined {
  if (amount === undefined || amount === null || parseQuantity(amount).nanos === 0n) return undefined;
  return String(canonicalQuantity(amount));
}
