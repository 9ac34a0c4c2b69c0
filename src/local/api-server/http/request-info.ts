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

export function parseRequest(method: string, url: string): RequestInfo {
  const { pathname, searchParams: query } = new URL(url, 'https://server');
  const parts = pathname.split('/').filter(Boolean).map(decodeSegment);
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

export function isTrue(value: string | null): boolean {
  return value === '' ? true : value === 'true' || value === '1' || value === 'True' || value === 'TRUE';
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
