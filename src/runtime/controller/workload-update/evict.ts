import { errorText } from '../../../api/error-text';
import { reasons } from '../../../api/reasons';
import { ApiError, isConflict, isNotFound, pathOf, resources } from '../../kube';
import type { UpdateContext } from './context';
import { evicted, refused } from './messages';
import type { Launched } from './observed';

/** Evictions that are requested at the same time. */
const PARALLEL = 10;

/** Evicts candidates in their order until `room` evictions may have been accepted. */
export async function evictBatch(context: UpdateContext, candidates: readonly Launched[], room: number): Promise<void> {
  // recorded first: a process that ends in the middle must not begin a second batch after its restart
  await context.lastBatch.begin(context.now());
  for (let next = 0, left = room; left > 0 && next < candidates.length;) {
    const group = candidates.slice(next, next + Math.min(left, PARALLEL));
    const isUsed = await Promise.all(group.map((instance) => evict(context, instance)));
    left -= isUsed.filter(Boolean).length;
    next += group.length;
  }
}

/** Requests one eviction; returns false if the Pod certainly was not evicted. */
async function evict(context: UpdateContext, instance: Launched): Promise<boolean> {
  const { client, recorder, evictions, refusals, launcherImage, now } = context;
  const { vmi, pod } = instance;
  const { namespace, name = '', uid = '' } = pod.metadata;
  try {
    await client.request('POST', pathOf(resources.pods, { namespace, name, subresource: 'eviction' }), {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      deleteOptions: { preconditions: { uid } },
    });
  } catch (error) {
    // the Pod is gone, or another one has its name
    if (isNotFound(error) || isConflict(error)) return false;
    refusals.set(vmi.metadata.uid ?? '', now());
    recorder.warning(vmi, reasons.failedEvict, refused(instance, causeOf(error)));
    const isCertain = error instanceof ApiError && error.code !== 504;
    if (!isCertain) evictions.set(uid, now());
    return !isCertain;
  }
  evictions.set(uid, now());
  recorder.normal(vmi, reasons.successfulEvict, evicted(instance, launcherImage));
  return true;
}

/** The server's own words, without the request. The causes name the budget. */
function causeOf(error: unknown): string {
  const { message, details } = (error instanceof ApiError && error.status) || {};
  const causes = (details?.causes ?? []).map((cause) => cause.message).filter(Boolean);
  return [message ?? errorText(error), ...causes].join(' ').replace(/\.$/, '');
}
