import { RequestInfo } from '../http/request-info';
import { FieldTerm } from '../registry/field-selector';
import { UserInfo } from '../types';

export interface Decision {
  readonly allowed: boolean;
  readonly reason?: string;
}

/** Requested access: of a request or of an access review. */
export interface Access extends Pick<
  RequestInfo,
  'isResource' | 'path' | 'verb' | 'group' | 'version' | 'namespace' | 'resource' | 'subresource' | 'name'
> {
  /** Terms of the field selector of a list, watch or deletecollection. */
  readonly fields?: readonly FieldTerm[];
}

/** Rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Rules that apply to a user in a namespace. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  /** Whether the user may have further permissions, which cannot be listed. */
  readonly incomplete: boolean;
  readonly errors: readonly string[];
}

/** Decides whether an access is allowed, and lists what a user may do. */
export interface Authorizer {
  authorize(user: UserInfo, access: Access): Decision;
  rulesFor(user: UserInfo, namespace: string): UserRules;
}

export const SUPERUSERS = 'system:masters';

/** Allows what any of its authorizers allows, and everything to `system:masters`. */
export class AuthorizerChain implements Authorizer {
  public constructor(private readonly chain: readonly Authorizer[]) {}

  public authorize(user: UserInfo, access: Access): Decision {
    if (user.groups.includes(SUPERUSERS)) return { allowed: true };
    const reasons: string[] = [];
    for (const authorizer of this.chain) {
      const decision = authorizer.authorize(user, access);
      if (decision.allowed) return decision;
      if (decision.reason) reasons.push(decision.reason);
    }
    return { allowed: false, ...(reasons.length ? { reason: reasons.join('\n') } : {}) };
  }

  public rulesFor(user: UserInfo, namespace: string): UserRules {
    const found = this.chain.map((authorizer) => authorizer.rulesFor(user, namespace));
    return {
      rules: found.flatMap(({ rules }) => rules),
      incomplete: found.some(({ incomplete }) => incomplete),
      errors: found.flatMap(({ errors }) => errors),
    };
  }
}

/** Several messages as Go's `errors.Aggregate` prints them. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Kubernetes' message for a denied access. */
export function forbiddenMessage(user: UserInfo, access: Access): string {
  return describeDenied(user, access).replace(/[&<>]/g, (char) => ENTITIES[char]);
}

function describeDenied(user: UserInfo, access: Access): string {
  const who = `User ${JSON.stringify(user.username)}`;
  if (!access.isResource) return `${who} cannot ${access.verb} path ${JSON.stringify(access.path)}`;
  const resource = access.subresource ? `${access.resource}/${access.subresource}` : access.resource;
  const where = access.namespace ? `in the namespace ${JSON.stringify(access.namespace)}` : 'at the cluster scope';
  return `${who} cannot ${access.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(access.group)} ${where}`;
}
