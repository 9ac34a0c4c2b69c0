import type { Access, KubeObject } from '../../../api';
import { resources, sourceOf } from '../../kube';
import type { KubeClient, Source } from '../../kube';
import type { AdmissionRequest } from './review';

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
): Source {
  const source = sourceOf(client);
  return {
    find: source.find,
    list: async (kind, namespace) =>
      watched(kind)?.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace) ??
      source.list(kind, namespace),
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
