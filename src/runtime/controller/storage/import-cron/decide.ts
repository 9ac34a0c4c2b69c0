/** Decides what a DataImportCron polls, imports and removes. Pure. */
import { keys } from '../../../../api/keys';
import { parseSchedule } from '../../../../api/schedule';
import type { cdi, KubeObject } from '../../../../api';
import type { Pod } from '../../pod';
import { timed, type Condition } from '../conditions';
import { isoTime } from '../../instance/phase';
import type { Problem } from '../clone/plan';
import type { DataVolume } from '../data-volume/decide';
import { podState } from '../population/pod-state';
import type { ImportSettings } from '../population/worker-pod';
import { CDI_GROUP, type DataSource, type StorageClaim, type VolumeSnapshot } from '../types';
import { importName, isDigest, pinned, type DataImportCron } from './names';
import { pollPod } from './poll-pod';
import { snapshotOf, waiting, type Snapshots } from './snapshots';

export interface Observed {
  readonly cron: DataImportCron;
  /** Pod that asks for the digest. */
  readonly poll?: Pod;
  /** Claim that is copied, if the template names one. */
  readonly claim?: StorageClaim;
  /** DataVolumes with the label of this DataImportCron. */
  readonly imports: readonly DataVolume[];
  /** DataVolume with the name of the wanted import, with or without the label. */
  readonly named?: DataVolume;
  readonly dataSource?: DataSource;
  /** Undefined if imports are kept as claims. */
  readonly snapshots?: Snapshots;
  readonly settings: ImportSettings;
  /** Cause for which the registry cannot be asked. */
  readonly problem?: Problem;
  readonly now: number;
}

export type Action =
  | { readonly do: 'createPoll' | 'deletePoll'; readonly pod: Pod }
  | { readonly do: 'recordDigest'; readonly digest: string }
  | { readonly do: 'createImport' | 'deleteImport'; readonly dataVolume: DataVolume }
  | { readonly do: 'createSnapshot' | 'deleteSnapshot'; readonly snapshot: VolumeSnapshot }
  | { readonly do: 'createDataSource' | 'updateDataSource'; readonly dataSource: DataSource };

export interface Decision {
  readonly actions: readonly Action[];
  readonly status: cdi.DataImportCronStatus;
  /** Time until the next poll, or until a snapshot is looked at again. */
  readonly retryMs?: number;
}

/** CDI's default. */
const IMPORTS_TO_KEEP = 3;
/** Time between two Pods that ask for a digest: each of them may be evicted at once. */
const POLL_RETRY_MS = 60_000;
const LONGEST_TIMER_MS = 24 * 60 * 60_000;
/** VolumeSnapshots are not watched. */
const SNAPSHOT_RECHECK_MS = 2_000;
const RECOMMENDATION = 'instancetype.kubevirt.io/';

/** Digest that the newest import should have: of the registry's image, or the UID of the claim that is copied. */
export function wantedDigest({ cron, claim }: Pick<Observed, 'cron' | 'claim'>): string | undefined {
  if (cron.spec.template.spec.source?.pvc)
    return claim?.status?.phase === 'Bound' ? `uid:${claim.metadata.uid}` : undefined;
  const given = cron.metadata.annotations?.[keys.desiredDigest];
  return isDigest(given) ? given : undefined;
}

export function decide(observed: Observed): Decision {
  const { cron, poll, imports, dataSource, snapshots, now } = observed;
  const before = cron.status ?? {};
  const finished = poll?.status?.phase === 'Succeeded' && !poll.metadata.deletionTimestamp ? poll : undefined;
  const polled = finished && podState(finished).digest;
  const lastExecution = finished ? isoTime(now) : before.lastExecutionTimestamp;
  const retryPollMs = timeToRetry(poll, now);
  const digest = isDigest(polled) ? polled : wantedDigest(observed);
  const due = dueAt(cron, lastExecution, now);
  const asks = !poll && due !== undefined && due <= now;
  const problem = asks ? observed.problem : undefined;
  const wanted = digest === undefined ? undefined : importName(cron, digest);
  const current = imports.find(({ metadata }) => metadata.name === wanted);
  const isForeign = !current && observed.named !== undefined;
  const isImported = current?.status?.phase === 'Succeeded';
  const taken = snapshots?.taken.find(({ metadata }) => metadata.name === wanted);
  const isComplete = snapshots ? (taken?.status?.readyToUse ?? false) : isImported;
  const hasChanged = isComplete && before.lastImportedPVC?.name !== wanted;
  const format = isComplete ? (snapshots ? 'snapshot' : 'pvc') : (before.sourceFormat ?? 'pvc');
  const { namespace = '' } = cron.metadata;
  const lastImported = isComplete ? { namespace, name: wanted! } : before.lastImportedPVC;
  const actions: Action[] = [
    ...(isDigest(polled) ? [{ do: 'recordDigest', digest: polled } as const] : []),
    ...(finished ? [{ do: 'deletePoll', pod: finished } as const] : []),
    ...(retryPollMs === 0 ? [{ do: 'deletePoll', pod: poll! } as const] : []),
    ...(asks && !problem ? [{ do: 'createPoll', pod: pollPod(cron, observed.settings) } as const] : []),
    ...(digest !== undefined && !current && !isForeign && !taken
      ? [{ do: 'createImport', dataVolume: importOf(cron, digest) } as const]
      : []),
    ...(snapshots && isImported && !taken
      ? [{ do: 'createSnapshot', snapshot: snapshotOf(cron, snapshots, wanted!, recommendations(cron)) } as const]
      : []),
    ...dataSourceActions(cron, dataSource, lastImported && { [format]: lastImported }),
    ...(isComplete ? outdatedImports(observed, wanted!) : []),
    ...(isComplete ? outdatedSnapshots(observed, wanted!) : []),
  ];
  const conditions: Condition[] = [
    snapshots && isImported && !isComplete
      ? { type: 'Progressing', status: 'True', reason: 'ImportProgressing', message: waiting(wanted!, taken ?? {}) }
      : progressing(current, isForeign ? wanted : undefined),
    upToDate(observed, digest, isComplete, problem ?? pollProblem(poll)),
  ];
  return {
    actions,
    status: {
      ...before,
      ...(digest !== undefined && { currentImports: [{ DataVolumeName: wanted!, Digest: digest }] }),
      ...(lastExecution && { lastExecutionTimestamp: lastExecution }),
      ...(lastImported && { lastImportedPVC: lastImported, sourceFormat: format }),
      ...(hasChanged && { lastImportTimestamp: isoTime(now) }),
      conditions: conditions.map((condition) => timed(condition, before.conditions as Condition[] | undefined, now)),
    },
    ...soonest([
      due !== undefined && due > now ? due - now : undefined,
      snapshots && isImported && !isComplete ? SNAPSHOT_RECHECK_MS : undefined,
      retryPollMs || undefined,
      problem?.retryMs,
    ]),
  };
}

/** Time until a Pod that was evicted, or whose node was lost, is replaced; undefined for every other Pod. */
function timeToRetry(poll: Pod | undefined, now: number): number | undefined {
  if (poll?.status?.phase !== 'Failed' || poll.metadata.deletionTimestamp) return undefined;
  return Math.max(0, Date.parse(poll.metadata.creationTimestamp ?? '1970-01-01') + POLL_RETRY_MS - now);
}

function soonest(times: readonly (number | undefined)[]): Pick<Decision, 'retryMs'> {
  const known = times.filter((time) => time !== undefined);
  return known.length ? { retryMs: Math.min(...known, LONGEST_TIMER_MS) } : {};
}

/** Time of the next poll in milliseconds: at once for the first. Without a schedule there is only that one. */
export function dueAt(
  { spec, metadata }: DataImportCron,
  lastExecution: string | undefined,
  now: number,
): number | undefined {
  if (!spec.template.spec.source?.registry) return undefined;
  if (lastExecution === undefined) {
    return spec.schedule === '' && isDigest(metadata.annotations?.[keys.desiredDigest]) ? undefined : now;
  }
  return spec.schedule === '' ? undefined : parseSchedule(spec.schedule).next(Date.parse(lastExecution));
}

function importOf(cron: DataImportCron, digest: string): DataVolume {
  const { spec: template, metadata } = cron.spec.template;
  const { registry } = template.source ?? {};
  return {
    apiVersion: `${CDI_GROUP}/v1beta1`,
    kind: 'DataVolume',
    metadata: {
      name: importName(cron, digest),
      namespace: cron.metadata.namespace,
      labels: { ...recommendations(cron), ...metadata?.labels, [keys.dataImportCron]: cron.metadata.name },
      // nothing uses an image before it is complete
      annotations: { ...metadata?.annotations, [keys.bindImmediate]: 'true' },
      ...owned(cron),
    },
    spec: {
      ...template,
      ...(registry && { source: { registry: { ...registry, url: pinned(registry.url ?? '', digest) } } }),
    },
  } as DataVolume;
}

/** Imports stay without their DataImportCron, except with the retention policy None. */
const owned = ({ apiVersion = '', kind = '', metadata, spec }: DataImportCron) =>
  spec.retentionPolicy === 'None'
    ? { ownerReferences: [{ apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' }] }
    : {};

/** Labels that name the instance type and preference for VMs with the image. */
const recommendations = ({ metadata }: DataImportCron): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => key.startsWith(RECOMMENDATION)));

function dataSourceActions(
  cron: DataImportCron,
  dataSource: DataSource | undefined,
  /** The newest import. */
  source: cdi.DataSourceSource | undefined,
): Action[] {
  const { namespace } = cron.metadata;
  const labels = { ...recommendations(cron), [keys.dataImportCron]: cron.metadata.name ?? '' };
  if (!dataSource) {
    const metadata = { name: cron.spec.managedDataSource, namespace, labels, ...owned(cron) };
    const made = { apiVersion: `${CDI_GROUP}/v1beta1`, kind: 'DataSource', metadata, spec: { source: source ?? {} } };
    return [{ do: 'createDataSource', dataSource: made as DataSource }];
  }
  const { metadata, spec } = dataSource;
  const isCurrent = !source || isSame(spec.source, source);
  const isLabelled = Object.keys(labels).every((key) => key in (metadata.labels ?? {}));
  if (isCurrent && isLabelled) return [];
  // what the user wrote stays
  const merged = { ...labels, ...metadata.labels };
  const changed = {
    ...dataSource,
    metadata: { ...metadata, labels: merged },
    spec: { source: source ?? spec.source },
  };
  return [{ do: 'updateDataSource', dataSource: changed as DataSource }];
}

const isSame = (one: cdi.DataSourceSource, other: cdi.DataSourceSource): boolean =>
  (['pvc', 'snapshot'] as const).every(
    (kind) => one[kind]?.name === other[kind]?.name && one[kind]?.namespace === other[kind]?.namespace,
  );

/** Old imports, and the claim of an import that has become a snapshot. */
function outdatedImports({ cron, imports, snapshots }: Observed, current: string): Action[] {
  const taken = snapshots
    ? imports.filter(({ metadata }) => metadata.name === current && !metadata.deletionTimestamp)
    : [];
  return [...taken, ...outdated(cron, imports, current)].map((dataVolume) => ({ do: 'deleteImport', dataVolume }));
}

const outdatedSnapshots = ({ cron, snapshots }: Observed, current: string): Action[] =>
  outdated(cron, snapshots?.taken ?? [], current).map((snapshot) => ({ do: 'deleteSnapshot', snapshot }));

/** The oldest are the first to go. The current one stays in any case. */
function outdated<T extends KubeObject>({ spec }: DataImportCron, imports: readonly T[], current: string): T[] {
  if (spec.garbageCollect === 'Never') return [];
  const others = imports
    // a label alone might be of a user
    .filter(({ metadata }) => metadata.name?.startsWith(`${spec.managedDataSource}-`))
    .filter(({ metadata }) => metadata.name !== current && !metadata.deletionTimestamp)
    .sort((a, b) => Date.parse(b.metadata.creationTimestamp ?? '') - Date.parse(a.metadata.creationTimestamp ?? ''));
  return others.slice(Math.max(1, spec.importsToKeep ?? IMPORTS_TO_KEEP) - 1);
}

function progressing(current: DataVolume | undefined, foreign: string | undefined): Condition {
  const type = 'Progressing';
  if (foreign !== undefined) {
    const message = `DataVolume ${foreign} exists and does not belong to this DataImportCron; delete or rename it`;
    return { type, status: 'False', reason: 'ErrImportExists', message };
  }
  if (!current) return { type, status: 'False', reason: 'NoImport', message: 'No current import' };
  const { phase } = current.status ?? {};
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'NoImport', message: 'No current import' };
  const running = current.status?.conditions?.find((condition) => condition.type === 'Running');
  const message = running?.message || `Import is progressing (${phase ?? 'Pending'})`;
  return {
    type,
    status: 'True',
    reason: 'ImportProgressing',
    message: `DataVolume ${current.metadata.name}: ${message}`,
  };
}

function upToDate(
  { cron, claim }: Observed,
  digest: string | undefined,
  isComplete: boolean,
  cause: Problem | undefined,
): Condition {
  const type = 'UpToDate';
  if (cause) return { type, status: isComplete ? 'True' : 'False', reason: cause.reason, message: cause.message };
  const { pvc, registry } = cron.spec.template.spec.source ?? {};
  if (digest === undefined && pvc) {
    const name = `${pvc.namespace ?? cron.metadata.namespace}/${pvc.name}`;
    const state = claim ? 'is not bound yet' : 'does not exist';
    return { type, status: 'False', reason: 'NoDigest', message: `PVC ${name} ${state}` };
  }
  if (registry && !registry.url) {
    const message = 'image streams are not supported (allowed: spec.template.spec.source.registry.url)';
    return { type, status: 'False', reason: 'SourceNotSupported', message };
  }
  if (digest === undefined) return { type, status: 'False', reason: 'NoDigest', message: 'No digest yet' };
  return isComplete
    ? { type, status: 'True', reason: 'UpToDate', message: 'Latest import is up to date' }
    : { type, status: 'False', reason: 'Outdated', message: `Import of ${digest} is not complete` };
}

/** Cause for which the Pod that asks for the digest does not end. */
function pollProblem(poll: Pod | undefined): Problem | undefined {
  if (!poll || poll.status?.phase === 'Succeeded') return undefined;
  const { phase, isRunning, reason, message } = podState(poll);
  if (phase === 'Failed') {
    // the node knows more than the container that it ended
    const { reason: why = reason, message: cause = message } = poll.status ?? {};
    return { reason: why, message: `the Pod that asks the registry failed, and is replaced: ${cause || why}` };
  }
  return message && !isRunning ? { reason, message } : undefined;
}
