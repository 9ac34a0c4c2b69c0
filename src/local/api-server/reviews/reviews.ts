import { Access, Authorizer } from '../authorization/authorizer';
import { ServiceAccountTokens } from '../authentication/tokens';
import { errors } from '../errors';
import { contentType, decodeBody, readBody } from '../http/body';
import { Context } from '../http/context';
import { VirtualResource } from '../http/resource-route';
import { sendJson } from '../http/responder';
import { AnyObject, timestamp, UserInfo } from '../types';
import { Fields } from '../validation/fields';

const AUTHENTICATION = 'authentication.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

type Answer = (review: AnyObject, context: Context) => object;

function review(group: string, kind: string, plural: string, answer: Answer, namespaced = false): VirtualResource {
  return {
    group,
    version: 'v1',
    kind,
    plural,
    namespaced,
    async serve(context) {
      const body = await readBody(context.request);
      const given = decodeBody(body, contentType(context.request), kind) as AnyObject;
      const result = answer(given, context);
      sendJson(context.response, 201, { kind, apiVersion: `${group}/v1`, metadata: { ...given.metadata }, ...result });
    },
  };
}

interface AccessSpec {
  resourceAttributes?: {
    namespace?: string;
    verb?: string;
    group?: string;
    version?: string;
    resource?: string;
    subresource?: string;
    name?: string;
  };
  nonResourceAttributes?: { path?: string; verb?: string };
}

function accessOf(kind: string, spec: AccessSpec): Access {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (!resource === !path) {
    const fields = Fields.root('spec.resourceAttributes');
    if (resource) fields.invalid(resource, 'cannot be specified in combination with nonResourceAttributes');
    else fields.invalid(null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified');
    throw errors.invalid(AUTHORIZATION, kind, '', fields.causes);
  }
  const nothing = {
    path: '',
    verb: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
  };
  if (resource) return { ...nothing, isResource: true, ...resource };
  return { ...nothing, isResource: false, path: path!.path ?? '', verb: path!.verb ?? '' };
}

/** Reviews of access and identity, which are never stored. */
export function reviewResources(authorizer: Authorizer, tokens: ServiceAccountTokens): VirtualResource[] {
  const decide = (user: UserInfo, kind: string, spec: AccessSpec) => {
    const { allowed, reason } = authorizer.authorize(user, accessOf(kind, spec));
    return { spec, status: { allowed, ...(reason ? { reason } : {}) } };
  };
  const self =
    (kind: string): Answer =>
    (given, { user }) =>
      decide(user, kind, given.spec ?? {});
  const other =
    (kind: string): Answer =>
    ({ spec = {}, metadata }) => {
      const { user = '', groups = [], uid } = spec as { user?: string; groups?: string[]; uid?: string };
      if (!user && !groups.length) {
        const { causes } = Fields.root('spec.user').invalid('', 'at least one of user or group must be specified');
        throw errors.invalid(AUTHORIZATION, kind, metadata?.name ?? '', causes);
      }
      return decide({ username: user, groups, uid }, kind, spec);
    };
  return [
    review(AUTHORIZATION, 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', self('SelfSubjectAccessReview')),
    review(AUTHORIZATION, 'SubjectAccessReview', 'subjectaccessreviews', other('SubjectAccessReview')),
    review(
      AUTHORIZATION,
      'LocalSubjectAccessReview',
      'localsubjectaccessreviews',
      other('LocalSubjectAccessReview'),
      true,
    ),
    review(AUTHORIZATION, 'SelfSubjectRulesReview', 'selfsubjectrulesreviews', (given) => ({
      spec: given.spec ?? {},
      status: {
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
      },
    })),
    review(AUTHENTICATION, 'TokenReview', 'tokenreviews', ({ spec = {} }) => ({
      spec,
      status: tokenStatus(tokens, spec),
    })),
    review(AUTHENTICATION, 'SelfSubjectReview', 'selfsubjectreviews', (_given, { user }) => ({
      metadata: { creationTimestamp: timestamp() },
      status: { userInfo: user },
    })),
  ];
}

function tokenStatus(tokens: ServiceAccountTokens, spec: { token?: string; audiences?: string[] }): object {
  if (!spec.token) throw errors.badRequest('token is required for TokenReview in authentication');
  const found = tokens.review(spec.token, spec.audiences?.length ? spec.audiences : undefined);
  if (!found) {
    return { user: {}, error: '[invalid bearer token, service account token is not valid]' };
  }
  return { authenticated: true, user: found.user, audiences: found.audiences };
}
