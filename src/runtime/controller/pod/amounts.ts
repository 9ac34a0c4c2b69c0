import { canonicalQuantity, formatQuantity, parseQuantity } from '../../../api/quantity';
import type { ParsedQuantity, QuantityFormat } from '../../../api/quantity';

/** Quantities by resource name, parsed: they are added up many times and written once. */
export type Amounts = Record<string, ParsedQuantity>;

const ONE = 1_000_000_000n;

export const nothing: ParsedQuantity = { nanos: 0n, format: 'BinarySI' };

/** So many whole units. */
export const units = (count: bigint, format: QuantityFormat): ParsedQuantity => ({ nanos: count * ONE, format });

/** The sum; its text looks like the first, unless that is nothing. */
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

/** As text; undefined when there is none. */
export function written(amounts: Amounts): Record<string, string> | undefined {
  const result: Record<string, string> = {};
  let isEmpty = true;
  for (const name in amounts) {
    result[name] = formatQuantity(amounts[name]);
    isEmpty = false;
  }
  return isEmpty ? undefined : result;
}

/** The canonical text of a quantity that is neither absent nor zero. */
export function positive(amount: unknown): string | undefined {
  if (amount === undefined || amount === null || parseQuantity(amount).nanos === 0n) return undefined;
  return String(canonicalQuantity(amount));
}
