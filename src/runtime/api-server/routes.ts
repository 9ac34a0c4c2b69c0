import { isDnsLabel, isDnsSubdomain } from '../../api/names';
import {
  EXPAND_GIVEN,
  SUBRESOURCE_GROUP,
  SUBRESOURCE_VERSIONS,
  SUBRESOURCES,
  UNIMPLEMENTED,
  VM,
  VMI,
} from './registry';
import type { Subresource } from './registry';
import { TOKEN_REQUESTS, UPLOAD_GROUP, UPLOAD_VERSIONS } from './uploads/routes';

function unserved(owner: keyof typeof UNIMPLEMENTED, name: string): Route | undefined {
  if (!Object.hasOwn(UNIMPLEMENTED[owner], name)) return undefined;
  return { to: 'unserved', what: owner ? `${owner}/${name}` : name, remedy: UNIMPLEMENTED[owner][name] };
}

export type Route =
  | { readonly to: 'group' | 'groups' | 'upload-group' | 'health' | 'ready' | 'openapi-v2' | 'openapi-v3' }
  | { readonly to: 'openapi-v3-group' | 'resources' | 'upload-resources' | 'version'; readonly version: string }
  | { readonly to: 'upload-token'; readonly version: string; readonly namespace: string }
  | {
      readonly to: 'subresource';
      readonly version: string;
      readonly namespace: string;
      readonly name: string;
      readonly subresource: Subresource;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly to: 'unserved'; readonly what: string; readonly remedy: string }
  | { readonly to: 'wrong-method'; readonly allowed: string }
  | { readonly to: 'nothing' };

/** Subresources that are only read. */
const DOCUMENTS = new Set([
  ...['group', 'groups', 'upload-group', 'health', 'ready', 'openapi-v2', 'openapi-v3', 'openapi-v3-group'],
  ...['resources', 'upload-resources', 'version'],
]);

/** Finds the route of a request. Pure; the path is the raw one, without query. */
export function route(method: string, path: string): Route {
  const to = routePath(method, path);
  return DOCUMENTS.has(to.to) && method !== 'GET' && method !== 'HEAD' ? { to: 'wrong-method', allowed: 'GET' } : to;
}

function routePath(method: string, path: string): Route {
  const [empty, ...parts] = path.split('/');
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  // a missing part could mean a different resource to the API server, which has authorized the request
  if (empty !== '' || parts.includes('')) return { to: 'nothing' };
  let decoded: string[];
  try {
    decoded = parts.map(decodeURIComponent);
  } catch {
    return { to: 'nothing' };
  }
  // with an escaped slash, one part could pose as two
  if (decoded.some((part) => part.includes('/') || part === '.' || part === '..')) return { to: 'nothing' };
  const [first, group, version, ...rest] = decoded;
  if (decoded.length === 1 && first === 'healthz') return { to: 'health' };
  if (decoded.length === 1 && first === 'readyz') return { to: 'ready' };
  if (first === 'openapi') return routeOpenApi(decoded.slice(1));
  if (first !== 'apis') return { to: 'nothing' };
  if (group === undefined) return { to: 'groups' };
  if (group === UPLOAD_GROUP) return routeUploads(method, version, rest);
  if (group !== SUBRESOURCE_GROUP) return { to: 'nothing' };
  if (version === undefined) return { to: 'group' };
  if (!isVersion(version)) return { to: 'nothing' };
  return routeVersion(method, version, rest);
}

function routeOpenApi(parts: readonly string[]): Route {
  const [format, apis, group, version] = parts;
  if (parts.length === 1 && (format === 'v2' || format === 'v3')) return { to: `openapi-${format}` };
  const isOfVersion = parts.length === 4 && format === 'v3' && apis === 'apis' && group === SUBRESOURCE_GROUP;
  return isOfVersion && isVersion(version!) ? { to: 'openapi-v3-group', version: version! } : { to: 'nothing' };
}

const isVersion = (version: string): boolean => (SUBRESOURCE_VERSIONS as readonly string[]).includes(version);

function routeUploads(method: string, version: string | undefined, rest: string[]): Route {
  if (version === undefined) return { to: 'upload-group' };
  if (!UPLOAD_VERSIONS.includes(version)) return { to: 'nothing' };
  if (rest.length === 0) return { to: 'upload-resources', version };
  const [literal, namespace, resource] = rest;
  if (rest.length !== 3 || literal !== 'namespaces' || !isDnsLabel(namespace) || resource !== TOKEN_REQUESTS)
    return { to: 'nothing' };
  return method === 'POST' ? { to: 'upload-token', version, namespace } : { to: 'wrong-method', allowed: 'POST' };
}

function routeVersion(method: string, version: string, rest: string[]): Route {
  if (rest.length === 0) return { to: 'resources', version };
  if (rest.length === 1) {
    if (rest[0] === 'version') return { to: 'version', version };
    if (rest[0] === 'healthz') return { to: 'health' };
    return unserved('', rest[0]) ?? { to: 'nothing' };
  }
  const [literal, namespace, owner, name, ...sub] = rest;
  if (literal !== 'namespaces' || !isDnsLabel(namespace)) return { to: 'nothing' };
  if (owner === EXPAND_GIVEN.owner && name === undefined) {
    if (method !== EXPAND_GIVEN.method) return { to: 'wrong-method', allowed: EXPAND_GIVEN.method };
    return { to: 'subresource', version, namespace, name: '', subresource: EXPAND_GIVEN, params: {} };
  }
  if ((owner !== VM && owner !== VMI) || name === undefined || sub.length === 0) return { to: 'nothing' };
  // object names have this form, and a name is repeated in errors
  if (!isDnsSubdomain(name)) return { to: 'nothing' };
  const path = sub.join('/');
  const unimplemented = unserved(owner, path);
  if (unimplemented) return unimplemented;
  const found = SUBRESOURCES.find((entry) => entry.owner === owner && `${path}/`.startsWith(`${entry.name}/`));
  const params = found && paramsOf(found, sub.slice(found.name.split('/').length));
  if (!found || !params) return { to: 'nothing' };
  if (found.method !== method) return { to: 'wrong-method', allowed: found.method };
  return { to: 'subresource', version, namespace, name, subresource: found, params };
}

function paramsOf(found: Subresource, values: string[]): Record<string, string> | undefined {
  const names = found.params ?? [];
  const required = names.filter((name) => !name.endsWith('?')).length;
  if (values.length < required || values.length > names.length) return undefined;
  return Object.fromEntries(values.map((value, i) => [names[i].replace('?', ''), value]));
}
