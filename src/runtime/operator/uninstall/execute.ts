import type { KubeObject, KubeVirt } from '../../../api';
import { installedKinds } from '../../../api/install/kinds';
import { optionalObjects } from '../../../api/install/optional';
import { errorText } from '../../../api/error-text';
import { keys } from '../../../api/keys';
import { isConflict, isNotFound, resources, type KubeClient, type Resource } from '../../kube';
import { timeOf, type Context } from '../context';
import { isManaged, ownObjects } from '../install/owner';
import { deletingStatus } from '../status/decide';
import { report } from '../status/report';
import type { Strategy } from '../strategy';
import { decideRemoval, nameOf, type Left } from './decide';

/** Workloads in the order in which they are removed: instances go with their VMs. */
const WORKLOADS = [
  resources.pools,
  resources.virtualMachines,
  resources.replicaSets,
  resources.virtualMachineInstances,
] as const;

/**
 * Removes an installation step by step: everything in the install strategy, and what the operator made itself.
 *
 * @param isShared whether KubeVirt is installed as well: it runs the VMs, and has objects of the same names
 */
export async function syncRemoval(
  context: Context,
  kubeVirt: KubeVirt,
  strategy: Strategy,
  isShared: boolean,
): Promise<void> {
  const { client, caches, writer, settings } = context;
  const isInstalled = kubeVirt.metadata.finalizers?.includes(keys.kubeVirtFinalizer) === true && !isShared;
  const workloads = isInstalled ? await workloadsOf(client) : [];
  const installed = new Set(
    [...strategy.objects, ...ownObjects(settings.namespace, settings.issuesCertificates)].map(
      ({ kind, metadata }) => `${kind} ${metadata.name}`,
    ),
  );
  // an earlier configuration may not be cleaned up yet
  for (const { kind, name } of optionalObjects()) if (kind !== 'Secret') installed.add(`${kind} ${name}`);
  const isOurs = (kind: string, object: KubeObject): boolean =>
    isManaged(object) && installed.has(`${kind} ${object.metadata.name}`);
  const objects = Object.values(caches.installed).flatMap((informer): Left[] => {
    const { kind } = informer.resource;
    return informer
      .list()
      .filter((object) => isOurs(kind, object))
      .map((object) => ({ kind, object }));
  });
  const pods = PROGRAMS.flatMap((name) => caches.pods.byIndex('program', name)).map(
    ({ metadata }) => metadata.name ?? '',
  );
  const mayDeleteWorkloads = kubeVirt.spec?.uninstallStrategy !== 'BlockUninstallIfWorkloadsExist';
  const removal = decideRemoval({ workloads, mayDeleteWorkloads, objects, pods });
  const failures: string[] = [];
  for (const { kind, object } of removal.delete) {
    try {
      if (kind in installedKinds) await writer.remove({ ...object, kind });
      else await removeWorkload(client, kind, object);
    } catch (error) {
      failures.push(`${nameOf({ kind, object })} cannot be deleted: ${errorText(error)}`);
    }
  }
  const status = deletingStatus(kubeVirt.status ?? {}, [...failures, ...removal.left], timeOf(context));
  await report(context, kubeVirt, status);
  if (removal.left.length === 0) await dropFinalizer(client, kubeVirt);
}

/** Programs whose Pods must have ended before their permissions are removed. */
const PROGRAMS = ['virt-api', 'virt-controller', 'virt-handler', 'cdi-uploadproxy'];

/** Workloads of the first kind that has any. */
async function workloadsOf(client: KubeClient): Promise<Left[]> {
  for (const resource of WORKLOADS) {
    const items = await client.list(resource).then(({ items: found }) => found, noneIfMissing);
    if (items.length > 0) return items.map((object) => ({ kind: resource.kind, object }));
  }
  return [];
}

/** A kind whose definition was deleted has no objects. */
function noneIfMissing(error: unknown): KubeObject[] {
  if (isNotFound(error)) return [];
  throw error;
}

async function removeWorkload(client: KubeClient, kind: string, { metadata }: KubeObject): Promise<void> {
  const resource = WORKLOADS.find((each) => each.kind === kind) as Resource;
  const { name = '', namespace, uid } = metadata;
  await gone(client.delete(resource, { name, namespace }, { preconditions: { uid } }));
}

async function dropFinalizer(client: KubeClient, { metadata }: KubeVirt): Promise<void> {
  const { name = '', namespace, resourceVersion } = metadata;
  const finalizers = (metadata.finalizers ?? []).filter((each) => each !== keys.kubeVirtFinalizer);
  await gone(
    client.patch(resources.kubeVirts, { name, namespace }, { metadata: { resourceVersion, finalizers } }, 'merge'),
  );
}

/** An object that changed or is gone meanwhile is looked at again in the next pass. */
const gone = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error: unknown) =>
    isNotFound(error) || isConflict(error) ? undefined : Promise.reject(error as Error),
  );
