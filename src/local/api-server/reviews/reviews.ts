import { Authorizer, aggregate } from '../authorization/authorizer';
import { ServiceAccountTokens } from '../authentication/tokens';
import { errors } from '../errors';
import { Context } from '../http/context';
import { VirtualResource } from '../http/resource-route';
import { readObject, writer } from '../http/resources';
import { sendJson } from '../http/responder';
import { define } from '../kinds/define';
import { AnyObject, timestamp, UserInfo } from '../types';
import { Fields } from '../validation/fields';
import { ensureNamespace } from '../verbs/create';
import { manage } from '../verbs/update';
import { accessOf, AccessSpec, validateLocal, validateSpec } from './access-spec';

const AUTHENTICATION = 'authentication.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

/** Returns the review with its status. */
type Answer = (review: AnyObject, context: Context) => object;

function review(group: string, kindName: string, answer: Answer, namespaced = false): VirtualResource {
  const plural = `${kindName.toLowerCase()}s`;
  const kind = define({ group, version: 'v1', kind: kindName, plural, namespaced });
  return {
    group,
    version: 'v1',
    kind: kindName,
    plural,
    namespaced,
    async serve(context) {
      const { caller } = writer(context, 'CreateOptions');
      const given = await readObject(context, kind, caller);
      ensureNamespace(given, kind, context.info.namespace);
      const managed = manage(kind, '', kind.empty(), given, caller);
      const { metadata, ...rest } = answer(managed, context) as { metadata?: object };
      sendJson(context.response, 201, {
        kind: kindName,
        apiVersion: `${group}/v1`,
        metadata: metadata ?? managed.metadata,
        ...rest,
      });
    },
  };
}

/** Kubernetes reports these errors without the kind. */
function reject(fields: Fields): void {
  if (fields.causes.length) throw errors.invalid(AUTHORIZATION, '', '', fields.causes);
}

/** The metadata of a review must be empty, apart from `allowed` fields. */
function validateMetadata({ metadata }: AnyObject, allowed: readonly string[], fields: Fields): void {
  const given = Object.keys(metadata).filter((key) => key !== 'managedFields' && !allowed.includes(key));
  if (!given.length) return;
  const why = allowed.length ? `must be empty except for ${allowed.join(', ')}` : 'must be empty';
  fields.child('metadata').invalid(metadata, why);
}

/** Reviews of access and identity, which are never stored. */
export function reviewResources(authorizer: Authorizer, tokens: ServiceAccountTokens): VirtualResource[] {
  const decide = (user: UserInfo, spec: AccessSpec) => {
    const { access, problems } = accessOf(spec);
    const { allowed, reason } = authorizer.authorize(user, access);
    const evaluationError = problems.join('; ');
    return {
      spec,
      status: { allowed, ...(reason ? { reason } : {}), ...(evaluationError ? { evaluationError } : {}) },
    };
  };
  const other = (given: AnyObject) => {
    const spec = (given.spec ?? {}) as AccessSpec;
    const { user = '', groups = [], uid, extra } = spec;
    return decide({ username: user, groups, uid, extra }, spec);
  };
  const validated = (given: AnyObject, named: boolean, allowed: readonly string[] = []): Fields => {
    const fields = Fields.root();
    validateSpec((given.spec ?? {}) as AccessSpec, named, fields.child('spec'));
    validateMetadata(given, allowed, fields);
    return fields;
  };
  return [
    review(AUTHORIZATION, 'SelfSubjectAccessReview', (given, { user }) => {
      reject(validated(given, false));
      return decide(user, (given.spec ?? {}) as AccessSpec);
    }),
    review(AUTHORIZATION, 'SubjectAccessReview', (given) => {
      reject(validated(given, true));
      return other(given);
    }),
    review(
      AUTHORIZATION,
      'LocalSubjectAccessReview',
      (given) => {
        const fields = validated(given, true, ['namespace']);
        fields.causes.push(...validateLocal(given).causes);
        reject(fields);
        return other(given);
      },
      true,
    ),
    review(AUTHORIZATION, 'SelfSubjectRulesReview', ({ spec }, { user }) => {
      if (!spec?.namespace) throw errors.badRequest('no namespace on request');
      return { metadata: {}, spec: {}, status: rulesStatus(authorizer, user, spec.namespace as string) };
    }),
    review(AUTHENTICATION, 'TokenReview', ({ spec }) => ({ spec, status: tokenStatus(tokens, spec ?? {}) })),
    review(AUTHENTICATION, 'SelfSubjectReview', (_given, { user }) => ({
      metadata: { creationTimestamp: timestamp() },
      status: { userInfo: user },
    })),
  ];
}

function rulesStatus(authorizer: Authorizer, user: UserInfo, namespace: string): object {
  const { rules, incomplete, errors: problems } = authorizer.rulesFor(user, namespace);
  const evaluationError = aggregate(problems);
  return {
    resourceRules: rules
      .filter(({ resources }) => resources?.length)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, resourceNames })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs?.length)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete,
    ...(evaluationError ? { evaluationError } : {}),
  };
}

function tokenStatus(tokens: ServiceAccountTokens, spec: { token?: string; audiences?: string[] }): object {
  if (!spec.token) throw errors.badRequest('token is required for TokenReview in authentication');
  const found = tokens.review(spec.token, spec.audiences?.length ? spec.audiences : undefined);
  if ('user' in found) return { authenticated: true, user: found.user, audiences: found.audiences };
  return { user: {}, error: found.error ? `[invalid bearer token, ${found.error}]` : 'invalid bearer token' };
}
