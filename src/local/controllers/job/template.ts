import type { Pod } from '../../core-v1';
import type { Job } from '../batch-v1';
import { podOf } from '../pod-control';
import { FAILURES, failuresOf, IGNORED, ignoredFailuresOf, INDEX, matchPolicy, NO_INDEX, TRACKING } from './pods';

const VARIABLE = 'JOB_COMPLETION_INDEX';
/** Generated names have five more characters; a Pod's name should fit into a label. */
const MAX_PREFIX = 58;

/** The Pod of a Job for one index. `replaced`: the failed Pod before it, whose failures it continues to count. Pure. */
export function podFor(job: Job, index: number, replaced?: Pod): Pod {
  const pod = podOf(job, job.spec.template);
  const { metadata } = pod;
  metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), TRACKING])];
  if (job.spec.completionMode !== 'Indexed') return pod;
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    if (container.env?.some(({ name }) => name === VARIABLE)) continue;
    const fieldRef = { fieldPath: `metadata.labels['${INDEX}']` };
    container.env = [...(container.env ?? []), { name: VARIABLE, valueFrom: { fieldRef } }];
  }
  if (index === NO_INDEX) return pod;
  const suffix = `-${index}-`;
  const name = job.metadata.name ?? '';
  metadata.generateName = `${name.slice(0, Math.max(0, MAX_PREFIX - suffix.length))}${suffix}`;
  metadata.annotations = { ...metadata.annotations, [INDEX]: String(index), ...failureCounts(job, replaced) };
  metadata.labels = { ...metadata.labels, [INDEX]: String(index) };
  pod.spec.hostname = `${name}-${index}`;
  return pod;
}

function failureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (job.spec.backoffLimitPerIndex === undefined) return {};
  if (!replaced) return { [FAILURES]: '0' };
  const counts = matchPolicy(job, replaced).counts;
  const ignored = ignoredFailuresOf(replaced) + (counts ? 0 : 1);
  return {
    [FAILURES]: String(failuresOf(replaced) + (counts ? 1 : 0)),
    ...(ignored ? { [IGNORED]: String(ignored) } : {}),
  };
}
