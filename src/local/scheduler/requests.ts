import type { Container, Pod } from '../core-v1';
import { milliOf, unitsOf } from '../quantity';

/** Resource requests of a Pod: cpu in thousandths, other resources in units. Pure. */
export type Amounts = Record<string, number>;

const amountOf = (resource: string, quantity: string | number | undefined): number =>
  resource === 'cpu' ? milliOf(quantity) : unitsOf(quantity);

export function amountsOf(quantities: Record<string, string | number> = {}): Amounts {
  return Object.fromEntries(Object.entries(quantities).map(([name, quantity]) => [name, amountOf(name, quantity)]));
}

/** Requests of a container; a limit without a request counts as the request. */
function requestsOf({ resources }: Container): Amounts {
  return { ...amountsOf(resources?.limits), ...amountsOf(resources?.requests) };
}

function add(to: Amounts, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) to[name] = (to[name] ?? 0) + amount;
}

function atLeast(to: Amounts, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) to[name] = Math.max(to[name] ?? 0, amount);
}

/**
 * Kubernetes' rule: all main containers and sidecars run together; each init container runs with the sidecars before
 * it. The larger sum counts, plus overhead.
 */
export function podRequests({ spec }: Pod): Amounts {
  const total: Amounts = {};
  for (const container of spec.containers) add(total, requestsOf(container));
  const sidecars: Amounts = {};
  const peak: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const during = { ...sidecars };
    add(during, requestsOf(container));
    atLeast(peak, during);
    if (container.restartPolicy === 'Always') add(sidecars, requestsOf(container));
  }
  add(total, sidecars);
  atLeast(total, peak);
  add(total, amountsOf(spec.overhead));
  return total;
}

export const addAmounts = add;
