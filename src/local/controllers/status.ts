import type { KubeObject } from '../../api/meta';
import { isNotFound, type KubeClient, type Resource } from '../../runtime/kube';
import { deepEqual } from '../api-server/json/values';

/** Fields whose value differs, with null for a field that ends: the merge patch from one status to the other. Pure. */
export function difference(before: object = {}, after: object): Record<string, unknown> {
  const old = before as Record<string, unknown>;
  const changed = Object.entries(after).filter(([name, value]) => value !== undefined && !deepEqual(old[name], value));
  const ended = Object.keys(old).filter((name) => (after as Record<string, unknown>)[name] === undefined);
  return Object.fromEntries([...changed, ...ended.map((name) => [name, null] as const)]);
}

/** Writes the fields of a status that changed. Returns the written object; undefined if nothing changed or it is gone. */
export async function writeStatus<T extends KubeObject & { status?: object }>(
  client: KubeClient,
  resource: Resource,
  { metadata, status: before }: T,
  after: object,
  annotations?: Record<string, string>,
): Promise<T | undefined> {
  const status = difference(before, after);
  if (!Object.keys(status).length && !annotations) return undefined;
  const { namespace, name = '', uid } = metadata;
  try {
    return await client.patch<T>(
      resource,
      { namespace, name, subresource: 'status' },
      { metadata: { uid, ...(annotations ? { annotations } : {}) }, status },
      'merge',
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Time of a condition, in the precision of the API. */
export const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
