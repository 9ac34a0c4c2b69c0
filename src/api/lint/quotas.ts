/** Quotas and limits of a namespace that no launcher Pod of a declared guest fits into. */
import { mistake } from '../admission/rule';
import type { ClusterConfig } from '../cluster-config';
import type { Finding, Path } from '../findings';
import type { KubeObject } from '../meta';
import { tryParseQuantity } from '../quantity';
import { type Guests, guestsIn } from './network-guests';
import { listAt, read, shown } from './read';
import type { World } from './world';

const nanosOf = (value: unknown): bigint | undefined =>
  value === undefined ? undefined : tryParseQuantity(value as string)?.nanos;

/** Amount that each Pod of the guest requests at least, and the field that says so. */
interface Need {
  readonly amount: bigint;
  readonly path: Path;
  readonly value: unknown;
}

/** Reports a guest that is larger than a quota or a limit of its namespace: its Pod is never created. */
export function quotaRules(object: KubeObject, world: World, { memoryOvercommit }: ClusterConfig): Finding[] {
  const quotas = world.all('ResourceQuota');
  const limits = world.all('LimitRange');
  if (quotas.length + limits.length === 0) return [];
  const guests = guestsIn(object);
  if (!guests) return [];
  const isHere = ({ namespace }: { readonly namespace?: string }): boolean => namespace === guests.namespace;
  const need = memoryOf(guests, BigInt(Math.max(100, memoryOvercommit)));
  return [
    ...quotas.filter(isHere).flatMap((each) => exceedsQuota(each.object(), need)),
    ...limits.filter(isHere).flatMap((each) => exceedsLimit(each.object(), guests, need)),
  ];
}

/** Returns the request for memory. Overcommitment divides that of guest memory. */
function memoryOf({ spec, at }: Guests, percent: bigint): Need | undefined {
  const domain = at.at('domain');
  const fields = [
    ['resources', 'requests', 'memory'],
    ['memory', 'guest'],
    ['resources', 'limits', 'memory'],
  ];
  for (const field of fields) {
    const value = read(spec, 'domain', ...field);
    const amount = nanosOf(value);
    if (amount === undefined) continue;
    return { amount: field[1] === 'guest' ? (amount * 100n) / percent : amount, value, path: domain.at(...field) };
  }
  return undefined;
}

const MEMORY = ['requests.memory', 'memory', 'limits.memory'];

function exceedsQuota(quota: KubeObject, need: Need | undefined): Finding[] {
  // a quota with scopes may not be about this Pod
  if (!need || read(quota, 'spec', 'scopes') !== undefined || read(quota, 'spec', 'scopeSelector')) return [];
  return MEMORY.flatMap((name) => {
    const hard = read(quota, 'spec', 'hard', name);
    const amount = nanosOf(hard);
    if (amount === undefined || amount >= need.amount) return [];
    const cause = `the guest needs ${shown(need.value)}, and ResourceQuota "${quota.metadata.name}" allows ${shown(hard)} of ${name} in the whole namespace`;
    return mistake('quota-memory', need.path, cause, 'raise the quota, or reduce the memory', { value: need.value });
  }).slice(0, 1);
}

function exceedsLimit(range: KubeObject, { spec, at }: Guests, need: Need | undefined): Finding[] {
  return listAt(range, 'spec', 'limits').flatMap((limit) => {
    const type = read(limit, 'type');
    if (type !== 'Container' && type !== 'Pod') return [];
    const most = read(limit, 'max', 'memory');
    const cpu = read(spec, 'domain', 'resources', 'requests', 'cpu');
    const mostCpu = read(limit, 'max', 'cpu');
    const wants = [
      ...(need ? [[need.amount, nanosOf(most), need.value, most, need.path, 'memory'] as const] : []),
      [nanosOf(cpu), nanosOf(mostCpu), cpu, mostCpu, at.at('domain', 'resources', 'requests', 'cpu'), 'CPU'] as const,
    ];
    return wants.flatMap(([own, allowed, value, text, path, what]) => {
      if (own === undefined || allowed === undefined || own <= allowed) return [];
      const cause = `the guest needs ${shown(value)} of ${what}, and LimitRange "${range.metadata.name}" allows ${shown(text)} for a ${type}`;
      return mistake('limit-range', path, cause, 'raise the limit, or reduce the guest', { value });
    });
  });
}
