/** Sources of the objects with which manifests are compared. */
import { type AdmissionContext, clusterConfig, type KubeObject, type KubeVirt } from '../../api';
import { isClusterScoped } from '../../api/kinds/registry';
import { kindKey } from '../../api/references';
import { Collections } from '../../client/collections';
import type { GuestConnection } from '../../client/connection';
import { decideWith, isNotFound, pathOf, resources, type Resource, type Source } from '../../runtime/kube';
import { readAllObjects } from '../manifests/all';
import { type ClusterFlags, contextWith, readCluster } from '../render/cluster';
import { supportOf } from '../render/support';
import { applied } from './applied';
import { compare, type ObjectDiff } from './compare';

/** Objects with which manifests are compared. */
export interface OtherSide {
  /** Difference of this object; undefined if nothing changes. */
  diffOf(object: KubeObject): Promise<ObjectDiff | undefined>;
  /** Existing objects that are not among these. */
  leftovers(objects: readonly KubeObject[]): Promise<ObjectDiff[]>;
}

const keyOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  [kindKey(apiVersion, kind), isClusterScoped(kind) ? '' : (metadata.namespace ?? ''), metadata.name].join('/');

/** Compares with other manifests. */
export async function files(against: string, objects: readonly KubeObject[], flags: ClusterFlags): Promise<OtherSide> {
  const [others, cluster] = await Promise.all([readAllObjects([against]), readCluster(flags)]);
  const context = contextWith(cluster.config, [...objects, ...others, ...cluster.objects]);
  const before = new Map(others.map((other) => [keyOf(other), other]));
  return {
    diffOf: async (object) => compare(before.get(keyOf(object)), object, context),
    leftovers: async (kept) => {
      const keys = new Set(kept.map(keyOf));
      return others
        .filter((other) => !keys.has(keyOf(other)))
        .flatMap((other) => compare(other, undefined, context) ?? []);
    },
  };
}

/** Compares with the objects of a cluster. */
export async function cluster(
  connection: GuestConnection,
  objects: readonly KubeObject[],
  selector: string | undefined,
): Promise<OtherSide> {
  const collections = new Collections(connection);
  const source = sourceOf(connection);
  const [kubeVirt] = await source.list('KubeVirt', undefined).catch(() => []);
  const config = clusterConfig(kubeVirt as KubeVirt | undefined);
  // objects that are applied together may refer to each other
  const own = supportOf(objects);
  const decide = (before: KubeObject | undefined, after: KubeObject | undefined): Promise<ObjectDiff | undefined> =>
    decideWith(source, (answers) => {
      const context: AdmissionContext = {
        config,
        by: { trusted: false },
        find: (...question) => own.find(...question) ?? answers.find(...question),
        list: (...question) => [...own.list(...question), ...answers.list(...question)],
      };
      return compare(before, after, context);
    });
  // a kind that is not installed has no objects yet; the manifests may contain its CRD
  const collectionOf = ({ apiVersion, kind }: KubeObject): Promise<Resource | undefined> =>
    collections.find(apiVersion, kind);
  const placed = (object: KubeObject, resource: Resource | undefined): KubeObject => {
    if (!resource?.namespaced || object.metadata.namespace) return object;
    return { ...object, metadata: { ...object.metadata, namespace: connection.namespace } };
  };
  return {
    async diffOf(given) {
      const resource = await collectionOf(given);
      const object = placed(given, resource);
      const { name, namespace } = object.metadata;
      if (!resource && !isDefined(object, objects)) return notServed(object);
      if (!resource || !name) return decide(undefined, object);
      const path = pathOf(resource, { name, namespace: resource.namespaced ? namespace : undefined });
      const live = await orUndefined(connection.request<KubeObject>('GET', path));
      return decide(live, live ? applied(object, live) : object);
    },
    async leftovers(kept) {
      const found: ObjectDiff[] = [];
      const asked = new Set<string>();
      const known = await Promise.all(kept.map(async (object) => ({ object, resource: await collectionOf(object) })));
      const keys = new Set(known.map(({ object, resource }) => keyOf(placed(object, resource))));
      for (const { object, resource } of known) {
        if (!resource) continue;
        const { namespace } = resource.namespaced ? placed(object, resource).metadata : {};
        const path = pathOf(resource, { namespace });
        if (asked.has(path)) continue;
        asked.add(path);
        const query = { labelSelector: selector };
        const list = await connection.request<{ items: KubeObject[] }>('GET', path, undefined, { query });
        for (const item of list.items) {
          const live = { ...item, apiVersion: object.apiVersion, kind: object.kind };
          // objects of a controller are not pruned
          const isMade = item.metadata.ownerReferences?.some(({ controller }) => controller);
          if (keys.has(keyOf(live)) || isMade) continue;
          const diff = await decide(live, undefined);
          if (diff) found.push(diff);
        }
      }
      return found;
    },
  };
}

interface Definition extends KubeObject {
  readonly spec?: { readonly group?: string; readonly names?: { readonly kind?: string } };
}

/** Whether the manifests contain the definition of the kind. */
const isDefined = ({ apiVersion, kind }: KubeObject, objects: readonly KubeObject[]): boolean =>
  objects.some(
    (object) =>
      object.kind === 'CustomResourceDefinition' &&
      kindKey(apiVersion, kind) ===
        kindKey(`${(object as Definition).spec?.group}/v1`, (object as Definition).spec?.names?.kind ?? ''),
  );

function notServed({ apiVersion, kind, metadata }: KubeObject): ObjectDiff {
  const { name = '', namespace } = metadata;
  const why = `the cluster has no kind ${kind} in ${apiVersion}; install its CustomResourceDefinition first`;
  return {
    action: 'create',
    apiVersion,
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    changes: [],
    refused: [why],
  };
}

const orUndefined = <T>(request: Promise<T>): Promise<T | undefined> =>
  request.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

/** Fetches the objects on which rules depend, each only once: many VMs refer to the same instance type. */
function sourceOf(connection: GuestConnection): Source {
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(path: string): Promise<T | undefined> => {
    let answer = answers.get(path) as Promise<T | undefined> | undefined;
    if (!answer) answers.set(path, (answer = orUndefined(connection.request<T>('GET', path))));
    return answer;
  };
  const collectionOf = (kind: string): Resource | undefined =>
    Object.values<Resource>(resources).find((resource) => resource.kind === kind);
  return {
    async find(kind, namespace, name) {
      const resource = collectionOf(kind);
      if (!resource || name === '' || (resource.namespaced && !namespace)) return undefined;
      return once<KubeObject>(pathOf(resource, { namespace, name }));
    },
    async list(kind, namespace) {
      const resource = collectionOf(kind);
      if (!resource) return [];
      const answer = await once<{ items: KubeObject[] }>(pathOf(resource, { namespace }));
      return answer?.items ?? [];
    },
  };
}
