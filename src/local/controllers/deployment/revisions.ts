import type { Deployment, ReplicaSet } from '../apps-v1';
import { sameTemplate } from '../template-hash';
import { maxSurge } from './limits';

/** Revisions of a Deployment, which its ReplicaSets record in annotations. Pure. */

export const annotation = {
  revision: 'deployment.kubernetes.io/revision',
  history: 'deployment.kubernetes.io/revision-history',
  desired: 'deployment.kubernetes.io/desired-replicas',
  max: 'deployment.kubernetes.io/max-replicas',
} as const;

/** Annotations of a Deployment that its ReplicaSets do not get. */
const NOT_COPIED = new Set<string>([
  ...Object.values(annotation),
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
]);

const MAX_HISTORY = 2000;

type Annotations = Record<string, string>;

/** The revision of a ReplicaSet; 0 without one, NaN if the annotation is not a number. */
export function revisionOf({ metadata }: ReplicaSet): number {
  const text = metadata.annotations?.[annotation.revision];
  if (text === undefined) return 0;
  return /^[-+]?\d{1,18}$/.test(text) ? Number(text) : NaN;
}

export const latestRevision = (sets: readonly ReplicaSet[]): number =>
  Math.max(0, ...sets.map(revisionOf).filter((revision) => !Number.isNaN(revision)));

/** The oldest ReplicaSet with the Deployment's template. */
export const newSetOf = (deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  [...sets].sort(byAge).find((set) => sameTemplate(set.spec.template, deployment.spec.template));

const created = ({ metadata }: ReplicaSet): string => metadata.creationTimestamp ?? '';

/** The oldest first; of the same second, by name. */
export const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  created(a) === created(b) ? compareText(a.metadata.name, b.metadata.name) : compareText(created(a), created(b));

const compareText = (a = '', b = ''): number => (a === b ? 0 : a < b ? -1 : 1);

export const byRevision = (a: ReplicaSet, b: ReplicaSet): number => revisionOf(a) - revisionOf(b) || byAge(a, b);

/** Annotations with the numbers from which a ReplicaSet computes its share when the Deployment is scaled. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const { replicas = 1 } = deployment.spec;
  return { [annotation.desired]: String(replicas), [annotation.max]: String(replicas + maxSurge(deployment)) };
}

/** Annotations of the new ReplicaSet: those of the Deployment, its revision, and the revisions that it had before. */
export function newSetAnnotations(deployment: Deployment, existing: Annotations, revision: number): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key));
  const result: Annotations = { ...existing, ...Object.fromEntries(copied) };
  const old = existing[annotation.revision];
  if (old !== undefined && old !== '' && !/^[-+]?\d{1,18}$/.test(old)) return result;
  if (Number(old || '0') >= revision) return result;
  result[annotation.revision] = String(revision);
  if (old === undefined) return result;
  const history = extend(existing[annotation.history] ?? '', old);
  if (history !== undefined) result[annotation.history] = history;
  return result;
}

/** Appends a revision; drops the oldest ones if the text becomes too long. */
function extend(history: string, revision: string): string | undefined {
  if (!history) return revision;
  const kept = history.split(',');
  let length = history.length + revision.length + 1;
  while (length > MAX_HISTORY && kept.length) length -= kept.shift()!.length + 1;
  return length <= MAX_HISTORY ? [...kept, revision].join(',') : undefined;
}
