import type { Condition, KubeObject, Status } from '../api';
import { findCondition } from '../api/conditions';
import { ApiError, isGone, pathOf } from './kube';
import type { ObjectRef, Resource } from './kube';
import type { GuestConnection } from './connection';
import { ClientError } from './errors';

/** Status fields that are checked. */
export interface Reported extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly phase?: string;
    readonly printableStatus?: string;
    readonly readyToUse?: boolean;
  };
}

/** Options for waiting. */
export interface WaitOptions {
  /** Timeout in milliseconds. Default: 120,000. */
  readonly timeoutMs?: number;
  /** Signal that aborts the wait. */
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** Delay before the watch is opened again. */
const PAUSE_MS = 500;

/** Whether the object meets the condition. Pure. */
export function isMet(object: Reported, wanted: string): boolean {
  const { conditions, phase, printableStatus } = object.status ?? {};
  if (phase === wanted || printableStatus === wanted) return true;
  return findCondition(conditions as Condition[] | undefined, wanted)?.status === 'True';
}

/**
 * Watches an object until it meets the condition.
 *
 * @throws ApiError 404 if it does not exist or is deleted meanwhile; 504 (`Timeout`) with its last conditions
 */
export async function waitFor<T extends KubeObject>(
  connection: GuestConnection,
  resource: Resource,
  ref: ObjectRef,
  wanted: string | ((object: T) => boolean),
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: WaitOptions = {},
): Promise<T | undefined> {
  const met = typeof wanted === 'string' ? (object: T) => isMet(object as Reported, wanted) : wanted;
  const isGoodbye = wanted === 'Deleted';
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  const giveUp = (): void => ended.abort();
  signal?.addEventListener('abort', giveUp, { once: true });
  let last: T | undefined;
  try {
    while (!ended.signal.aborted) {
      try {
        last = await connection.request<T>('GET', pathOf(resource, ref), undefined, { signal: ended.signal });
        if (!isGoodbye && met(last)) return last;
        const seen = await nextOf<T>(connection, resource, ref, last, isGoodbye ? () => false : met, ended.signal);
        last = seen.object;
        if (seen.isMet) return last;
        if (!seen.isDeleted) continue;
        if (isGoodbye) return undefined;
        throw gone(resource, ref);
      } catch (error) {
        if (ended.signal.aborted) break;
        if (error instanceof ApiError && error.code === 404 && isGoodbye) return undefined;
        if (!isGone(error) && !isPassing(error)) throw error;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    }
    signal?.throwIfAborted();
    throw timedOut(resource, ref, typeof wanted === 'string' ? wanted : 'as wanted', timeoutMs, last as Reported);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    ended.abort();
  }
}

/** Whether to retry: connection errors may pass, rejections by the server do not. */
const isPassing = (error: unknown): boolean =>
  error instanceof ClientError || (error instanceof ApiError && error.code >= 500);

interface Seen<T> {
  readonly object: T;
  readonly isMet: boolean;
  readonly isDeleted: boolean;
}

/** Follows a watch stream until the wait or the stream ends. */
async function nextOf<T extends KubeObject>(
  connection: GuestConnection,
  resource: Resource,
  { name, namespace }: ObjectRef,
  from: T,
  met: (object: T) => boolean,
  signal: AbortSignal,
): Promise<Seen<T>> {
  let seen: Seen<T> = { object: from, isMet: false, isDeleted: false };
  const done = new AbortController();
  const end = (): void => done.abort();
  signal.addEventListener('abort', end, { once: true });
  const { resourceVersion } = from.metadata;
  try {
    await connection.watch<T>(
      resource,
      { name, namespace, resourceVersion },
      (event) => {
        if (event.type === 'BOOKMARK' || done.signal.aborted) return;
        const isDeleted = event.type === 'DELETED';
        seen = { object: event.object, isMet: !isDeleted && met(event.object), isDeleted };
        if (seen.isMet || seen.isDeleted) done.abort();
      },
      done.signal,
    );
  } catch (error) {
    if (!seen.isMet && !seen.isDeleted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
  return seen;
}

const titleOf = ({ kind }: Resource, { namespace, name }: ObjectRef): string =>
  `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

function gone(resource: Resource, ref: ObjectRef): ApiError {
  return new ApiError(404, 'NotFound', `${titleOf(resource, ref)} was deleted during the wait`);
}

function timedOut(
  resource: Resource,
  ref: ObjectRef,
  wanted: string,
  timeoutMs: number,
  last: Reported | undefined,
): ApiError {
  const { conditions = [], printableStatus, phase } = last?.status ?? {};
  const remedy =
    conditions.length > 0
      ? 'fix the cause that the conditions name, or raise timeoutMs'
      : 'its controller has not reported anything yet; check that it runs, or raise timeoutMs';
  const state = printableStatus ?? phase;
  const head = `${titleOf(resource, ref)} is not ${wanted} after ${timeoutMs / 1000} s${state ? `; it is ${state}` : ''}`;
  const message = [
    `${head}; ${remedy}`,
    ...conditions.map(
      (each) => `  ${each.type}=${each.status} ${[each.reason, each.message].filter(Boolean).join(': ')}`,
    ),
  ].join('\n');
  const status: Status = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    reason: 'Timeout',
    code: 504,
    message: head,
    details: { name: ref.name, kind: resource.kind, causes: [{ reason: 'Remedy', message: remedy }] },
  };
  return new ApiError(504, 'Timeout', message, status);
}
