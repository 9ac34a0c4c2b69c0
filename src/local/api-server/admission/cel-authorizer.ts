import { Authorizer } from '../authorization/authorizer';
import { Kind } from '../registry/kind';
import { AccessAnswer, AccessQuestion, CelAuthorizer } from '../schema/cel/authorizer';
import { UserInfo } from '../types';
import { Attributes } from './admission';

/** Variable `authorizer` of expressions about a request, which sees the resource as `seenAs`. */
export function celAuthorizer(authorizer: Authorizer, attributes: Attributes, seenAs: Kind): CelAuthorizer {
  const { user, subresource, namespace, name } = attributes;
  const resource = { group: seenAs.group, resource: seenAs.plural, subresource, namespace, name };
  return new CelAuthorizer((question) => ask(authorizer, user, question), {}, resource);
}

function ask(authorizer: Authorizer, user: UserInfo, question: AccessQuestion): AccessAnswer {
  const { serviceAccount, path = '', verb, group = '', resource = '', subresource = '' } = question;
  const [space, name] = serviceAccount?.split('/') ?? [];
  const who: UserInfo =
    space === undefined
      ? user
      : {
          username: `system:serviceaccount:${space}:${name}`,
          groups: ['system:serviceaccounts', `system:serviceaccounts:${space}`, 'system:authenticated'],
        };
  return authorizer.authorize(who, {
    isResource: question.path === undefined,
    path,
    verb,
    group,
    version: '*',
    namespace: question.namespace ?? '',
    resource,
    subresource,
    name: question.name ?? '',
  });
}
