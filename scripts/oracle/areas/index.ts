import { aggregation } from './aggregation';
import { authentication, authorization } from './authorization';
import { podSecurity } from './pod-security';
import { policies } from './policies';
import { limits, quotas } from './quotas';
import type { Step } from './scenario';
import { type HookAddress, webhooks } from './webhooks';

/** Requests of each area, in order. */
export const areas: Readonly<Record<string, (hooks: HookAddress) => Step[]>> = {
  webhooks,
  policies,
  podSecurity,
  quotas,
  limits,
  authorization,
  authentication,
  aggregation,
};
