/**
 * Kubernetes quantities with Kubernetes' own arithmetic: exact, never through a float.
 * A value is a whole number of nanos (10⁻⁹), Kubernetes' finest precision; finer input is rounded away from zero.
 */

/** Format of a quantity, which is kept when it is written: `1Gi`, `1G`, `1e9`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

export interface ParsedQuantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** The text itself, where Kubernetes considers it canonical and writes it unchanged. */
  readonly text?: string;
}

const NANO = 1_000_000_000n;
const syntax = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;
const binary: Record<string, bigint> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
/** Kubernetes clips binary amounts at the largest int64. */
const LARGEST = (2n ** 63n - 1n) * NANO;

/** Description of a quantity, for error messages. */
export const quantityHint =
  'a number with an optional unit (m, k, M, G, T, P, E or Ki, Mi, Gi, Ti, Pi, Ei), like 512Mi';

/** Parses a quantity; undefined for other text. */
export function tryParseQuantity(value: unknown): ParsedQuantity | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = syntax.exec(String(value));
  // a huge exponent would take too long; the limit still accepts every text that this module writes
  if (!match || match[0].length > 256) return undefined;
  const [, sign, digits, unit = ''] = match;
  const [whole, fraction = ''] = digits.split('.');
  const mantissa = BigInt(`${whole}${fraction}` || '0');
  let format: QuantityFormat = 'DecimalSI';
  let multiplier = 1n;
  let exponent = 9 - fraction.length;
  if (unit in binary) {
    format = 'BinarySI';
    multiplier = 1n << binary[unit];
  } else if (unit in decimal) {
    exponent += decimal[unit];
  } else {
    format = 'DecimalExponent';
    const written = Number(unit.slice(1));
    if (Math.abs(written) > 100) return undefined;
    exponent += written;
  }
  const scaled = mantissa * multiplier;
  let nanos = exponent >= 0 ? scaled * 10n ** BigInt(exponent) : divideUp(scaled, 10n ** BigInt(-exponent));
  if (format === 'BinarySI') {
    if (nanos > LARGEST) nanos = LARGEST;
    if (nanos < NANO) format = 'DecimalSI';
  }
  const quantity = { nanos: sign === '-' ? -nanos : nanos, format };
  const kept = unit in binary ? keepsBinary(digits, unit) : keepsDecimal(whole, fraction, exponent - 9);
  return kept ? { ...quantity, text: match[0] } : quantity;
}

/** Whether it is a whole number that is not divisible by eight, for which no larger binary unit is possible. */
function keepsBinary(digits: string, unit: string): boolean {
  const whole = digits.endsWith('.') ? digits.slice(0, -1) : digits;
  if (whole.includes('.')) return false;
  const fits = 15 - whole.length - Math.trunc((Number(binary[unit]) * 3) / 10) - 1 >= 0;
  return fits && (BigInt(whole) & 7n) !== 0n;
}

/** Whether it is a number with a decimal unit, for which no larger one is possible. */
function keepsDecimal(whole: string, fraction: string, exponent: number): boolean {
  const shifted = whole + fraction;
  if (shifted.length > 18 || exponent < -9 || exponent % 3 !== 0) return false;
  return !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** Whether it is a quantity other than zero. */
export function isAmount(value: unknown): boolean {
  const parsed = tryParseQuantity(value);
  return parsed !== undefined && parsed.nanos !== 0n;
}

/** @throws when the text is not a quantity */
export function parseQuantity(value: unknown): ParsedQuantity {
  const parsed = tryParseQuantity(value);
  if (!parsed) throw new Error(`${JSON.stringify(value)} is not a quantity: write ${quantityHint}`);
  return parsed;
}

/** Returns whole units, rounded up (bytes, CPUs): `Quantity.Value()` of Kubernetes. */
export function quantityValue(value: unknown): bigint {
  return roundUp(parseQuantity(value).nanos, NANO);
}

/** Returns thousandths, rounded up: `Quantity.MilliValue()` of Kubernetes. */
export function quantityMilliValue(value: unknown): bigint {
  return roundUp(parseQuantity(value).nanos, 1_000_000n);
}

/** Compares two quantities for `Array.sort`. */
export function compareQuantities(a: unknown, b: unknown): number {
  const difference = parseQuantity(a).nanos - parseQuantity(b).nanos;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the sum, in the format of the first quantity that is not zero. */
export function addQuantities(...values: unknown[]): string {
  const parsed = values.map(parseQuantity);
  const format = (parsed.find(({ nanos }) => nanos !== 0n) ?? parsed[0])?.format ?? 'DecimalSI';
  return formatQuantity({ nanos: parsed.reduce((sum, { nanos }) => sum + nanos, 0n), format });
}

/** Returns the quantity of `n` whole units: `quantityOf(1024n, 'BinarySI')` is `1Ki`. */
export function quantityOf(units: bigint, format: QuantityFormat): string {
  return formatQuantity({ nanos: units * NANO, format });
}

/** Returns the canonical text: `1Gi` for `1024Mi`, `1536Mi` for `1.5Gi`, `500m` for `0.5`. Other text is returned unchanged. */
export function canonicalQuantity<T>(value: T): T | string {
  const parsed = tryParseQuantity(value);
  return parsed ? (parsed.text ?? formatQuantity(parsed)) : value;
}

/** Returns the text of a computed amount. A fraction of a byte is written in thousandths. */
export function formatQuantity({ nanos, format }: ParsedQuantity): string {
  if (nanos === 0n) return '0';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (format === 'BinarySI' && size >= 1024n * NANO && size % NANO === 0n) return sign + formatBinary(size / NANO);
  let exponent = -9;
  let digits = size;
  while (digits % 1000n === 0n && exponent < 18) {
    digits /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return `${sign}${digits}${exponent === 0 ? '' : `e${exponent}`}`;
  const unit = Object.keys(decimal).find((name) => decimal[name] === exponent);
  return `${sign}${digits}${unit}`;
}

function formatBinary(units: bigint): string {
  const names = ['', ...Object.keys(binary)];
  let step = 0;
  while (units % 1024n === 0n && step < names.length - 1) {
    units /= 1024n;
    step += 1;
  }
  return `${units}${names[step]}`;
}

function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** Rounds away from zero, as Kubernetes does. */
function roundUp(nanos: bigint, step: bigint): bigint {
  return nanos < 0n ? -divideUp(-nanos, step) : divideUp(nanos, step);
}
