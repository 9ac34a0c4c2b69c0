import { errors } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { sendJson } from '../http/responder';
import { Subresource } from '../http/resources';
import { matchLabelSelector } from '../registry/label-selector';
import { deleteOptions } from '../registry/options';
import { subjectOf } from '../registry/kind';
import { StaleError } from '../store/store';
import { AnyObject, clone, timestamp } from '../types';
import { attributes, Core, optionsObject, read } from '../verbs/core';
import { remove } from '../verbs/delete';

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };
const PDBS = 'policy/poddisruptionbudgets';

/** `pods/eviction`: a deletion that disruption budgets may reject. */
export function podEviction(core: Core): Subresource {
  return {
    verbs: ['create'],
    async serve(context, target) {
      const { kind, namespace, name } = target;
      const body = await readBody(context.request);
      const eviction = decodeBody(body, contentType(context.request), 'Eviction') as AnyObject;
      if (eviction.metadata?.name && eviction.metadata.name !== name) {
        throw errors.badRequest('name in URL does not match name in Eviction object');
      }
      const pod = read(core, kind, namespace, name);
      if (!pod) throw errors.notFound(subjectOf(kind), name);
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
      if (!mayGoAnyway(pod)) useBudget(core, pod, options.dryRun);
      await remove(core, { ...target, subresource: '' }, options, caller, true);
      sendJson(context.response, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
    },
  };
}

function mayGoAnyway(pod: AnyObject): boolean {
  const phase: string = pod.status?.phase ?? '';
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || !!pod.metadata.deletionTimestamp;
}

function useBudget(core: Core, pod: AnyObject, dryRun: boolean): void {
  const { namespace = '', labels, name = '' } = pod.metadata;
  const budgets = [...core.store.list({ resource: PDBS, namespace })].filter((pdb) =>
    matchLabelSelector(pdb.spec?.selector)(labels),
  );
  if (!budgets.length) return;
  if (budgets.length > 1) {
    throw errors.internal(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [pdb] = budgets;
  const allowed: number = pdb.status?.disruptionsAllowed ?? 0;
  const refuse = (message: string, retry?: number) =>
    errors.tooManyRequests(
      "Cannot evict pod as it would violate the pod's disruption budget.",
      [{ reason: 'DisruptionBudget', message }],
      retry,
    );
  if ((pdb.status?.observedGeneration ?? 0) < (pdb.metadata.generation ?? 0)) {
    throw refuse(`The disruption budget ${pdb.metadata.name} is still being processed by the server.`, 10);
  }
  if (allowed <= 0) {
    const { desiredHealthy = 0, currentHealthy = 0 } = pdb.status ?? {};
    throw refuse(
      `The disruption budget ${pdb.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    );
  }
  if (dryRun) return;
  const next = clone(pdb);
  next.status.disruptionsAllowed = allowed - 1;
  next.status.disruptedPods = { ...next.status.disruptedPods, [name]: timestamp() };
  try {
    core.store.update({ resource: PDBS, namespace, name: pdb.metadata.name! }, next, pdb.metadata.resourceVersion!);
  } catch (error) {
    if (error instanceof StaleError)
      throw errors.conflict(
        { group: 'policy', resource: 'poddisruptionbudgets' },
        pdb.metadata.name!,
        'the budget was changed meanwhile; try again',
      );
    throw error;
  }
}
