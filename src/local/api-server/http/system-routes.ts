import { Discovery } from '../discovery/discovery';
import { KindRegistry } from '../registry/registry';
import { OpenApi } from '../discovery/openapi';
import { Context } from './context';
import { Route } from './dispatcher';
import { clauses } from './negotiate';
import { sendJson, sendText } from './responder';
import { versionInfo } from './version';

const HEALTH = /^\/(healthz|livez|readyz)(\/.*)?$/;

/** Serves health and version. */
export class HealthRoute implements Route {
  public async serve({ info, request, response }: Context): Promise<boolean> {
    if (HEALTH.test(info.path)) {
      const verbose = info.query.has('verbose');
      const name = HEALTH.exec(info.path)![1];
      sendText(response, 200, verbose ? `[+]ping ok\n[+]store ok\n${name} check passed\n` : 'ok');
      return true;
    }
    if (/^\/version\/?$/.test(info.path) && request.method === 'GET') {
      sendJson(response, 200, versionInfo);
      return true;
    }
    return false;
  }
}

const AGGREGATED = 'application/json';

/** /api, /apis and below, legacy and aggregated. */
export class DiscoveryRoute implements Route {
  public constructor(private readonly discovery: Discovery) {}

  public async serve(context: Context): Promise<boolean> {
    const { info, request, response } = context;
    if (info.isResource || request.method !== 'GET') return false;
    const path = info.path.replace(/\/+$/, '');
    if (path === '/api' || path === '/apis') {
      const core = path === '/api';
      const version = aggregatedVersion(request.headers.accept);
      response.setHeader('Vary', 'Accept');
      if (version) {
        const type = `${AGGREGATED};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
        sendJson(response, 200, this.discovery.aggregatedList(core, version), type);
      } else {
        const address = request.headers.host ?? '';
        sendJson(response, 200, core ? this.discovery.apiVersions(address) : this.discovery.groupList());
      }
      return true;
    }
    const parts = path.split('/').filter(Boolean);
    let found: object | undefined;
    if (parts[0] === 'api' && parts.length === 2) found = this.discovery.resourceList('', parts[1]);
    else if (parts[0] === 'apis' && parts.length === 2) found = this.discovery.group(parts[1]);
    else if (parts[0] === 'apis' && parts.length === 3) found = this.discovery.resourceList(parts[1], parts[2]);
    else if (path === '' && info.path === '/')
      found = {
        paths: ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
      };
    if (!found) return false;
    sendJson(response, 200, found);
    return true;
  }
}

/** `v2` or `v2beta1` when the client prefers aggregated discovery. */
function aggregatedVersion(accept: string | undefined): string | undefined {
  for (const { type, parameters } of clauses(accept)) {
    if (type !== AGGREGATED) continue;
    if (parameters.as !== 'APIGroupDiscoveryList') return undefined;
    if (parameters.g === 'apidiscovery.k8s.io' && ['v2', 'v2beta1'].includes(parameters.v)) return parameters.v;
  }
  return undefined;
}

/** /openapi/v2 and /openapi/v3. */
export class OpenApiRoute implements Route {
  private readonly openapi: OpenApi;

  public constructor(kinds: KindRegistry) {
    this.openapi = new OpenApi(kinds);
  }

  public async serve({ info, request, response }: Context): Promise<boolean> {
    if (request.method !== 'GET') return false;
    const path = info.path.replace(/\/+$/, '');
    if (path === '/openapi/v2') {
      const wantsProtobuf = (request.headers.accept ?? '').includes('proto-openapi.spec.v2');
      if (wantsProtobuf) {
        const body = this.openapi.v2Protobuf();
        response.writeHead(200, { 'Content-Type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' });
        response.end(body);
      } else sendJson(response, 200, this.openapi.v2());
      return true;
    }
    if (path === '/openapi/v3') {
      sendJson(response, 200, this.openapi.v3Index());
      return true;
    }
    if (!path.startsWith('/openapi/v3/')) return false;
    const document = this.openapi.v3(path.slice('/openapi/v3/'.length));
    if (!document) return false;
    if (info.query.has('hash')) response.setHeader('Expires', new Date(Date.now() + 31_536_000_000).toUTCString());
    sendJson(response, 200, document);
    return true;
  }
}
