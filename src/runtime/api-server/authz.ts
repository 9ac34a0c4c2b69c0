import type { KubeObject } from '../../api/meta';
import { resources } from '../kube';
import type { KubeClient } from '../kube';
import type { UserInfo } from './authn';
import { SUBRESOURCE_GROUP } from './routes';
import type { Route } from './routes';
import { Refusal } from './status';

type SubresourceRoute = Extract<Route, { to: 'subresource' }>;

/** Verb and resource that a role must grant for a request. */
export function attributesOf(route: SubresourceRoute) {
  return {
    group: SUBRESOURCE_GROUP,
    version: route.version,
    resource: route.subresource.owner,
    ...(route.subresource.name ? { subresource: route.subresource.name } : {}),
    verb: route.subresource.method === 'PUT' ? 'update' : 'get',
    namespace: route.namespace,
    name: route.name,
  };
}

interface SubjectAccessReview extends KubeObject {
  spec: unknown;
  status?: { allowed?: boolean; reason?: string };
}

/** Checks with the cluster whether `user` may do this; throws the 403 that Kubernetes would return. */
export async function authorize(client: KubeClient, user: UserInfo, route: SubresourceRoute): Promise<void> {
  const attributes = attributesOf(route);
  const review: SubjectAccessReview = await client.create(resources.subjectAccessReviews, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: user.username,
      ...(user.uid ? { uid: user.uid } : {}),
      groups: user.groups,
      extra: user.extra,
      resourceAttributes: attributes,
    },
  } as SubjectAccessReview);
  if (review.status?.allowed) return;
  const { resource, verb, namespace, name } = attributes;
  const path = [resource, attributes.subresource].filter(Boolean).join('/');
  const why = review.status?.reason ? `: ${review.status.reason}` : '';
  throw new Refusal(
    403,
    'Forbidden',
    `${resource}.${SUBRESOURCE_GROUP} "${name}" is forbidden: User "${user.username}" cannot ${verb} resource ` +
      `"${path}" in API group "${SUBRESOURCE_GROUP}" in the namespace "${namespace}"${why}`,
    { name, group: SUBRESOURCE_GROUP, kind: resource },
    `grant verb "${verb}" on "${path}" (roles kubevirt.io:admin and kubevirt.io:edit have it)`,
  );
}
