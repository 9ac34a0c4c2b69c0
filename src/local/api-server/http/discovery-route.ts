import { createHash } from 'node:crypto';
import { Discovery } from '../discovery/discovery';
import { errors } from '../errors';
import { sortKeys } from '../json/values';
import { Context } from './context';
import { Route } from './dispatcher';
import { unacceptable } from './health-route';
import { ACCEPTED, clauses } from './negotiate';
import { notAcceptable, sendJson } from './responder';

const JSON_TYPES = ['application/json', 'application/*', '*/*'];
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

type Format = 'json' | 'yaml' | 'aggregated';

/** /api, /apis and below, legacy and aggregated. */
export class DiscoveryRoute implements Route {
  public constructor(private readonly discovery: Discovery) {}

  public async serve(context: Context): Promise<boolean> {
    const { info, request, response } = context;
    if (info.isResource) return false;
    const path = info.path.replace(/\/$/, '');
    const found = this.find(path, request.headers.host ?? '');
    if (!found) return false;
    const isRoot = path === '/api' || path === '/apis';
    // Kubernetes serves the list of groups, and the list of paths, for every method
    if (path !== '/apis' && path !== '' && request.method !== 'GET') throw errors.methodNotAllowed();
    const format = path === '' ? 'json' : formatOf(request.headers.accept, isRoot, path !== '/apis');
    if (format === 'aggregated') this.sendAggregated(context, path === '/api');
    else if (format === 'yaml') sendJson(response, 200, sortKeys(found) as object, 'application/yaml');
    else sendJson(response, 200, found);
    return true;
  }

  private find(path: string, host: string): object | undefined {
    const [root, group, version, ...rest] = path.split('/').slice(1);
    if (path === '') return { paths: this.paths() };
    if (path === '/api') return this.discovery.apiVersions(host);
    if (path === '/apis') return this.discovery.groupList();
    if (rest.length || !group) return undefined;
    if (root === 'api' && version === undefined) {
      return this.known(this.discovery.resourceList('', group), '');
    }
    if (root !== 'apis') return undefined;
    if (version === undefined) return this.discovery.group(group);
    return this.known(this.discovery.resourceList(group, version), group);
  }

  /** An unknown version of a built-in group is an unknown resource; other paths are unknown. */
  private known(found: object | undefined, group: string): object | undefined {
    if (!found && this.discovery.isBuiltin(group)) throw errors.noSuchResource();
    return found;
  }

  private paths(): string[] {
    const health = ['/healthz', '/livez', '/readyz'].flatMap((path) => [
      path,
      `${path}/etcd`,
      `${path}/log`,
      `${path}/ping`,
    ]);
    const own = ['/api', '/api/v1', '/apis', '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];
    return [...own, ...health, ...this.discovery.groupPaths()].sort();
  }

  private sendAggregated({ request, response }: Context, core: boolean): void {
    const text = `${JSON.stringify(this.discovery.aggregatedList(core))}\n`;
    const etag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
    response.setHeader('Vary', 'Accept');
    response.setHeader('Cache-Control', 'public');
    response.setHeader('ETag', etag);
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': AGGREGATED, 'Content-Length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
  }
}

/**
 * Format of a discovery document. `root` documents have an aggregated form.
 * @throws StatusError 406
 */
function formatOf(accept: string | undefined, root: boolean, routed: boolean): Format {
  const all = clauses(accept);
  if (!all.length) return 'json';
  for (const { type, parameters } of all) {
    const { as, g, v } = parameters;
    const isJson = JSON_TYPES.includes(type);
    if (as !== undefined) {
      if (isJson && root && as === 'APIGroupDiscoveryList' && g === 'apidiscovery.k8s.io' && v === 'v2')
        return 'aggregated';
    } else if (isJson) return 'json';
    else if (type === 'application/yaml') return 'yaml';
  }
  const isKnown = all.some(({ type }) => [...JSON_TYPES, 'application/yaml', PROTOBUF].includes(type));
  throw routed && !isKnown ? notAcceptable(unacceptable(ACCEPTED), {}) : errors.notAcceptable(ACCEPTED);
}
