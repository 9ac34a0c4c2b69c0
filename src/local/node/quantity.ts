import type { Quantity } from './core-v1';

/** Kubernetes quantities as numbers. Pure. */

const SUFFIXES: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const GRAMMAR = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/;

/** The value in base units (bytes, cores). The API server has validated it: what is no quantity counts as 0. */
export function quantityOf(quantity: Quantity | undefined): number {
  if (quantity === undefined) return 0;
  const match = GRAMMAR.exec(String(quantity).trim());
  if (!match) return 0;
  const [, digits = '0', exponent = '', suffix = ''] = match;
  return Number(digits + exponent) * (SUFFIXES[suffix] ?? 1);
}

/** In thousandths, rounded up as Kubernetes does. */
export const milliOf = (quantity: Quantity | undefined): number => Math.ceil(quantityOf(quantity) * 1000 - 1e-6);

/** In whole units, rounded up. */
export const unitsOf = (quantity: Quantity | undefined): number => Math.ceil(quantityOf(quantity) - 1e-9);
