import { Access, Authorizer, forbiddenMessage } from '../authorization/authorizer';
import { errors } from '../errors';
import { UserInfo } from '../types';

const ACCOUNT = 'system:serviceaccount:';
const EXTRA = 'impersonate-extra-';

const access = (group: string, resource: string, name: string, namespace = '', subresource = ''): Access => ({
  isResource: true,
  path: '',
  verb: 'impersonate',
  version: group ? 'v1' : '',
  group,
  resource,
  subresource,
  namespace,
  name,
});

/** Keys of extras come in percent encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whom a request acts as: `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*` (`kubectl --as`), if `user` may.
 * @throws StatusError 403; 500 for groups or extras without a user
 */
export function impersonate(user: UserInfo, headers: NodeJS.Dict<string[]>, authorizer: Authorizer): UserInfo {
  const [username] = headers['impersonate-user'] ?? [];
  const groups = headers['impersonate-group'] ?? [];
  const [uid] = headers['impersonate-uid'] ?? [];
  const extra: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(EXTRA)) extra[decoded(name.slice(EXTRA.length))] = value ?? [];
  }
  if (!username) {
    if (!groups.length && !uid && !Object.keys(extra).length) return user;
    throw errors.internal('requested [] without impersonating a user');
  }
  const name = username;
  const asked = name.startsWith(ACCOUNT) ? name.slice(ACCOUNT.length).split(':') : [];
  const isAccount = asked.length === 2;
  const needed = [
    isAccount ? access('', 'serviceaccounts', asked[1], asked[0]) : access('', 'users', name),
    ...groups.map((group) => access('', 'groups', group)),
    ...(uid ? [access('authentication.k8s.io', 'uids', uid)] : []),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => access('authentication.k8s.io', 'userextras', value, '', key)),
    ),
  ];
  for (const one of needed) {
    if (authorizer.authorize(user, one).allowed) continue;
    throw errors.forbidden({ group: one.group, resource: one.resource }, one.name, forbiddenMessage(user, one));
  }
  const implied = isAccount && !groups.length ? ['system:serviceaccounts', `system:serviceaccounts:${asked[0]}`] : [];
  const all = [...groups, ...implied];
  const membership = name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  if (!all.includes(membership)) all.push(membership);
  return {
    username: name,
    ...(uid ? { uid } : {}),
    groups: all,
    ...(Object.keys(extra).length ? { extra } : {}),
  };
}
