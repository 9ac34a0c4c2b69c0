import { compareQuantities, addQuantities } from '../../../api/quantity';
import { AnyObject } from '../types';

/** Amounts by name of the resource. */
export type Amounts = Readonly<Record<string, string>>;

interface Container {
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
}

/** Resources that a Pod may set for all of its containers together. */
const POD_LEVEL = /^(cpu|memory|hugepages-.+)$/;

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum: Record<string, string> = { ...a };
  for (const [name, value] of Object.entries(b))
    sum[name] = sum[name] === undefined ? value : addQuantities(sum[name], value);
  return sum;
}

function larger(a: Amounts, b: Amounts): Amounts {
  const most: Record<string, string> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    if (most[name] === undefined || compareQuantities(value, most[name]) > 0) most[name] = value;
  }
  return most;
}

/**
 * Requests or limits of a whole Pod: the sum of its containers and sidecars, or what an init container needs beside
 * the sidecars that started before it, whichever is larger; amounts of the Pod itself replace the sum.
 */
export function podAmounts({ spec = {} }: AnyObject, list: 'requests' | 'limits'): Amounts {
  const of = ({ resources }: Container): Amounts => resources?.[list] ?? {};
  let total = ((spec.containers ?? []) as Container[]).map(of).reduce(addAmounts, {});
  let sidecars: Amounts = {};
  let starting: Amounts = {};
  for (const container of (spec.initContainers ?? []) as Container[]) {
    let needed = addAmounts(of(container), sidecars);
    if (container.restartPolicy === 'Always') {
      total = addAmounts(total, of(container));
      sidecars = needed = addAmounts(sidecars, of(container));
    }
    starting = larger(starting, needed);
  }
  const own = Object.entries((spec.resources?.[list] ?? {}) as Amounts).filter(([name]) => POD_LEVEL.test(name));
  return { ...larger(total, starting), ...Object.fromEntries(own) };
}
