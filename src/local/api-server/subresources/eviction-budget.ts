import type { StatusCause } from '../../../api/meta';
import { disruptionCondition } from '../../controllers/policy-v1';
import { errors } from '../errors';
import { clone } from '../json/values';
import { AnyObject } from '../types';

/** Rules by which a disruption budget allows an eviction. Pure. */

const VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Number of evicted Pods that may wait for the controller of budgets. */
const MAX_DISRUPTED = 2000;
const SUBJECT = { group: 'policy', resource: 'poddisruptionbudget' };

const refused = (message: string, retryAfterSeconds?: number) => {
  const cause: StatusCause = { reason: 'DisruptionBudget', message };
  return errors.tooManyRequests(VIOLATED, [cause], retryAfterSeconds);
};

/** Error while the controller has not yet counted for a budget. */
export const stillProcessed = (name: string) =>
  refused(`The disruption budget ${name} is still being processed by the server.`, 10);

/** Whether the Pod has no containers that an eviction would disrupt. */
export function needsNoBudget({ metadata, status }: AnyObject): boolean {
  return ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '') || Boolean(metadata.deletionTimestamp);
}

/** Whether the Pod may still start before it is deleted, and then would need a budget. */
export const mayBecomeReady = ({ metadata, status }: AnyObject): boolean =>
  !['Succeeded', 'Failed'].includes(status?.phase ?? '') && !metadata.deletionTimestamp;

/** Whether the Pod is not ready, and the budget allows evicting such Pods without counting them. */
export function isFree({ status }: AnyObject, budget: AnyObject): boolean {
  const conditions: { type: string; status: string }[] = status?.conditions ?? [];
  if (conditions.some(({ type, status: on }) => type === 'Ready' && on === 'True')) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** The budget after one more eviction. @throws StatusError 429 or 403 */
export function afterEviction(budget: AnyObject, podName: string, now: string): AnyObject {
  const { metadata, status = {} } = budget;
  const name = metadata.name ?? '';
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) throw stillProcessed(name);
  const allowed: number = status.disruptionsAllowed ?? 0;
  if (allowed < 0) throw errors.forbidden(SUBJECT, name, 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED) {
    const rule = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw errors.forbidden(SUBJECT, name, rule);
  }
  if (allowed === 0) throw refused(refusal(name, status));
  const next = clone(budget);
  next.status.disruptionsAllowed = allowed - 1;
  if (allowed === 1) next.status.conditions = disruptionCondition(status, status.observedGeneration, 0, now);
  next.status.disruptedPods = { ...status.disruptedPods, [podName]: now };
  return next;
}

function refusal(name: string, status: AnyObject['status']): string {
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  const conditions: { type: string; status: string; reason?: string; message?: string }[] = status.conditions ?? [];
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const cause = condition?.status === 'False' ? (condition.message ?? '') : '';
  const refusing = `The disruption budget ${name} does not allow evicting pods currently`;
  if (cause && condition?.reason === 'SyncFailed') return `${refusing} because it failed sync: ${cause}`;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return cause ? `${refusing} (${condition?.reason}): ${cause}` : refusing;
}
