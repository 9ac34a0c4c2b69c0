import { Access, Authorizer, forbiddenMessage } from '../authorization/authorizer';
import { NODES } from '../authorization/node';
import { errors, StatusError } from '../errors';
import { UserInfo } from '../types';
import { isDns1123Subdomain } from '../validation/names';

const ACCOUNT = 'system:serviceaccount:';
const NODE = 'system:node:';
const EXTRA = 'impersonate-extra-';
const AUTHENTICATION = 'authentication.k8s.io';

/** User that the headers of a request ask for. */
interface Wanted {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, string[]>>;
}

/** Keys of extras are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws StatusError 400 for groups, uid or extras without a user */
function wantedUser(headers: NodeJS.Dict<string[]>): Wanted | undefined {
  const [username] = headers['impersonate-user'] ?? [];
  const groups = headers['impersonate-group'] ?? [];
  const [uid] = headers['impersonate-uid'] ?? [];
  const extra = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith(EXTRA))
      .map(([name, value]) => [decoded(name.slice(EXTRA.length)), value ?? []]),
  );
  if (username) return { username, ...(uid ? { uid } : {}), groups, extra };
  if (!groups.length && !uid && !Object.keys(extra).length) return undefined;
  const show = (list: readonly string[]) =>
    list.length ? `[]string{${list.map((item) => JSON.stringify(item)).join(', ')}}` : '[]string(nil)';
  const shown = Object.entries(extra)
    .map(([key, values]) => `${JSON.stringify(key)}:${show(values)}`)
    .join(', ');
  const map = shown ? `map[string][]string{${shown}}` : 'map[string][]string(nil)';
  throw errors.badRequest(
    `requested &user.DefaultInfo{Name:"", UID:${JSON.stringify(uid ?? '')}, Groups:${show(groups)}, Extra:${map}} without impersonating a user name`,
  );
}

/** Namespace and name of a ServiceAccount's username. */
function accountOf(username: string): [string, string] | undefined {
  const [namespace, name, ...rest] = username.startsWith(ACCOUNT) ? username.slice(ACCOUNT.length).split(':') : [];
  return namespace && name && !rest.length ? [namespace, name] : undefined;
}

const nodeNameOf = (username: string): string | undefined =>
  username.startsWith(NODE) && !isDns1123Subdomain(username.slice(NODE.length)).length
    ? username.slice(NODE.length)
    : undefined;

const onlyName = ({ uid, groups, extra }: Wanted) => !uid && !groups.length && !Object.keys(extra).length;

/** A way to impersonate, with its own verbs (`impersonate:user-info`); the one without a name is the original `impersonate`. */
interface Mode {
  readonly name?: string;
  fits(wanted: Wanted, requestor: UserInfo): boolean;
}

/** In the order in which they are tried. */
const MODES: readonly Mode[] = [
  {
    name: 'associated-node',
    fits: (wanted, { username, extra }) => {
      const node = onlyName(wanted) ? nodeNameOf(wanted.username) : undefined;
      const own = extra?.['authentication.kubernetes.io/node-name'] ?? [];
      return node !== undefined && !!accountOf(username) && own.length === 1 && own[0] === node;
    },
  },
  { name: 'arbitrary-node', fits: (wanted) => onlyName(wanted) && nodeNameOf(wanted.username) !== undefined },
  { name: 'serviceaccount', fits: (wanted) => onlyName(wanted) && !!accountOf(wanted.username) },
  {
    name: 'user-info',
    fits: ({ username }) => nodeNameOf(username) === undefined && !accountOf(username),
  },
  { fits: () => true },
];

/** Accesses that a mode requires for each part of the user. */
function needed(wanted: Wanted, { name: mode }: Mode): Access[] {
  const verb = mode ? `impersonate:${mode}` : 'impersonate';
  const access = (group: string, resource: string, name: string, more: Partial<Access> = {}): Access => ({
    isResource: true,
    path: '',
    verb,
    version: 'v1',
    group,
    resource,
    subresource: '',
    namespace: '',
    name,
    ...more,
  });
  const group = mode ? AUTHENTICATION : '';
  const account = accountOf(wanted.username);
  const node = mode ? nodeNameOf(wanted.username) : undefined;
  let user = access(group, 'users', wanted.username);
  if (account) user = access(group, 'serviceaccounts', account[1], { namespace: account[0] });
  // Tokens of one account on several nodes share this permission.
  else if (node !== undefined) user = access(group, 'nodes', mode === 'associated-node' ? '*' : node);
  return [
    user,
    ...(wanted.uid ? [access(AUTHENTICATION, 'uids', wanted.uid)] : []),
    ...wanted.groups.map((name) => access(group, 'groups', name)),
    ...Object.entries(wanted.extra).flatMap(([key, values]) =>
      values.map((value) => access(AUTHENTICATION, 'userextras', value, { subresource: key })),
    ),
  ];
}

function refused(user: UserInfo, access: Access, reason?: string): StatusError {
  const why = forbiddenMessage(user, access) + (reason ? `: ${reason}` : '');
  return errors.forbidden({ group: access.group, resource: access.resource }, access.name, why);
}

/** The refusal of a mode; undefined if it allows the impersonation. */
function refusal(mode: Mode, user: UserInfo, wanted: Wanted, request: Access, authorizer: Authorizer) {
  const required = needed(wanted, mode);
  if (mode.name) required.unshift({ ...request, verb: `impersonate-on:${mode.name}:${request.verb}` });
  for (const access of required) {
    if (mode.name && access.resource === 'groups' && access.name === 'system:masters') {
      return refused(user, access, 'impersonating the system:masters group is not allowed');
    }
    const { allowed, reason } = authorizer.authorize(user, access);
    if (!allowed) return refused(user, access, reason);
  }
  return undefined;
}

/**
 * User that a request acts as: `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*` (`kubectl --as`), if `user` may.
 * @param request Access of the request itself; some permissions to impersonate are limited to verbs.
 * @throws StatusError 400, 403
 */
export function impersonate(
  user: UserInfo,
  headers: NodeJS.Dict<string[]>,
  request: Access,
  authorizer: Authorizer,
): UserInfo {
  const wanted = wantedUser(headers);
  if (!wanted) return user;
  let first: StatusError | undefined;
  for (const mode of MODES) {
    if (!mode.fits(wanted, user)) continue;
    const error = refusal(mode, user, wanted, request, authorizer);
    if (!error) return impersonated(wanted, mode);
    first ??= error;
  }
  throw first!;
}

function impersonated({ username, uid, groups, extra }: Wanted, { name: mode }: Mode): UserInfo {
  const account = accountOf(username);
  let all = [...groups];
  if (mode && nodeNameOf(username) !== undefined) all = [NODES];
  else if (account && !groups.length) all = ['system:serviceaccounts', `system:serviceaccounts:${account[0]}`];
  const membership = username === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
  if (!all.includes(membership) && !all.includes('system:unauthenticated')) all.push(membership);
  return { username, ...(uid ? { uid } : {}), groups: all, ...(Object.keys(extra).length ? { extra } : {}) };
}
