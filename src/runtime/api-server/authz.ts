import type { KubeObject } from '../../api/meta';
import { resources } from '../kube';
import type { KubeClient } from '../kube';
import type { UserInfo } from './authn';
import { SUBRESOURCE_GROUP } from './registry';
import type { Route } from './routes';
import { Refusal } from './status';
import { TOKEN_REQUESTS, UPLOAD_GROUP } from './uploads/routes';

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

/** Verb and resource of a request, and the roles that grant them. */
export interface Attributes {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verb: string;
  readonly namespace: string;
  readonly name?: string;
}

/** Attributes of a request for an upload token. */
export const tokenAttributes = (version: string, namespace: string): Attributes => ({
  group: UPLOAD_GROUP,
  version,
  resource: TOKEN_REQUESTS,
  verb: 'create',
  namespace,
});

/** Checks with the cluster whether `user` may use a subresource; throws the 403 that Kubernetes would return. */
export const authorize = (client: KubeClient, user: UserInfo, route: SubresourceRoute): Promise<void> =>
  requirePermission(client, user, attributesOf(route), 'kubevirt.io:admin and kubevirt.io:edit');

/** Checks with the cluster whether `user` may do this; throws the 403 that Kubernetes would return. */
export async function requirePermission(
  client: KubeClient,
  user: UserInfo,
  attributes: Attributes,
  roles: string,
): Promise<void> {
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
  const { group, resource, verb, namespace, name = '' } = attributes;
  const path = [resource, attributes.subresource].filter(Boolean).join('/');
  const why = review.status?.reason ? `: ${review.status.reason}` : '';
  throw new Refusal(
    403,
    'Forbidden',
    `${resource}.${group} "${name}" is forbidden: User "${user.username}" cannot ${verb} resource ` +
      `"${path}" in API group "${group}" in the namespace "${namespace}"${why}`,
    { name, group, kind: resource },
    `grant verb "${verb}" on "${path}" (roles ${roles} have it)`,
  );
}
