/** Parses amounts of libvirt. Pure. */
import type { Xml } from './xml';

const DECIMAL: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
const BINARY = 'KMGTP';

/** Bytes of `<memory unit='GiB'>2</memory>`; the default unit is KiB. */
export function bytesOf(element: Xml | undefined): number | undefined {
  if (!element) return undefined;
  const unit = element.attribute('unit') ?? 'KiB';
  const amount = Number(element.text());
  if (!Number.isSafeInteger(amount) || amount <= 0) return undefined;
  if (unit === 'b' || unit === 'bytes') return amount;
  const decimal = DECIMAL[unit];
  if (decimal !== undefined) return amount * decimal;
  const power = BINARY.indexOf(unit.charAt(0).toUpperCase());
  return power < 0 ? undefined : amount * 1024 ** (power + 1);
}

/** Quantity in the largest unit without a fraction, rounded up to KiB. */
export function quantityOf(bytes: number): string {
  let amount = Math.ceil(bytes / 1024);
  let unit = 0;
  while (amount % 1024 === 0 && unit < BINARY.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${amount}${BINARY[unit]}i`;
}

/** Converts a name to a DNS label: `my-vm-1` for `My VM_1`. */
export function dnsName(name: string, fallback: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
  return label === '' ? fallback : label;
}

/** Fields with a value; undefined if all are empty. */
export function some(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Parses an integer. */
export const integer = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;

/** Parses a boolean: `on` and `yes` are true, `off` and `no` are false. */
export const isOn = (text: string | undefined): boolean | undefined =>
  text === 'on' || text === 'yes' ? true : text === 'off' || text === 'no' ? false : undefined;
