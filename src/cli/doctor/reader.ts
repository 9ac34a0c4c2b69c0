import type { KubeList, KubeObject } from '../../api';
import {
  ApiError,
  apiVersionOf,
  isGone,
  isNotFound,
  pathOf,
  type RequestOptions,
  type Resource,
} from '../../client/kube';
import { messageOf } from '../errors';
import type { Source } from './sources';

/** Sends a request as the user. */
export interface Api {
  request<T>(method: string, path: string, body?: unknown, options?: Omit<RequestOptions, 'headers'>): Promise<T>;
}

/** Objects that could be read, and why others could not. */
export interface Reading<T> {
  readonly items?: readonly T[];
  /** Whether the API server does not serve the kind. */
  readonly isAbsent?: boolean;
  readonly obstacle?: string;
}

export interface Place {
  /** Namespace of the platform. */
  readonly platform: string;
  /** Namespace to which the user limits VMs, claims and their Pods. */
  readonly users?: string;
}

const PAGE = 500;
const TIMEOUT_MS = 15_000;
/** Requests for single objects that run at the same time. */
const PARALLEL = 6;

/** Reads the objects of a source. Never throws: a check reports the facts that it lacks. */
export async function read<T extends KubeObject>(api: Api, source: Source<T>, place: Place): Promise<Reading<T>> {
  const namespace = { cluster: undefined, platform: place.platform, users: place.users }[source.scope];
  try {
    if (source.names) return { items: await readNamed(api, source, source.names, namespace) };
    const { items, isComplete } = await readPages(api, source, namespace);
    const { plural } = source.resource;
    return isComplete ? { items } : { items, obstacle: `only the first ${source.most} ${plural} were read` };
  } catch (error) {
    if (isNotFound(error)) return { items: [], isAbsent: true };
    return { obstacle: obstacleOf(error, source, namespace) };
  }
}

async function readPages<T extends KubeObject>(
  api: Api,
  { resource, labelSelector, fieldSelector, most, keep }: Source<T>,
  namespace: string | undefined,
): Promise<{ items: T[]; isComplete: boolean }> {
  const items: T[] = [];
  let seen = 0;
  for (let next: string | undefined; ;) {
    const query = { labelSelector, fieldSelector, limit: PAGE, continue: next };
    let page: KubeList<T>;
    try {
      page = await api.request<KubeList<T>>('GET', pathOf(resource, { namespace }), undefined, {
        query,
        timeoutMs: TIMEOUT_MS,
      });
    } catch (error) {
      // the snapshot of the first pages has expired: what was read is enough to find problems
      if (next !== undefined && isGone(error)) return { items, isComplete: false };
      throw error;
    }
    const found = page.items ?? [];
    seen += found.length;
    for (const item of found) items.push(...kept(withKind(item, resource), keep));
    const token = page.metadata?.continue;
    if (!token) return { items, isComplete: true };
    if (seen >= most || token === next) return { items, isComplete: false };
    next = token;
  }
}

async function readNamed<T extends KubeObject>(
  api: Api,
  { resource, keep }: Source<T>,
  names: readonly string[],
  namespace: string | undefined,
): Promise<T[]> {
  const items: T[] = [];
  const left = [...names];
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      try {
        const options = { timeoutMs: TIMEOUT_MS };
        const found = await api.request<T>('GET', pathOf(resource, { namespace, name }), undefined, options);
        items.push(...kept(found, keep));
      } catch (error) {
        if (isNotFound(error)) continue;
        left.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return items;
}

const kept = <T>(item: T, keep: (item: T) => T | undefined): T[] => {
  const part = keep(item);
  return part === undefined ? [] : [part];
};

/** Items of a list have no kind. */
const withKind = <T extends KubeObject>(item: T, resource: Resource): T => ({
  ...item,
  apiVersion: item.apiVersion ?? apiVersionOf(resource),
  kind: item.kind ?? resource.kind,
});

function obstacleOf(
  error: unknown,
  { resource, names }: Pick<Source<KubeObject>, 'resource' | 'names'>,
  namespace: string | undefined,
): string {
  const { group, plural, namespaced } = resource;
  const what = group ? `${plural}.${group}` : plural;
  if (!(error instanceof ApiError) || (error.code !== 403 && error.code !== 401)) {
    return `${what} could not be read: ${messageOf(error)}`;
  }
  const where = namespace !== undefined ? ` in namespace "${namespace}"` : namespaced ? ' in all namespaces' : '';
  return `requires permission to ${names ? 'get' : 'list'} ${what}${where}`;
}
