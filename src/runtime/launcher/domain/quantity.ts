/** Kubernetes quantities as bytes. The webhook has checked the form; this refuses what it cannot read. */
import { DomainError } from './unsupported';

const SUFFIXES: Record<string, number> = {
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** `1.5Gi` -> 1610612736. Fractions of a byte are rounded up, as Kubernetes does. */
export function bytesOf(quantity: string | number, path: string): number {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(?:([eE][+-]?\d+)|([a-zA-Z]*))$/.exec(String(quantity).trim());
  const factor = match && (match[2] ? Number(`1${match[2]}`) : SUFFIXES[match[3] ?? '']);
  if (!match || factor === undefined || factor === null) {
    throw new DomainError(path, `"${quantity}" is not a quantity`, 'write it like 512Mi or 2G');
  }
  return Math.ceil(Number(match[1]) * factor);
}
