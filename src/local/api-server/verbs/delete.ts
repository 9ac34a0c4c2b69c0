import { errors } from '../errors';
import { clone } from '../json/values';
import { DeleteOptions } from '../registry/options';
import { Kind, subjectOf } from '../registry/kind';
import { StaleError } from '../store/store';
import { AnyObject, timestamp } from '../types';
import { attributes, Caller, Core, keyOf, readConverted, Target } from './core';
import { oneFromStored, toStored } from './convert';
import { Status } from '../../../api/meta';

export interface Deleted {
  /** The object, or a Status of the deletion. */
  readonly result: AnyObject | Status;
  /** Whether the object was deleted, not only marked. */
  readonly gone: boolean;
}

/** Number of retries after a conflicting write. */
const ATTEMPTS = 10;

/**
 * Deletes an object, or marks it if it has finalizers or a grace period. `admitted`: admission has accepted
 * the request in another form (an eviction). @throws StatusError
 */
export async function remove(
  core: Core,
  target: Target,
  options: DeleteOptions,
  caller: Caller,
  admitted = false,
): Promise<Deleted> {
  const { kind, name, namespace } = target;
  if (kind.orphansDependents && options.propagationPolicy === undefined && options.orphanDependents === undefined) {
    caller.warn(preserved(kind));
  }
  for (let attempt = 1; ; attempt++) {
    const current = await readConverted(core, kind, namespace, name);
    if (!current) throw errors.notFound(subjectOf(kind), name);
    if (!admitted) await admit(core, target, current, options, caller);
    try {
      return await step(core, target, current, options);
    } catch (error) {
      if (!(error instanceof StaleError) || attempt === ATTEMPTS) throw error;
    } finally {
      // also an answer without a write may depend on a write that is not durable yet
      await core.store.committed();
    }
  }
}

const preserved = ({ plural }: Kind): string =>
  `child pods are preserved by default when ${plural} are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning`;

async function admit(core: Core, target: Target, current: AnyObject, options: DeleteOptions, caller: Caller) {
  const request = attributes('DELETE', target, caller, undefined, current, {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...without(options),
  });
  await core.admission.mutate(request);
  await core.admission.validate(request);
}

/** Options for admission: only those that were set. */
function without({ dryRun, ...options }: DeleteOptions): Record<string, unknown> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(dryRun ? { dryRun: ['All'] } : {}) };
}

async function step(
  core: Core,
  { kind, name, namespace }: Target,
  current: AnyObject,
  options: DeleteOptions,
): Promise<Deleted> {
  checkPreconditions(kind, name, current, options);
  const key = keyOf(kind, namespace, name);
  const next = clone(current);
  const grace = beginGrace(kind, next, options);
  if (grace === 'pending') return { result: answer(kind, current, false), gone: false };
  if (!current.metadata.deletionTimestamp) kind.beginDeletion?.(next);
  setPropagationFinalizer(kind, next, options);
  const mark = (next.metadata.finalizers?.length ?? 0) + (kind.holdsDeletion?.(next) ? 1 : 0);
  // A kind that begins its deletion in its own way has marked the object already.
  const begun = !current.metadata.deletionTimestamp && next.metadata.deletionTimestamp;
  if (grace === 'now' && mark && !begun) markDeleting(next);
  const changed = grace === 'graceful' || mark > 0;
  const waits = mark > 0 || (grace === 'graceful' && (next.metadata.deletionGracePeriodSeconds ?? 0) > 0);
  if (changed && waits) {
    if (options.dryRun || JSON.stringify(next) === JSON.stringify(current)) return { result: next, gone: false };
    const object = await toStored(kind, next);
    const stored = core.store.stage(() => core.store.update(key, object, current.metadata.resourceVersion!));
    return { result: await oneFromStored(kind, stored), gone: false };
  }
  // The response of a kind with a grace period shows the time of the deletion.
  const shown = grace === 'graceful' ? next : current;
  if (options.dryRun) return { result: answer(kind, shown, true), gone: true };
  const deleted = core.store.stage(() => core.store.delete(key, current.metadata.resourceVersion));
  const { resourceVersion } = deleted.metadata;
  return { result: answer(kind, { ...shown, metadata: { ...shown.metadata, resourceVersion } }, true), gone: true };
}

function answer(kind: Kind, object: AnyObject, gone: boolean): AnyObject | Status {
  if (kind.returnsDeleted || !gone) return object;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: object.metadata.name,
      ...(kind.group ? { group: kind.group } : {}),
      kind: kind.plural,
      uid: object.metadata.uid,
    },
  };
}

function checkPreconditions(kind: Kind, name: string, current: AnyObject, { preconditions }: DeleteOptions): void {
  // Kubernetes names the kind here, not the resource.
  const subject = { group: kind.group, resource: kind.kind };
  const { uid, resourceVersion } = current.metadata;
  if (kind.group === 'apiextensions.k8s.io') {
    // Definitions are compared in Kubernetes' store, with other words.
    const wrong = (field: string, wanted: string, real?: string): never => {
      const why = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${real}`;
      throw errors.conflict(subjectOf(kind), name, why);
    };
    if (preconditions?.uid != null && preconditions.uid !== uid) wrong('UID', preconditions.uid, uid);
    const version = preconditions?.resourceVersion;
    if (version != null && version !== resourceVersion) wrong('ResourceVersion', version, resourceVersion);
  }
  if (preconditions?.uid != null && preconditions.uid !== uid) {
    throw errors.conflict(
      subject,
      name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions?.resourceVersion != null && preconditions.resourceVersion !== resourceVersion) {
    throw errors.conflict(
      subject,
      name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** Marks `object` for a graceful deletion, in place. `pending`: it is being deleted already, at least as fast as requested. */
function beginGrace(kind: Kind, object: AnyObject, options: DeleteOptions): 'now' | 'graceful' | 'pending' {
  if (!kind.gracePeriod) return 'now';
  const { metadata } = object;
  const asked = options.gracePeriodSeconds;
  const requested = asked !== undefined && asked < 0 ? 1 : asked;
  if (metadata.deletionTimestamp) {
    const running = metadata.deletionGracePeriodSeconds;
    if (!running) return 'now';
    if (requested === undefined || requested >= running) return 'pending';
    const begun = Date.parse(metadata.deletionTimestamp) - running * 1000;
    const now = Date.now();
    const due = begun + requested * 1000;
    metadata.deletionTimestamp = timestamp(Math.max(due, now));
    // An expired period is cut to the shortest that the kubelet still ends itself.
    metadata.deletionGracePeriodSeconds = due < now && requested !== 0 ? 1 : requested;
    return 'graceful';
  }
  const period = kind.gracePeriod(object, requested);
  if (period === undefined) return 'now';
  metadata.deletionTimestamp = timestamp(Date.now() + period * 1000);
  metadata.deletionGracePeriodSeconds = period;
  if (metadata.generation) metadata.generation += 1;
  return 'graceful';
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Finalizers of the garbage collector for the options. Without options, existing finalizers are kept. */
function setPropagationFinalizer(kind: Kind, object: AnyObject, options: DeleteOptions): void {
  const had = object.metadata.finalizers ?? [];
  let wanted = had.find((name) => name === ORPHAN || name === FOREGROUND);
  if (options.orphanDependents !== undefined) wanted = options.orphanDependents ? ORPHAN : undefined;
  else if (options.propagationPolicy === 'Orphan') wanted = ORPHAN;
  else if (options.propagationPolicy === 'Foreground') wanted = FOREGROUND;
  else if (options.propagationPolicy === 'Background') wanted = undefined;
  else if (kind.orphansDependents) wanted ??= ORPHAN;
  if (wanted && had.includes(wanted) && had.filter((name) => name === ORPHAN || name === FOREGROUND).length === 1)
    return;
  const finalizers = had.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  if (wanted) finalizers.push(wanted);
  if (finalizers.length) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
}

function markDeleting({ metadata }: AnyObject): void {
  if (!metadata.deletionTimestamp && metadata.generation) metadata.generation += 1;
  const now = timestamp();
  if (!metadata.deletionTimestamp || Date.parse(metadata.deletionTimestamp) > Date.now()) {
    metadata.deletionTimestamp = now;
  }
  metadata.deletionGracePeriodSeconds = 0;
}

/** Status code of a DELETE: 202 if the client requested a cascade that is not finished. */
export function deleteCode(deleted: Deleted, options: DeleteOptions): number {
  return !deleted.gone && options.orphanDependents === false ? 202 : 200;
}
