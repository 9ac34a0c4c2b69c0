import type { Find, FindAll, KubeObject } from '../../api';
import { isNotFound } from './api-error';
import type { KubeClient } from './client';
import { resources } from './resources';
import type { Resource } from './resources';

const collections = new Map<string, Resource>(Object.values(resources).map((resource) => [resource.kind, resource]));

/**
 * Runs a pure decision with what the cluster holds: whatever it looks up and was not fetched yet is fetched, and the
 * decision is made again, until it has asked for nothing new. Kinds that are not installed have no objects.
 */
export async function decideWith<T>(client: KubeClient, decide: (find: Find, list: FindAll) => T): Promise<T> {
  const objects = new Map<string, KubeObject | undefined>();
  const lists = new Map<string, readonly KubeObject[]>();
  for (;;) {
    const missing = new Map<string, () => Promise<void>>();
    const find: Find = (kind, namespace, name) => {
      const key = JSON.stringify([kind, namespace, name]);
      if (name && !objects.has(key)) {
        missing.set(key, async () => void objects.set(key, await client.find(collectionOf(kind), { namespace, name })));
      }
      return objects.get(key);
    };
    const list: FindAll = (kind, namespace) => {
      const key = JSON.stringify([kind, namespace]);
      if (!lists.has(key)) missing.set(key, async () => void lists.set(key, await all(client, kind, namespace)));
      return lists.get(key) ?? [];
    };
    const decision = decide(find, list);
    if (missing.size === 0) return decision;
    await Promise.all([...missing.values()].map((fetch) => fetch()));
  }
}

async function all(client: KubeClient, kind: string, namespace: string | undefined): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(collectionOf(kind), { namespace })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function collectionOf(kind: string): Resource {
  const collection = collections.get(kind);
  if (!collection) throw new Error(`nothing is known of kind ${kind}: add it to resources.ts`);
  return collection;
}
