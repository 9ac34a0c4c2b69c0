import type { Find, KubeObject, VirtualMachine } from '../../../api';
import { findInstancetype, findPreference } from '../../../api/instancetype';
import { isNotFound, resources } from '../../kube';
import type { KubeClient, Resource } from '../../kube';

const collections: Record<string, Resource> = Object.fromEntries(
  [
    resources.instancetypes,
    resources.clusterInstancetypes,
    resources.preferences,
    resources.clusterPreferences,
    resources.controllerRevisions,
  ].map((resource) => [resource.kind, resource]),
);

/**
 * What a VM's instance type and preference are read from. They are fetched when they are needed and not watched: a
 * cluster may hold hundreds of them, and few are in use.
 */
export async function readReferences(client: KubeClient, vm: VirtualMachine): Promise<Find> {
  const known = new Map<string, KubeObject | undefined>();
  for (;;) {
    const wanted = new Map<string, Parameters<Find>>();
    const find: Find = (kind, namespace, name) => {
      const key = [kind, namespace, name].join('/');
      if (!known.has(key)) wanted.set(key, [kind, namespace, name]);
      return known.get(key);
    };
    findInstancetype(vm, find);
    findPreference(vm, find);
    if (wanted.size === 0) return find;
    await Promise.all(
      [...wanted].map(async ([key, [kind, namespace, name]]) =>
        known.set(key, await read(client, kind, namespace, name)),
      ),
    );
  }
}

async function read(
  client: KubeClient,
  kind: string,
  namespace: string | undefined,
  name: string,
): Promise<KubeObject | undefined> {
  if (!name) return undefined;
  try {
    return await client.get<KubeObject>(collections[kind], { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
