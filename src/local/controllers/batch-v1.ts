import type { KubeObject } from '../../api/meta';
import type { LabelSelector } from '../core-v1';
import type { PodTemplate } from './apps-v1';

export interface JobCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
}
export interface PodFailureRule {
  action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';
  onExitCodes?: { containerName?: string; operator: 'In' | 'NotIn'; values: number[] };
  onPodConditions?: { type: string; status?: string }[];
}
export interface SuccessRule {
  succeededIndexes?: string;
  succeededCount?: number;
}
/** Terminated Pods that keep their finalizer until the status has counted them. */
export interface Uncounted {
  succeeded?: string[];
  failed?: string[];
}
export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  ready?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: Uncounted;
}
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: { rules?: PodFailureRule[] };
  successPolicy?: { rules?: SuccessRule[] };
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  template: PodTemplate;
  ttlSecondsAfterFinished?: number;
  completionMode?: 'NonIndexed' | 'Indexed';
  suspend?: boolean;
  podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
  managedBy?: string;
}
export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

export interface JobReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}
export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
    suspend?: boolean;
    jobTemplate: { metadata?: KubeObject['metadata']; spec: JobSpec };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: { active?: JobReference[]; lastScheduleTime?: string; lastSuccessfulTime?: string };
}

export const hasCondition = ({ status }: { status?: { conditions?: JobCondition[] } }, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Final condition of a Job: `Complete` or `Failed`. */
export const finalCondition = ({ status }: Job): JobCondition | undefined =>
  status?.conditions?.find(({ type, status: on }) => ['Complete', 'Failed'].includes(type) && on === 'True');
