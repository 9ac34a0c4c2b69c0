import { RequestInfo } from '../http/request-info';
import { UserInfo } from '../types';

export interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Requested access: of a request or of an access review. */
export type Access = Pick<
  RequestInfo,
  'isResource' | 'path' | 'verb' | 'group' | 'version' | 'namespace' | 'resource' | 'subresource' | 'name'
>;

/** Decides whether an access is allowed. */
export interface Authorizer {
  authorize(user: UserInfo, access: Access): Decision;
}

const PUBLIC = /^\/(healthz|livez|readyz)(\/|$)|^\/version\/?$/;

/** Allows everything to authenticated users, and only health and version to others. */
export const allowAuthenticated: Authorizer = {
  authorize(user, access) {
    if (user.groups.includes('system:authenticated')) return { allowed: true };
    return { allowed: !access.isResource && PUBLIC.test(access.path) };
  },
};

/** Kubernetes' message for a denied access. */
export function forbiddenMessage(user: UserInfo, access: Access): string {
  const who = `User ${JSON.stringify(user.username)}`;
  if (!access.isResource) return `${who} cannot ${access.verb} path ${JSON.stringify(access.path)}`;
  const resource = access.subresource ? `${access.resource}/${access.subresource}` : access.resource;
  const where = access.namespace ? `in the namespace ${JSON.stringify(access.namespace)}` : 'at the cluster scope';
  return `${who} cannot ${access.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(access.group)} ${where}`;
}
