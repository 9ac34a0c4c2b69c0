import type { KubeVirt } from '../../api';
import type { EngineFacts, FactName, Facts, ObjectName } from './facts';
import { read, type Api } from './reader';
import { sources } from './sources';

export interface Gathered {
  readonly facts: Facts;
  /** Reasons why facts could not be read, in words. */
  readonly obstacles: Readonly<Partial<Record<FactName, string>>>;
}

export interface GatherOptions {
  /** Time of the API server, in milliseconds since 1970; undefined if it is not known. */
  readonly serverTime?: number;
  /** Time of this machine. */
  readonly now: number;
  /** Namespace to which the user limits VMs, claims and their Pods. */
  readonly namespace?: string;
  readonly engine?: EngineFacts;
}

const DEFAULT_NAMESPACE = 'kubevirt';
const DEADLINE_MS = 15_000;

/**
 * Reads everything that checks need, page by page and up to a limit.
 * @throws ClientError or ApiError if the API server does not answer at all
 */
export async function gather(api: Api, options: GatherOptions): Promise<Gathered> {
  const get = <T>(path: string): Promise<T> => api.request<T>('GET', path, undefined, { timeoutMs: DEADLINE_MS });
  const { gitVersion } = await get<{ gitVersion: string }>('/version');
  const groups = await get<{ groups: { name: string }[] }>('/apis').then(
    (list) => list.groups.map(({ name }) => name),
    () => undefined,
  );
  // its namespace is that of the platform
  const kubeVirts = await read(api, sources.kubeVirts, { platform: DEFAULT_NAMESPACE });
  const namespace = (kubeVirts.items as readonly KubeVirt[] | undefined)?.[0]?.metadata.namespace ?? DEFAULT_NAMESPACE;
  const place = { platform: namespace, users: options.namespace };
  const names = (Object.keys(sources) as ObjectName[]).filter((name) => name !== 'kubeVirts');
  const readings = await Promise.all(
    names.map(async (name) => [name, await read(api, sources[name] as (typeof sources)['nodes'], place)] as const),
  );
  const all = [['kubeVirts', kubeVirts] as const, ...readings];
  const now = options.serverTime ?? options.now;
  const facts = {
    ...{ now, clockOffsetMs: options.now - now, namespace, server: gitVersion, groups, engine: options.engine },
    absent: new Set(all.filter(([, { isAbsent }]) => isAbsent).map(([name]) => name)),
    ...Object.fromEntries(all.map(([name, { items }]) => [name, items])),
  } as Facts;
  const obstacles = all.flatMap(([name, { obstacle }]) => (obstacle === undefined ? [] : [[name, obstacle] as const]));
  if (!groups) obstacles.push(['groups' as ObjectName, 'the groups of the API server could not be read']);
  return { facts, obstacles: Object.fromEntries(obstacles) };
}
