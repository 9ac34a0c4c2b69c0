import { errors } from '../errors';
import { isTrue } from '../registry/query';

/** Parses URL and method like Kubernetes' RequestInfo. */
export interface RequestInfo {
  /** Concerns objects of a group-version; everything else (`/version`, discovery) is not a resource request. */
  readonly isResource: boolean;
  readonly path: string;
  readonly query: URLSearchParams;
  /** get, list, watch, create, update, patch, delete, deletecollection; or the lower-case method. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** Path segments after the subresource (`proxy/…`, `portforward/22/tcp`). */
  readonly rest: readonly string[];
}

const VERBS: Record<string, string> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Subresources of a namespace itself, rather than resources in it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

/** Whether `url` is a path in correct percent-encoding. Other request targets are answered with 400. */
export function isWellFormed(url: string): boolean {
  return url.startsWith('/') && decodedPath(url) !== undefined;
}

/** The path of `url`, decoded once as a whole, as Go does: `a%2Fb` is two segments for every reader. */
function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?', 1)[0]);
  } catch {
    return undefined;
  }
}

/** Path segments that Kubernetes does not serve: `//`, `.` and `..`, which another program might resolve. */
export const hasOddSegments = (path: string): boolean => /\/(\.{0,2})\//.test(path) || /\/\.{1,2}$/.test(path);

/**
 * The request's meaning. Authorization, routing and forwarding use the same decoded path.
 * @throws StatusError 400 for a malformed path
 */
export function parseRequest(method: string, url: string): RequestInfo {
  const pathname = decodedPath(url);
  if (pathname === undefined) throw errors.badRequest('the path of the URL is not correctly percent-encoded');
  const query = new URLSearchParams(url.slice(url.split('?', 1)[0].length));
  const parts = pathname.split('/').filter(Boolean);
  const none = { group: '', version: '', namespace: '', resource: '', name: '', subresource: '', rest: [] };
  const core = parts[0] === 'api';
  const isResource = core ? parts.length > 2 : parts[0] === 'apis' && parts.length > 3;
  if (!isResource) {
    const group = parts[0] === 'apis' ? (parts[1] ?? '') : '';
    const version = core ? (parts[1] ?? '') : parts[0] === 'apis' ? (parts[2] ?? '') : '';
    return { ...none, isResource, path: pathname, query, verb: method.toLowerCase(), group, version };
  }
  const [group, version] = core ? ['', parts[1]] : [parts[1], parts[2]];
  let rest = parts.slice(core ? 2 : 3);
  let verb = VERBS[method] ?? method.toLowerCase();
  // The old form of watches: /api/v1/watch/…
  if (rest[0] === 'watch' && method === 'GET') {
    rest = rest.slice(1);
    verb = 'watch';
  }
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1];
    const inNamespace = rest.length > 2 && !(core && NAMESPACE_SUBRESOURCES.includes(rest[2]));
    if (inNamespace) rest = rest.slice(2);
  }
  const [resource = '', name = '', subresource = '', ...more] = rest;
  if (!name && verb === 'get') {
    const watch = query.get('watch');
    verb = watch !== null && watch !== '0' && watch !== 'false' ? 'watch' : 'list';
  } else if (name && verb === 'get' && !subresource && isTrue(query.get('watch'))) {
    verb = 'watch';
  }
  if (!name && verb === 'delete') verb = 'deletecollection';
  return {
    isResource,
    path: pathname,
    query,
    verb,
    group,
    version,
    namespace,
    resource,
    name,
    subresource,
    rest: more,
  };
}
