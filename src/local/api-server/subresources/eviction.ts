import { errors, StatusError } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { sendJson } from '../http/responder';
import { Subresource } from '../http/resources';
import { clone } from '../json/values';
import { matchLabelSelector } from '../registry/label-selector';
import { DeleteOptions, deleteOptions } from '../registry/options';
import { subjectOf } from '../registry/kind';
import { StaleError } from '../store/store';
import { AnyObject, timestamp } from '../types';
import { attributes, Caller, Core, keyOf, optionsObject, read, Target } from '../verbs/core';
import { remove } from '../verbs/delete';
import { afterEviction, isFree, mayBecomeReady, needsNoBudget, stillProcessed } from './eviction-budget';

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };
const PDBS = 'policy/poddisruptionbudgets';
/** Number of retries after a conflicting write. */
const ATTEMPTS = 20;

/** `pods/eviction`: a deletion that disruption budgets may reject. */
export function podEviction(core: Core): Subresource {
  return {
    verbs: ['create'],
    async serve(context, target) {
      const body = await readBody(context.request);
      const eviction = decodeBody(body, contentType(context.request), 'Eviction') as AnyObject;
      const { name } = target;
      if ((eviction.metadata?.name ?? '') !== name) {
        throw errors.badRequest('name in URL does not match name in Eviction object');
      }
      const options = deleteOptions(context.info.query, eviction.deleteOptions);
      const caller = {
        user: context.user,
        manager: context.defaultManager,
        dryRun: options.dryRun,
        fieldValidation: 'Ignore' as const,
        warn: (message: string) => context.warn(message),
      };
      // Webhooks of `create pods/eviction` are called, those of `delete pods` are not.
      const request = {
        ...attributes('CREATE', target, caller, eviction, undefined, optionsObject('CreateOptions', caller)),
        objectKind: EVICTION,
      };
      await core.admission.mutate(request);
      await core.admission.validate(request);
      const failure = await evict(core, { ...target, subresource: '' }, options, caller);
      if (failure) return sendJson(context.response, 500, failure);
      sendJson(context.response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
    },
  };
}

/** Deletes the Pod if its budget allows that. Returns a failure that has no reason. @throws StatusError */
async function evict(core: Core, target: Target, options: DeleteOptions, caller: Caller): Promise<object | undefined> {
  const own = options.preconditions?.resourceVersion !== undefined;
  for (let attempt = 1; ; attempt++) {
    const pod = read(core, target.kind, target.namespace, target.name);
    if (!pod) throw errors.notFound(subjectOf(target.kind), target.name);
    if (!needsNoBudget(pod)) return evictRunning(core, target, pod, options, caller);
    try {
      // A Pod that starts meanwhile needs a budget: its version must not have changed.
      const pinned = mayBecomeReady(pod) && !own ? pin(options, pod) : options;
      await announceAndDelete(core, target, pinned, caller);
      return undefined;
    } catch (error) {
      const conflict = error instanceof StatusError && error.code === 409;
      if (!conflict || own || attempt === ATTEMPTS) throw error;
    }
  }
}

async function evictRunning(
  core: Core,
  target: Target,
  pod: AnyObject,
  options: DeleteOptions,
  caller: Caller,
): Promise<object | undefined> {
  const budgets = budgetsOf(core, pod);
  if (budgets.length > 1) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 };
  }
  const [budget] = budgets;
  const free = budget !== undefined && isFree(pod, budget);
  if (budget && !free) useBudget(core, budget, pod.metadata.name!, options.dryRun);
  try {
    await announceAndDelete(core, target, free ? pin(options, pod) : options, caller);
  } catch (error) {
    const conflict = error instanceof StatusError && error.code === 409;
    // The Pod changed, it may be ready now: the client tries again.
    if (free && conflict && options.preconditions?.resourceVersion === undefined) {
      throw stillProcessed(budget.metadata.name!);
    }
    throw error;
  }
  return undefined;
}

const pin = (options: DeleteOptions, { metadata }: AnyObject): DeleteOptions => ({
  ...options,
  preconditions: { ...options.preconditions, resourceVersion: metadata.resourceVersion },
});

function budgetsOf(core: Core, { metadata }: AnyObject): AnyObject[] {
  const { namespace = '', labels } = metadata;
  return [...core.store.list({ resource: PDBS, namespace })].filter((budget) =>
    matchLabelSelector(budget.spec?.selector)(labels),
  );
}

/** Counts the eviction in the budget. Concurrent evictions are counted one after the other. @throws StatusError */
function useBudget(core: Core, budget: AnyObject, podName: string, dryRun: boolean): void {
  const { namespace = '', name = '' } = budget.metadata;
  const key = { resource: PDBS, namespace, name };
  for (let attempt = 1, current: AnyObject | undefined = budget; ; attempt++, current = core.store.get(key)) {
    if (!current) throw errors.notFound({ group: 'policy', resource: 'poddisruptionbudgets' }, name);
    const next = afterEviction(current, podName, timestamp());
    if (dryRun) return;
    try {
      core.store.update(key, next, current.metadata.resourceVersion!);
      return;
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      if (attempt === ATTEMPTS) {
        throw errors.timeout(`couldn't update PodDisruptionBudget ${JSON.stringify(name)} due to conflicts`, [], 10);
      }
    }
  }
}

/** Adds the condition that announces the disruption, then deletes the Pod. @throws StatusError */
async function announceAndDelete(core: Core, target: Target, options: DeleteOptions, caller: Caller): Promise<void> {
  if (options.dryRun) return void (await remove(core, target, options, caller, true));
  const pinned = options.preconditions?.resourceVersion !== undefined;
  const announced = announce(core, target, options);
  await remove(core, target, pinned ? pin(options, announced) : options, caller, true);
}

function announce(core: Core, { kind, namespace, name }: Target, { preconditions }: DeleteOptions): AnyObject {
  const subject = { group: '', resource: 'Pod' };
  for (;;) {
    const pod = read(core, kind, namespace, name);
    if (!pod) throw errors.notFound(subjectOf(kind), name);
    const { uid, resourceVersion } = pod.metadata;
    if (preconditions?.uid && preconditions.uid !== uid) {
      throw errors.conflict(
        subject,
        name,
        `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      );
    }
    if (preconditions?.resourceVersion && preconditions.resourceVersion !== resourceVersion) {
      throw errors.conflict(
        subject,
        name,
        `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
      );
    }
    try {
      return core.store.update(keyOf(kind, namespace, name), withTarget(pod), resourceVersion!);
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
    }
  }
}

function withTarget(pod: AnyObject): AnyObject {
  const next = clone(pod);
  const status = (next.status ??= {});
  const conditions: { type: string; status: string; lastTransitionTime?: string }[] = (status.conditions ??= []);
  const known = conditions.find(({ type }) => type === 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: known?.status === 'True' ? known.lastTransitionTime : timestamp(),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  status.conditions = known
    ? conditions.map((other) => (other === known ? condition : other))
    : [...conditions, condition];
  return next;
}
