import type { ScalingRules } from '../autoscaling-v2';

/** Past of an autoscaler that limits its next step. */
export interface History {
  /** Numbers of replicas that metrics asked for. */
  readonly recommendations: readonly { readonly at: number; readonly replicas: number }[];
  /** Changes of the number of replicas. */
  readonly changes: readonly { readonly at: number; readonly by: number }[];
}

export interface Limited {
  readonly replicas: number;
  readonly able: { readonly reason: string; readonly message: string };
  readonly limited: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
  readonly history: History;
}

export interface Request {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
  readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
  readonly history: History;
  readonly now: number;
}

export const NO_HISTORY: History = { recommendations: [], changes: [] };

const DOWN_WINDOW_SECONDS = 300;
/** Longest window and period that autoscalers may have. */
const MEMORY_MS = 3_600_000;
const MAX_REMEMBERED = 500;

/** Limits a wish for replicas by windows, rates and the limits of the autoscaler. Pure. */
export function limit(request: Request): Limited {
  const { desired, behavior, now } = request;
  const stable = behavior ? stabilizeBoth(request) : stabilizeDown(request);
  const same = stable.replicas === desired;
  const able = same
    ? { reason: 'ReadyForNewScale', message: 'recommended size matches current size' }
    : stable.downward
      ? {
          reason: 'ScaleDownStabilized',
          message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
        }
      : {
          reason: 'ScaleUpStabilized',
          message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
        };
  const bounded = behavior ? rateLimited(request, stable.replicas) : ruled(request, stable.replicas);
  const status = bounded.replicas === stable.replicas ? ('False' as const) : ('True' as const);
  const recommendations = [...request.history.recommendations, { at: now, replicas: desired }]
    .filter(({ at }) => at > now - MEMORY_MS)
    .slice(-MAX_REMEMBERED);
  return {
    replicas: bounded.replicas,
    able,
    limited: { status, reason: bounded.reason, message: bounded.message },
    history: { ...request.history, recommendations },
  };
}

/** Remembers a change, if behavior policies will ask for it. */
export const withChange = (history: History, by: number, now: number): History => ({
  ...history,
  changes: [...history.changes, { at: now, by }].filter(({ at }) => at > now - MEMORY_MS).slice(-MAX_REMEMBERED),
});

function stabilizeDown({ desired, history, now }: Request): { replicas: number; downward: boolean } {
  const recent = history.recommendations.filter(({ at }) => at >= now - DOWN_WINDOW_SECONDS * 1000);
  return { replicas: Math.max(desired, ...recent.map(({ replicas }) => replicas)), downward: true };
}

function stabilizeBoth({ current, desired, behavior, history, now }: Request): { replicas: number; downward: boolean } {
  const within = (seconds: number): number[] =>
    history.recommendations.filter(({ at }) => at > now - seconds * 1000).map(({ replicas }) => replicas);
  const up = Math.min(desired, ...within(behavior?.scaleUp?.stabilizationWindowSeconds ?? 0));
  const down = Math.max(desired, ...within(behavior?.scaleDown?.stabilizationWindowSeconds ?? DOWN_WINDOW_SECONDS));
  return { replicas: Math.min(Math.max(current, up), down), downward: desired < current };
}

interface Bounded {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const WITHIN = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const TOO_MANY = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const TOO_FEW = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const FAST_UP = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const FAST_DOWN = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

function ruled({ current, min, max }: Request, desired: number): Bounded {
  const most = Math.max(2 * current, 4);
  if (desired < min) return { replicas: min, ...TOO_FEW };
  if (desired > Math.min(most, max))
    return max > most ? { replicas: most, ...FAST_UP } : { replicas: max, ...TOO_MANY };
  return { replicas: desired, ...WITHIN };
}

function rateLimited(request: Request, desired: number): Bounded {
  const { current, min, max, behavior } = request;
  if (desired > current) {
    const most = Math.max(current, rate(request, behavior?.scaleUp ?? {}, 1));
    if (desired > Math.min(most, max)) {
      return max > most ? { replicas: most, ...FAST_UP } : { replicas: max, ...TOO_MANY };
    }
  } else if (desired < current) {
    const least = Math.min(current, rate(request, behavior?.scaleDown ?? {}, -1));
    if (desired < Math.max(least, min)) {
      return min < least ? { replicas: least, ...FAST_DOWN } : { replicas: min, ...TOO_FEW };
    }
  }
  return { replicas: desired, ...WITHIN };
}

/** Number of replicas that the policies of one direction allow. */
function rate({ current, history, now }: Request, rules: ScalingRules, sign: 1 | -1): number {
  const { selectPolicy = 'Max', policies = [] } = rules;
  if (selectPolicy === 'Disabled') return current;
  const proposed = policies.map(({ type, value, periodSeconds }) => {
    const recent = history.changes.filter(({ at }) => at > now - periodSeconds * 1000);
    const before = current - recent.reduce((sum, { by }) => sum + by, 0);
    if (type === 'Pods') return before + sign * value;
    const scaled = before * (1 + (sign * value) / 100);
    return sign > 0 ? Math.ceil(scaled) : Math.trunc(scaled);
  });
  const largest = (selectPolicy === 'Max') === sign > 0;
  return largest ? Math.max(...proposed) : Math.min(...proposed);
}
