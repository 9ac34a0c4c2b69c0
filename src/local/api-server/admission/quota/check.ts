import { compareQuantities, formatQuantity, parseQuantity } from '../../../../api/quantity';
import { AnyObject } from '../../types';
import { addAmounts, Amounts } from '../pod-resources';
import { Evaluator, mask, scopesOf } from './usage';

/** A write that quotas are to admit. */
export interface Write {
  readonly object: AnyObject;
  /** The object before an update. */
  readonly oldObject?: AnyObject;
  readonly now: number;
}

/** Result for one quota: its new usage, or why it rejects the write. Undefined if the write does not affect it. */
export type Verdict = { readonly used: Amounts } | { readonly rejection: string } | undefined;

const print = (amounts: Amounts): string =>
  Object.keys(amounts)
    .sort()
    .map((name) => `${name}=${amounts[name]}`)
    .join(',');

/** Increase of usage; what decreases counts as zero, because the quota controller subtracts it. */
function increase(now: Amounts, before: Amounts): Amounts {
  const entries = Object.entries(now).map(([name, value]) => {
    const [a, b] = [parseQuantity(value), parseQuantity(before[name] ?? '0')];
    return [name, a.nanos > b.nanos ? formatQuantity({ ...a, nanos: a.nanos - b.nanos }) : '0'];
  });
  return Object.fromEntries(entries) as Amounts;
}

const nonZero = (amounts: Amounts): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter(([, value]) => parseQuantity(value).nanos !== 0n));

/** Applies one quota to a write, as Kubernetes does. */
export function checkQuota(quota: AnyObject, evaluator: Evaluator, { object, oldObject, now }: Write): Verdict {
  const { name } = quota.metadata;
  const hard: Amounts = quota.status?.hard ?? {};
  const used: Amounts = quota.status?.used ?? {};
  const scopes = scopesOf(quota);
  const limited = Object.keys(hard).filter((resource) => evaluator.counts(resource));
  const matches = (item: AnyObject) => scopes.every((scope) => evaluator.inScope(scope, item));
  if (!limited.length || !matches(object)) return undefined;
  const missing = evaluator.missing?.(limited, object);
  if (missing) return { rejection: `failed quota: ${name}: ${missing}` };
  if (limited.some((resource) => used[resource] === undefined)) {
    return { rejection: `status unknown for quota: ${name}, resources: ${limited.sort().join(',')}` };
  }
  const usage = evaluator.usage(object, now);
  const counted = oldObject && matches(oldObject) ? increase(usage, evaluator.usage(oldObject, now)) : usage;
  const requested = mask(nonZero(counted), Object.keys(hard));
  if (!Object.keys(requested).length) return undefined;
  const next = addAmounts(used, requested);
  const exceeded = Object.keys(requested).filter((resource) => compareQuantities(next[resource], hard[resource]) > 0);
  if (!exceeded.length) return { used: next };
  const [asked, before, allowed] = [requested, used, hard].map((amounts) => print(mask(amounts, exceeded)));
  return { rejection: `exceeded quota: ${name}, requested: ${asked}, used: ${before}, limited: ${allowed}` };
}

/** Whether the update can change what quotas count. */
export function affectsQuota(plural: string, operation: string, object: AnyObject, oldObject?: AnyObject): boolean {
  if (operation === 'CREATE') return true;
  if (operation !== 'UPDATE' || !oldObject) return false;
  if (plural === 'services' || plural === 'persistentvolumeclaims') return true;
  const deadline = ({ spec }: AnyObject) => spec?.activeDeadlineSeconds >= 0;
  return plural === 'pods' && deadline(object) !== deadline(oldObject);
}
