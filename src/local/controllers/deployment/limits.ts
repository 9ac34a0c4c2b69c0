import { scaled } from '../amounts';
import type { Deployment } from '../apps-v1';

/** Numbers of Pods that a rolling update may add and miss. Pure. */

export const isRolling = ({ spec }: Deployment): boolean =>
  (spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate';

/** Both limits. If both are rounded to 0, one Pod may be missing, because otherwise nothing could change. */
function limits({ spec }: Deployment): { surge: number; unavailable: number } {
  const { replicas = 1, strategy } = spec;
  const surge = scaled(strategy?.rollingUpdate?.maxSurge, replicas, 'up');
  const unavailable = scaled(strategy?.rollingUpdate?.maxUnavailable, replicas, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? limits(deployment).surge : 0);

export function maxUnavailable(deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec;
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(limits(deployment).unavailable, replicas);
}
