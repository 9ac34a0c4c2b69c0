import type { Access, KubeObject } from '../../../api';
import { ApiError, resources } from '../../kube';
import type { KubeClient, Resource } from '../../kube';
import type { Cluster } from './gather';
import type { AdmissionRequest } from './review';

const byKind = new Map<string, Resource>(Object.values(resources).map((resource) => [resource.kind, resource]));

interface SubjectAccessReview extends KubeObject {
  spec: unknown;
  status?: { allowed?: boolean };
}

/** Objects that virt-api watches anyway; undefined while it does not know them yet. */
export type Watched = (kind: string) => readonly KubeObject[] | undefined;

/** The cluster as virt-api reads it, and what the user of this request may do there. */
export function clusterOf(
  client: KubeClient,
  watched: Watched,
  { userInfo }: Pick<AdmissionRequest, 'userInfo'>,
): Cluster {
  return {
    async find(kind, namespace, name) {
      const resource = resourceOf(kind);
      // a name that none can have, or no place to look
      if (name === '' || (resource.namespaced && !namespace)) return undefined;
      return (await client.find(resource, { namespace, name })) ?? undefined;
    },
    async list(kind, namespace) {
      const here = watched(kind)?.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
      if (here) return here;
      try {
        return (await client.list(resourceOf(kind), { namespace })).items;
      } catch (error) {
        // a cluster that does not serve the kind has none
        if (error instanceof ApiError && error.code === 404) return [];
        throw error;
      }
    },
    async may(access: Access) {
      const review: SubjectAccessReview = await client.create(resources.subjectAccessReviews, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: userInfo.username,
          ...(userInfo.uid ? { uid: userInfo.uid } : {}),
          groups: userInfo.groups,
          extra: userInfo.extra,
          resourceAttributes: access,
        },
      } as SubjectAccessReview);
      return review.status?.allowed ?? false;
    },
  };
}

function resourceOf(kind: string): Resource {
  const resource = byKind.get(kind);
  if (!resource) throw new Error(`a rule asks for ${kind}, which virt-api cannot read`);
  return resource;
}
